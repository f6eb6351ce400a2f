"""XML as a stream of events, with no tree, no entities, no outside references and bounded depth."""

from collections.abc import Callable, Mapping
from typing import Final
from xml.parsers import expat

from abuse_gate.reading.documents.report import Report

Start = Callable[[str, Mapping[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]


# Names of vocabularies: every office document is full of them.
_SCHEMAS: Final = (
    "http://schemas.openxmlformats.org/",
    "http://schemas.microsoft.com/",
    "http://purl.org/",
    "http://www.w3.org/",
    "http://purl.oclc.org/ooxml/",
    "urn:schemas-microsoft-com:",
)


class _Refused(Exception):
    """The XML asks for something that no honest document needs."""


class Handler:
    """What a reader overrides; names come without their namespace."""

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """An element opens."""

    def end(self, name: str, /) -> None:
        """An element closes."""

    def text(self, text: str, /) -> None:
        """Characters inside the current element."""


def local(name: str) -> str:
    """A name without its namespace or prefix."""
    return name.rpartition(" ")[2].rpartition(":")[2]


def walk_xml(report: Report, data: bytes, handler: Handler) -> bool:
    """Feed a document to a handler; damage, entities and depth are flags, and then false."""
    parser = expat.ParserCreate(namespace_separator=" ")
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > report.limits.max_depth:
            report.flags.add("too_deep")
            raise _Refused
        handler.start(local(name), {local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(local(name))

    def refuse(*_: object) -> int:
        report.flags.add("malformed")
        report.fire("xml:entity")
        raise _Refused

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(data, True)
    except _Refused:
        return False
    except (expat.ExpatError, ValueError, LookupError):
        report.flags.add("malformed")
        return False
    return True


class _Everything(Handler):
    """Every text and every attribute value of a document."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def start(self, _name: str, attributes: Mapping[str, str], /) -> None:
        """Attribute values are text too."""
        self.found += attributes.values()

    def text(self, text: str, /) -> None:
        """Characters, blank ones left out."""
        if text.strip():
            self.found.append(text.strip())


def all_text(report: Report, data: bytes) -> str:
    """Every string of an XML document, whatever its schema; what was read before damage counts."""
    everything = _Everything()
    walk_xml(report, data, everything)
    return "\n".join(everything.found)


# Elements that end a line of text in any of the common vocabularies.
_LINES: Final = frozenset("p br tr row c si li td th div title item entry h1 h2 h3 text".split())  # noqa: SIM905 - words


class _Spoken(Handler):
    """The words of a document glued as they stand, lines kept apart, and attributes with words."""

    def __init__(self) -> None:
        self.glued: list[str] = []
        self.said: list[str] = []

    def start(self, _name: str, attributes: Mapping[str, str], /) -> None:
        """A value of several words, or an address, is said; a name or a number is not."""
        self.said += [value for value in attributes.values() if " " in value or "://" in value]

    def end(self, name: str, /) -> None:
        """A line is over."""
        if name.lower() in _LINES:
            self.glued.append("\n")

    def text(self, text: str, /) -> None:
        """Characters as they stand."""
        self.glued.append(text)


def spoken(report: Report, data: bytes) -> str:
    """What an XML document of any vocabulary says, runs of one line put together again."""
    if not data:
        return ""
    handler = _Spoken()
    walk_xml(report, data, handler)
    said = [value for value in dict.fromkeys(handler.said) if not value.startswith(_SCHEMAS)]
    lines = (" ".join(line.split()) for line in "".join(handler.glued).split("\n"))
    return "\n".join([*filter(None, lines), *said])


def read_xml(report: Report, data: bytes) -> None:
    """Take down an XML file as a parser would hand it on."""
    report.mix(spoken(report, data))
