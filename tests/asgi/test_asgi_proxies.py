"""Where a request comes from: what a trusted proxy says counts, what anybody else says does not."""

from ipaddress import ip_network
from itertools import product

import pytest

from abuse_gate.asgi.callers import MOST_CREDENTIALS, Callers
from abuse_gate.asgi.proxies import MOST_HOPS, SIGNS, Place, Proxies, parsed
from abuse_gate.model.caller import Caller
from abuse_gate.testing.asgi import Header, http_scope

TRUSTED = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
PEER = "203.0.113.7"
FORGED = (
    "198.51.100.1",
    "10.0.0.1",
    "127.0.0.1",
    "198.51.100.1, 10.0.0.1",
    "10.0.0.1, 198.51.100.1",
    "203.0.113.8",
    "203.0.113.7:80, 198.51.100.1",
    "198.51.100.1:65535",
    "[2001:db8::1]:443",
    "2001:db8::1",
    "::ffff:198.51.100.1",
    "::ffff:c633:6401",
    "fe80::1%eth0",
    "fe80::1%25lo",
    "[fe80::1%eth0]:80",
    "unknown",
    "_hidden",
    "localhost",
    "",
    ",,,,",
    " ",
    "\x00",
    "1.2.3",
    "1.2.3.4.5",
    "01.02.03.04",
    "0x7f000001",
    "2130706433",
    "999.1.1.1",
    "1.2.3.4/8",
    "1.2.3.4;for=5.6.7.8",
    'for="198.51.100.1"',
    "for=198.51.100.1;by=10.0.0.1",
    'for="[2001:db8::1]:47011"',
    'for="[2001:db8::1%eth0]"',
    "for=10.0.0.1, for=198.51.100.1",
    'for="_gazonk"',
    'for="a\\"b,c"',
    "for=",
    "FOR=198.51.100.1",
    "é" * 40,
    "1.2.3.4," * 500,
)
NAMES = tuple(sorted(SIGNS))


async def caller_of(
    *headers: Header, client: str = PEER, trusted: bool = False, key: bool = False
) -> Caller:
    proxies = Proxies(TRUSTED if trusted else ())
    sent = [*headers, *([(b"x-api-key", b"secret")] if key else [])]
    scope = http_scope(headers=sent, client=(client, 1))
    return await Callers(b"k", None, proxies=proxies).of(scope)


def test_there_are_three_hundred_forgeries() -> None:
    assert len(FORGED) * len(NAMES) >= 300


@pytest.mark.parametrize("name", NAMES, ids=bytes.decode)
async def test_no_forged_header_makes_somebody_else_of_a_peer(name: bytes) -> None:
    """Nor does it hide one that has a standing already; at most its address is not counted."""
    for forged, repeated, trusted, key in product(FORGED, (1, 2), (False, True), (False, True)):
        header: Header = (name, forged.encode("latin-1", "replace"))
        plain = await caller_of(trusted=trusted, key=key)
        found = await caller_of(*[header] * repeated, trusted=trusted, key=key)
        assert (found.subject, found.address, found.ids) == (
            plain.subject,
            plain.address,
            plain.ids,
        ), (forged, repeated, trusted)


@pytest.mark.parametrize("forged", FORGED)
async def test_what_a_client_writes_in_front_of_its_proxy_changes_nothing(forged: str) -> None:
    """A trusted proxy appends whom it has seen: all that stands left of it is anybody's."""
    seen = b"198.51.100.200"
    expected = await caller_of(client=seen.decode())
    for values in (
        [forged.encode("latin-1", "replace") + b", " + seen],
        [forged.encode("latin-1", "replace"), seen],
        [forged.encode("latin-1", "replace"), seen + b", 10.9.9.9"],
    ):
        headers = [(b"x-forwarded-for", value) for value in values]
        # Its own Forwarded header is passed on by proxies that do not write one.
        headers.append((b"forwarded", b"for=192.0.2.66"))
        found = await caller_of(*headers, client="10.0.0.1", trusted=True)
        assert (found.address, found.shared) == (expected.address, False)


CHAINS: list[tuple[str, str, str]] = [
    ("x-forwarded-for", "198.51.100.1", "198.51.100.1"),
    ("x-forwarded-for", "198.51.100.1:1234", "198.51.100.1"),
    ("x-forwarded-for", "198.51.100.1, 10.0.0.2, 10.0.0.3", "198.51.100.1"),
    ("x-forwarded-for", "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"),
    ("x-forwarded-for", "::ffff:198.51.100.1", "198.51.100.1"),
    ("x-forwarded-for", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
    ("x-forwarded-for", "[2001:db8:1:2:3::4]:5", "2001:db8:1:2::/64"),
    ("x-forwarded-for", "fe80::1%eth0", "fe80::/64"),
    ("x-forwarded-for", "unknown", ""),
    ("x-forwarded-for", "198.51.100.1, garbage", ""),
    ("x-forwarded-for", "10.0.0.2, 10.0.0.3", ""),
    ("x-forwarded-for", "198.51.100.1" + ", 10.0.0.2" * MOST_HOPS, ""),
    ("forwarded", "for=198.51.100.1;proto=https;by=10.0.0.1", "198.51.100.1"),
    ("forwarded", 'For="[2001:db8:1:2::9]:80"', "2001:db8:1:2::/64"),
    ("forwarded", "for=6.6.6.6, for=198.51.100.1, for=10.0.0.2", "198.51.100.1"),
    ("forwarded", 'for="6.6.6.6, for=7.7.7.7";host=a, for=198.51.100.1', "198.51.100.1"),
    ("forwarded", "for=_hidden, for=unknown", ""),
    ("forwarded", "proto=https", ""),
    ("x-real-ip", "198.51.100.1", ""),
]


@pytest.mark.parametrize(("name", "value", "expected"), CHAINS)
def test_a_trusted_proxys_chain_is_read_from_right_to_left(
    name: str, value: str, expected: str
) -> None:
    scope = http_scope(headers=[(name.encode(), value.encode())], client=("10.0.0.1", 1))
    assert Proxies(TRUSTED).place_of(scope) == Place(expected, shared=not expected)


def test_proxies_that_write_forwarded_are_read_by_it() -> None:
    headers = [(b"x-forwarded-for", b"6.6.6.6"), (b"forwarded", b"for=198.51.100.1")]
    scope = http_scope(headers=headers, client=("10.0.0.1", 1))
    assert Proxies(TRUSTED, "forwarded").place_of(scope).address == "198.51.100.1"
    assert Proxies(TRUSTED).place_of(scope).address == "6.6.6.6"


PEERS = [
    ("1.2.3.4", "1.2.3.4"),
    ("::ffff:1.2.3.4", "1.2.3.4"),
    ("2001:db8::1", "2001:db8::/64"),
    ("2001:db8::ffff:2", "2001:db8::/64"),
    ("fe80::1%eth0", "fe80::/64"),
    ("testclient", "testclient"),
    ("", ""),
]


@pytest.mark.parametrize(("client", "expected"), PEERS)
def test_one_host_is_one_address(client: str, expected: str) -> None:
    assert Proxies().place_of(http_scope(client=(client, 9))) == Place(expected)


def test_a_peer_that_forwards_without_being_known_is_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    proxies = Proxies()
    scope = http_scope(headers=[(b"X-Forwarded-For", b"198.51.100.1")], client=(PEER, 1))
    assert [proxies.place_of(scope) for _ in range(3)] == [Place(PEER, shared=True)] * 3
    assert caplog.text.count("ABUSE_GATE_TRUSTED_PROXIES") == 1


def test_what_the_server_has_resolved_itself_is_nobodys_proxy() -> None:
    """uvicorn puts the last hop into the peer's place and leaves the header where it was."""
    scope = http_scope(
        headers=[(b"x-forwarded-for", b"6.6.6.6, " + PEER.encode())], client=(PEER, 0)
    )
    assert Proxies().place_of(scope) == Place(PEER)


async def test_nothing_collides_with_nothing() -> None:
    nobody = await Callers(b"k", None).of(http_scope(client=None))
    assert nobody.ids == ()
    empty = [(b"authorization", b"Bearer "), (b"x-api-key", b""), (b"api-key", b"  ")]
    scope = http_scope(headers=empty, client=("", 0))
    assert (await Callers(b"k", None).of(scope)).ids == ()
    tenants = [
        await Callers(b"k", lambda scope: str(scope["whose"])).of(http_scope(whose=name))
        for name in ("", "a", "-", "1:a")
    ]
    plain = await Callers(b"k", None).of(http_scope())
    assert len({caller.address for caller in (*tenants, plain)}) == 5


CREDENTIALS: list[list[Header]] = [
    [(b"authorization", b"Bearer s3cret")],
    [(b"AUTHORIZATION", b"bearer   s3cret ")],
    [(b"authorization", b"s3cret")],
    [(b"x-api-key", b"s3cret")],
    [(b"api-key", b" s3cret")],
    [(b"x-goog-api-key", b"s3cret")],
]


@pytest.mark.parametrize("headers", CREDENTIALS)
async def test_a_key_is_the_same_key_under_any_header(headers: list[Header]) -> None:
    expected = await Callers(b"k", None).of(http_scope(headers=CREDENTIALS[0]))
    assert (await Callers(b"k", None).of(http_scope(headers=headers))).ids == expected.ids


async def test_a_second_key_does_not_hide_the_first() -> None:
    one = await Callers(b"k", None).of(http_scope(headers=[(b"x-api-key", b"one")]))
    decoys = [(b"authorization", b"Bearer decoy%d" % n) for n in range(40)]
    for headers in ([(b"x-api-key", b"one"), *decoys], [*decoys, (b"x-api-key", b"one")]):
        found = await Callers(b"k", None).of(http_scope(headers=headers))
        assert one.subject in found.ids
        assert len(found.ids) == MOST_CREDENTIALS + 1


async def test_the_apps_word_for_its_user_replaces_the_credential() -> None:
    async def user(_scope: object) -> str | None:
        return "alice"

    headers = [(b"x-api-key", b"one")]
    named = await Callers(b"k", None, subject=user).of(http_scope(headers=headers))
    assert named.subject.startswith("user-")
    assert len(named.ids) == 2
    nameless = await Callers(b"k", None, subject=lambda _: None).of(http_scope(headers=headers))
    assert nameless.subject.startswith("key-")
    odd = await Callers(b"k", None, subject=lambda _: 7).of(http_scope(headers=headers))  # type: ignore[arg-type, return-value]
    assert odd.subject == nameless.subject


async def test_whatever_a_server_hands_over_the_caller_can_be_told() -> None:
    found = await Callers(b"k", None).of({"type": "http", "headers": [(1, 2)], "client": None})
    assert found == Caller()


@pytest.mark.parametrize("text", ["", "a", "1.2.3.4:99999x", "[::1", "%", "::ffff:1.2.3.4%x"])
def test_no_text_is_too_odd_for_an_address(text: str) -> None:
    assert parsed(text) is None or str(parsed(text)) == "1.2.3.4"
