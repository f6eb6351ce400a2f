"""multipart/form-data through the parser that the app itself uses: fields, files, part headers.

Only takes a body apart; what a part's bytes mean is decided elsewhere.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_PARTS: Final = 1000
MAX_HEADERS: Final = 100
MAX_HEADER_BYTES: Final = 65_536


@dataclass(slots=True, repr=False)
class Part:
    """One part: its headers as sent (names in lower case) and its bytes."""

    headers: list[tuple[bytes, bytes]] = field(default_factory=list[tuple[bytes, bytes]])
    data: bytearray = field(default_factory=bytearray)

    def options(self, name: bytes) -> tuple[bytes, dict[bytes, bytes]]:
        """A header's value and its parameters; of a repeated header the last one counts."""
        return parse_options_header(dict(self.headers).get(name))

    @property
    def field_name(self) -> bytes:
        """The field's name as sent."""
        return self.options(b"content-disposition")[1].get(b"name", b"")


@dataclass(slots=True, repr=False)
class Taken:
    """The parts, the text around them, and whether all of it could be taken apart."""

    parts: list[Part] = field(default_factory=list[Part])
    around: list[bytes] = field(default_factory=list[bytes])
    broken: bool = False
    too_many: bool = False


class _TooManyParts(Exception):
    """More parts than are read."""


class _Silence:
    """Takes log calls and keeps nothing."""

    def debug(self, *_: object) -> None:
        """Keep nothing."""

    warning = debug


class _Builder:
    """Collects what the parser calls back."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.ended = False
        self._name = bytearray()
        self._value = bytearray()

    def part_begin(self) -> None:
        if len(self.parts) >= MAX_PARTS:
            raise _TooManyParts
        self.parts.append(Part())

    def part_data(self, data: bytes, start: int, end: int) -> None:
        self.parts[-1].data += data[start:end]

    def header_field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def header_end(self) -> None:
        self.parts[-1].headers.append((bytes(self._name).lower(), bytes(self._value)))
        self._name.clear()
        self._value.clear()

    def end(self) -> None:
        self.ended = True


def take_apart(body: bytes, boundary: bytes) -> Taken:
    """Take a multipart body apart; damage keeps the parts before it and is told."""
    builder = _Builder()
    taken = Taken(parts=builder.parts)
    try:
        _parser(boundary, builder).write(body)
    except _TooManyParts:
        taken.too_many = True
    except FormParserError:
        taken.broken = True
    taken.broken |= not (builder.ended or taken.too_many)
    taken.around = _around(body, b"--" + boundary)
    return taken


def _parser(boundary: bytes, builder: _Builder) -> MultipartParser:
    callbacks: MultipartCallbacks = {
        "on_part_begin": builder.part_begin,
        "on_part_data": builder.part_data,
        "on_header_field": builder.header_field,
        "on_header_value": builder.header_value,
        "on_header_end": builder.header_end,
        "on_end": builder.end,
    }
    parser = MultipartParser(
        boundary, callbacks, max_header_count=MAX_HEADERS, max_header_size=MAX_HEADER_BYTES
    )
    # The parser logs the bytes that it stumbles over; nothing of a request belongs in a log.
    parser.logger = _Silence()  # type: ignore[assignment]  # all that it calls is debug and warning
    return parser


def _around(body: bytes, delimiter: bytes) -> list[bytes]:
    """What stands before the first and after the last delimiter: no part, but text all the same."""
    before, _, _ = body.partition(delimiter)
    _, _, after = body.partition(delimiter + b"--")
    return [text for text in (before.strip(), after.strip()) if text]
