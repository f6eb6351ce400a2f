"""The context token: content-free, signed, expiring, and able to lift nothing but its own texts."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.model.extract import Extract, Origin, Segment, Trust
from abuse_gate.reading.token import (
    EARLIER,
    MOST_BLOCKS,
    MOST_CHARS,
    MOST_SEGMENTS,
    attested,
    read_token,
    token_key,
    write_token,
)

KEY: Final = token_key(b"a secret of the deployment")
NOW: Final = 1_800_000_000
SYSTEM: Final = Segment("You are a helpful assistant.", "system", "trusted")
PAGE: Final = Segment("The page says: buy now.", "tool", "untrusted")


def signed(*segments: Segment, expires: int = NOW + 60) -> bytes:
    return write_token(KEY, segments, expires).encode()


def seen(*segments: Segment, by: bytes) -> list[Trust]:
    token = read_token(KEY, by, NOW)
    assert token is not None
    return [one.trust for one in attested(Extract(tuple(segments)), token, KEY).segments]


TRUSTED_CASES: Final[list[tuple[Segment, Origin, str, Trust, Trust]]] = [
    (SYSTEM, "system", SYSTEM.text, "vetted", "trusted"),
    (SYSTEM, "developer", SYSTEM.text, "vetted", "trusted"),
    (SYSTEM, "user", SYSTEM.text, "vetted", "vetted"),
    (SYSTEM, "tool", SYSTEM.text, "untrusted", "untrusted"),
    (SYSTEM, "system", SYSTEM.text + " ", "vetted", "vetted"),
    (Segment("x", "user", "trusted"), "system", "x", "vetted", "vetted"),
    (Segment("x", "system", "vetted"), "system", "x", "vetted", "vetted"),
    (PAGE, "user", PAGE.text, "vetted", "untrusted"),
    (PAGE, "system", PAGE.text, "trusted", "untrusted"),
]


@pytest.mark.parametrize(("vouched", "origin", "text", "before", "after"), TRUSTED_CASES)
def test_a_token_trusts_only_its_own_system_texts_and_keeps_taint(
    vouched: Segment, origin: Origin, text: str, before: Trust, after: Trust
) -> None:
    sent = Segment(text, origin, before)
    other = Segment("something untrusted", "tool", "untrusted")
    assert seen(sent, other, by=signed(vouched)) == [after, "untrusted"]


def test_taint_holds_even_when_the_tainted_text_was_left_out() -> None:
    token = read_token(KEY, signed(SYSTEM, PAGE), NOW)
    assert token is not None
    user = Segment("hello", "user", "vetted")
    assert attested(Extract((user,)), token, KEY).segments == (user, EARLIER)
    clean = read_token(KEY, signed(SYSTEM), NOW)
    assert clean is not None
    assert attested(Extract((user,)), clean, KEY).segments == (user,)


def test_a_token_holds_no_text() -> None:
    token = signed(SYSTEM, PAGE).decode()
    assert token.startswith(f"v1.{NOW + 60}.ts")
    assert not {"helpful", "page", "buy"} & set(token.replace(".", " ").split())


def test_of_too_many_blocks_the_latest_are_named_and_the_taint_of_all_is_kept() -> None:
    many = [Segment(f"own {n}", "system", "trusted") for n in range(2 * MOST_BLOCKS)]
    value = signed(PAGE, *many)
    assert len(value) < MOST_CHARS
    token = read_token(KEY, value, NOW)
    assert token is not None
    assert (len(token.trusted), len(token.untrusted)) == (MOST_BLOCKS, 1)


def test_segments_beyond_the_bound_keep_the_trust_they_had() -> None:
    filler = [Segment("f", "user", "vetted")] * MOST_SEGMENTS
    late = Segment(SYSTEM.text, "system", "vetted")
    assert seen(*filler, late, by=signed(SYSTEM))[-1] == "vetted"


GOOD: Final = signed(SYSTEM, PAGE)
FORGED: Final[list[bytes]] = [
    b"",
    b"v1",
    GOOD[:-1],
    GOOD + b"0",
    GOOD[:-1] + (b"0" if GOOD[-1:] != b"0" else b"1"),
    GOOD.replace(b".t", b".u", 1),
    GOOD.replace(str(NOW + 60).encode(), str(NOW + 61).encode()),
    GOOD.replace(b"v1.", b"v2."),
    GOOD.upper(),
    signed(SYSTEM, expires=NOW),
    signed(SYSTEM, expires=0),
    write_token(token_key(b"another secret"), [SYSTEM], NOW + 60).encode(),
    write_token(b"a secret of the deployment", [SYSTEM], NOW + 60).encode(),
    b"v1." + b"9" * 13 + b".." + b"0" * 64,
    GOOD + b" " * MOST_CHARS,
    b"\xff\xfe",
]


@pytest.mark.parametrize("value", FORGED)
def test_a_forged_or_expired_token_is_no_token(value: bytes) -> None:
    assert read_token(KEY, value, NOW) is None


@given(st.binary(max_size=300), st.integers(0, 400))
def test_no_bytes_raise_and_no_changed_token_passes(noise: bytes, at: int) -> None:
    assert read_token(KEY, noise, NOW) is None
    changed = GOOD[:at] + noise + GOOD[at + len(noise) :]
    if changed.strip(b" \t") != GOOD:
        assert read_token(KEY, changed, NOW) is None


def test_an_empty_token_vouches_for_nothing() -> None:
    token = read_token(KEY, signed(), NOW)
    assert token is not None
    assert not token.trusted | token.untrusted
