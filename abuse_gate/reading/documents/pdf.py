"""A PDF: its pages by pdfium, and everything that is on no page by a walk through its objects."""

import re
from collections.abc import Callable
from io import BytesIO
from itertools import islice
from typing import Any, Final

import pypdf
from pypdf.errors import DependencyError, FileNotDecryptedError
from pypdf.generic import (
    ArrayObject,
    ByteStringObject,
    DictionaryObject,
    IndirectObject,
    StreamObject,
    TextStringObject,
)

from abuse_gate.reading.documents.pdf_pages import HIDDEN, Pages, read_pages
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.xmltext import all_text

# Keys that carry text outside the pages, and the rule under which it is taken down.
TEXT_KEYS: Final[dict[str, str]] = {
    "/JS": "pdf:javascript",
    "/RC": "pdf:annotation",
    "/V": "pdf:form",
    "/DV": "pdf:form",
    "/TU": "pdf:form",
    "/Opt": "pdf:form",
    "/CA": "pdf:form",
    "/Alt": "pdf:alt_text",
    "/ActualText": "pdf:alt_text",
    "/E": "pdf:alt_text",
    "/URI": "pdf:link",
    "/Title": "pdf:outline",
    "/Desc": "pdf:attachment",
    "/UF": "pdf:attachment",
}
XML_KEYS: Final[dict[str, str]] = {"/Metadata": "pdf:metadata", "/XFA": "pdf:form"}
# What holds glyphs and colours instead of words.
PASSED_OVER: Final = frozenset({"/Font", "/ColorSpace", "/Shading"})
ACTIONS: Final = frozenset({"/Launch", "/SubmitForm", "/ImportData", "/GoToR", "/RichMedia"})
# The flags of an annotation that is hidden, or shown on no screen.
_UNSEEN: Final = 2 | 32

_DRAWN: Final = re.compile(rb"\(((?:[^()\\]|\\.)*+)\)")

Attach = Callable[[bytes], None]


def read_pdf(report: Report, data: bytes, attach: Attach) -> None:
    """Take down a PDF; `attach` is called with each embedded file."""
    layers: set[str] = set()
    pages: list[Any] = []
    try:
        reader = pypdf.PdfReader(BytesIO(data))
        if reader.is_encrypted:
            reader.decrypt("")
        layers = _off_layers(reader)
        _Walk(report, attach, layers).read(reader)
        pages = list(islice(reader.pages, report.limits.max_pages))
    except (DependencyError, FileNotDecryptedError):
        report.flags.add("encrypted")
    except Exception:  # noqa: BLE001 - whatever a damaged file makes the parser do
        report.flags.add("malformed")
    _reread(report, pages, read_pages(report, data, layers))


def _reread(report: Report, pages: list[Any], seen: Pages) -> None:
    """Read again, by a parser of the kind that apps use, what the first one made nothing of."""
    if len(pages) > seen.count:
        # Two parsers that count differently: an app may have pages that nobody is shown.
        report.flags.add("malformed")
    again = {*seen.collapsed, *range(seen.count, len(pages))}
    for number in sorted(again.intersection(range(len(pages)))):
        report.hide(HIDDEN, pages[number].extract_text())


def _off_layers(reader: pypdf.PdfReader) -> set[str]:
    """The names of the optional content that is not shown."""
    properties: Any = _plain(reader.root_object.get("/OCProperties"))
    if not isinstance(properties, DictionaryObject):
        return set()
    default = _dictionary(properties.get("/D"))
    off = {_layer_name(group) for group in _array(default.get("/OFF"))}
    if default.get("/BaseState") == "/OFF":
        on = {_layer_name(group) for group in _array(default.get("/ON"))}
        off |= {_layer_name(group) for group in _array(properties.get("/OCGs"))} - on
    return off


def _layer_name(group: Any) -> str:
    return str(_dictionary(group).get("/Name", ""))


def _plain(value: Any) -> Any:
    return value.get_object() if isinstance(value, IndirectObject) else value


def _dictionary(value: Any) -> DictionaryObject:
    found = _plain(value)
    return found if isinstance(found, DictionaryObject) else DictionaryObject()


def _array(value: Any) -> list[Any]:
    found = _plain(value)
    return list(found) if isinstance(found, ArrayObject) else []


class _Walk:
    """One walk through the objects of a file, each visited once."""

    def __init__(self, report: Report, attach: Attach, off_layers: set[str]) -> None:
        self._report = report
        self._attach = attach
        self._off = off_layers
        self._seen: set[int] = set()
        self._stack: list[Any] = []

    def read(self, reader: pypdf.PdfReader) -> None:
        """Take down what the document information says, then all that the catalogue reaches."""
        for value in _dictionary(reader.trailer.get("/Info")).values():
            self._report.hide("pdf:metadata", _text(value))
        self._stack.append(reader.root_object)
        left = self._report.limits.max_objects
        while self._stack and left:
            left -= 1
            self._visit(self._stack.pop())
        if self._stack:
            self._report.flags.add("truncated")

    def _visit(self, value: Any) -> None:
        if isinstance(value, IndirectObject):
            if value.idnum in self._seen:
                return
            self._seen.add(value.idnum)
            value = value.get_object()
        if isinstance(value, ArrayObject):
            self._stack += [item for item in value if _is_branch(item)]
            self._report.hide("pdf:metadata", "\n".join(filter(_has_words, map(_string, value))))
        elif isinstance(value, DictionaryObject):
            self._dictionary(value)

    def _dictionary(self, holder: DictionaryObject) -> None:
        self._unusual(holder)
        for key, value in holder.items():
            if key in PASSED_OVER:
                continue
            if key in TEXT_KEYS:
                self._report.hide(TEXT_KEYS[key], _text(value))
            elif key in XML_KEYS:
                self._xml(XML_KEYS[key], value)
            elif key == "/EF":
                self._embedded(_dictionary(value))
                continue
            elif _has_words(_string(value)) and (key, "/Rect" in holder) != ("/Contents", True):
                self._report.hide("pdf:metadata", _string(value))
            if _is_branch(value):
                self._stack.append(value)

    def _unusual(self, holder: DictionaryObject) -> None:
        """What the dictionary is as a whole: a note, an action, something on a hidden layer."""
        if "/Rect" in holder and "/Subtype" in holder:
            unseen = int(_number(holder.get("/F"))) & _UNSEEN
            self._report.hide(
                HIDDEN if unseen else "pdf:annotation", _text(holder.get("/Contents", ""))
            )
            if unseen:
                self._appearance(_plain(_dictionary(holder.get("/AP")).get("/N")))
        if holder.get("/S") in ACTIONS:
            self._report.fire("pdf:action")
        if ("/OC" in holder and self._is_off(holder["/OC"])) or self._is_off_member(holder):
            self._report.fire(HIDDEN)
            self._report.count("layer")

    def _appearance(self, drawn: Any) -> None:
        """The strings that a note would draw if it were shown."""
        if isinstance(drawn, StreamObject):
            found = _DRAWN.findall(self._data(drawn))
            self._report.hide(HIDDEN, " ".join(text.decode("latin-1") for text in found))

    def _is_off(self, layer: Any) -> bool:
        return _layer_name(layer) in self._off or self._is_off_member(_dictionary(layer))

    def _is_off_member(self, holder: DictionaryObject) -> bool:
        """Whether a membership names only layers that are off."""
        if holder.get("/Type") != "/OCMD":
            return False
        groups = _array(holder.get("/OCGs")) or [holder.get("/OCGs")]
        return all(_layer_name(group) in self._off for group in groups)

    def _xml(self, rule: str, value: Any) -> None:
        found = _plain(value)
        streams = [found, *map(_plain, _array(found))]
        for stream in streams:
            if isinstance(stream, StreamObject):
                self._report.hide(rule, all_text(self._report, self._data(stream)))

    def _embedded(self, files: DictionaryObject) -> None:
        for stream in {id(found): found for found in map(_plain, files.values())}.values():
            if isinstance(stream, StreamObject):
                self._report.fire("pdf:attachment")
                self._attach(self._data(stream))

    def _data(self, stream: StreamObject) -> bytes:
        data = bytes(stream.get_data())
        self._report.room.inflated -= len(data)
        if self._report.room.inflated >= 0:
            return data
        self._report.flags.add("truncated")
        return b""


def _is_branch(value: Any) -> bool:
    return isinstance(value, IndirectObject | ArrayObject | DictionaryObject)


def _string(value: Any) -> str:
    """A string that stands here itself; names, streams and what is pointed to are none."""
    if isinstance(value, TextStringObject):
        return str(value)
    return value.decode("utf-8", "replace") if isinstance(value, ByteStringObject) else ""


def _has_words(text: str) -> bool:
    return " " in text.strip()


def _number(value: Any) -> float:
    found = _plain(value)
    return found if isinstance(found, int | float) else 0


def _text(value: Any) -> str:
    """The words of a string, of a stream of script, or of a list of strings; a name is a word."""
    found = _plain(value)
    if isinstance(found, StreamObject):
        return bytes(found.get_data()).decode("utf-8", "replace")
    if isinstance(found, ArrayObject):
        return "\n".join(_text(item) for item in found if not _is_branch(item))
    if isinstance(found, bytes):
        return found.decode("utf-8", "replace")
    return found if isinstance(found, str) else ""
