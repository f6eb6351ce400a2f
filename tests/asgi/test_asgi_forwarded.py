"""`Forwarded` is read from its end, in linear time, and only where all of it means something."""

from collections.abc import Callable
from ipaddress import ip_network

import pytest

from abuse_gate.asgi.proxies import MOST_FORWARDED, Place, Proxies
from abuse_gate.testing.asgi import http_scope
from tests.growth import spent, times

BEHIND = Proxies([ip_network("10.0.0.0/8")], "forwarded")
NOBODY = Place("", shared=True)
# What a proxy may write of its client, and where that client is then.
WRITTEN = [
    ('for="[2001:db8::1]"', "2001:db8::/64"),
    ('for="198.51.100.5:4711"', "198.51.100.5"),
    ('for=198.51.100.5;by="10.0.0.1:80"', "198.51.100.5"),
    ('for=198.51.100.5;host="a\\"b, for=9.9.9.9\\\\";proto=https', "198.51.100.5"),
    ('host=";for=9.9.9.9;x=";for="198.51.100.5"', "198.51.100.5"),
    ("for=198.51.100.5;host=;", "198.51.100.5"),
    ("for=198.51.100.5", "198.51.100.5"),
]
# What a client writes in front of it, to be taken for 203.0.113.7 or to swallow the proxy's word.
FRAMES = [
    'for=203.0.113.7;x="',
    'for=203.0.113.7;x="\\',
    'for=203.0.113.7;x="\\"',
    'for=203.0.113.7, "',
    '"',
    '""',
    "\\",
    ";",
    "for=203.0.113.7;",
    "x=" + "a" * 2 * MOST_FORWARDED,
    '"' * 2 * MOST_FORWARDED,
]
UNREADABLE = [
    'for=198.51.100.1"',
    '"for=198.51.100.1',
    'for="198.51.100.1',
    'for="198.51.100.1"x',
    'for="198.51.100.1\\"',
    'for=198.51.100.1;x="a"b',
    "for=198.51.100.1 for=198.51.100.2",
    "for=198.51.100.1;for=198.51.100.2",
    "for=198.51.100.1;stray",
    "for=198.51.100.1;;x=1",
    "for=198.51.100.1,",
    "for=",
    "",
    "for=198.51.100.1;x=" + "a" * MOST_FORWARDED,
]


def place(*values: str) -> Place:
    headers = [(b"forwarded", value.encode("latin-1")) for value in values]
    return BEHIND.place_of(http_scope(headers=headers, client=("10.0.0.1", 1)))


@pytest.mark.parametrize("frame", FRAMES, ids=range(len(FRAMES)))
@pytest.mark.parametrize(("own", "expected"), WRITTEN, ids=range(len(WRITTEN)))
def test_no_open_quote_swallows_what_the_proxy_wrote(frame: str, own: str, expected: str) -> None:
    for values in ([f"{frame}, {own}"], [f"{frame},{own}"], [frame, own], [own]):
        assert place(*values) == Place(expected)
    # A proxy behind a proxy: what the client wrote is still further left.
    assert place(f"{frame}, {own}, for=10.0.0.9") == Place(expected)


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_an_element_with_text_that_is_no_parameter_is_nobodys(text: str) -> None:
    assert place(text) == NOBODY
    assert place(f"for=203.0.113.7, {text}") == NOBODY
    assert place("for=203.0.113.7", text) == NOBODY
    assert place(text, "for=10.0.0.9") == NOBODY


def test_what_is_left_of_so_much_text_is_nobodys() -> None:
    filler = "for=10.0.0.2;x=" + "a" * (MOST_FORWARDED - 15)
    assert place("for=203.0.113.7", filler[:-1]) == NOBODY
    assert place("for=203.0.113.7", filler) == NOBODY
    assert place("for=203.0.113.7", filler[:-15]) == Place("203.0.113.7")


PUMPS: list[Callable[[int], str]] = [
    lambda size: '"' + '\\"' * (size // 2),
    lambda size: "\\" * size + '"',
    lambda size: '"' * size,
    lambda size: "for=" + " " * size,
    lambda size: "a=b;" * (size // 4),
    lambda size: ("\\" * 7 + '"') * (size // 8),
]


@pytest.mark.parametrize("pump", PUMPS, ids=range(len(PUMPS)))
def test_reading_takes_no_longer_than_in_proportion(pump: Callable[[int], str]) -> None:
    def reading(size: int) -> Callable[[], float]:
        header = (b"forwarded", pump(size).encode())
        scope = http_scope(headers=[header], client=("198.51.100.9", 1))
        return lambda: spent(lambda: Proxies().place_of(scope))

    small, full, beyond = map(reading, (MOST_FORWARDED // 16, MOST_FORWARDED, 16 * MOST_FORWARDED))
    # Sixteen times the text: sixteen times the work at most, 256 times if it were quadratic.
    assert times(small, full, 60, tries=9) <= 60
    assert times(full, beyond, 8, tries=9) <= 8
