"""A workbook: the words of its cells, and which of them stand in hidden places or colours."""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.archive import Archive
from abuse_gate.reading.documents.docx import read_beside
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.xmltext import Handler, walk_xml

HIDDEN: Final = "xlsx:hidden"
BESIDE: Final[tuple[tuple[str, str], ...]] = (
    ("xl/comments", "xlsx:comment"),
    ("xl/threadedComments/", "xlsx:comment"),
    ("xl/drawings/", "xlsx:drawing"),
    ("xl/charts/", "xlsx:chart"),
    ("customXml/", "xlsx:custom_xml"),
    ("docProps/", "xlsx:properties"),
)
_WHITE: Final = frozenset({"ffffffff", "00ffffff"})
# The number format that shows nothing.
_BLANK_FORMAT: Final = ";;;"
_TINY_POINTS: Final = 2.0


class _Strings(Handler):
    """The table of strings that cells point into."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._parts: list[str] = []
        self._in_text = False

    def start(self, name: str, _attributes: Mapping[str, str], /) -> None:
        """A new string, or a run of one."""
        if name == "si":
            self._parts = []
        self._in_text = name == "t"

    def end(self, name: str, /) -> None:
        """A string is complete."""
        self._in_text = False
        if name == "si":
            self.found.append("".join(self._parts))

    def text(self, text: str, /) -> None:
        """Characters of a run."""
        if self._in_text:
            self._parts.append(text)


class _Sheets(Handler):
    """Which sheets are hidden, by the id of their part; names and formulas of defined names."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.hidden: set[str] = set()
        self._named = False

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """A sheet says itself whether it is shown."""
        self._named = name == "definedName"
        if name == "sheet":
            self._report.show(attributes.get("name", ""))
            if attributes.get("state", "visible") != "visible":
                self.hidden.add(attributes.get("id", ""))

    def text(self, text: str, /) -> None:
        """What a defined name stands for."""
        if self._named:
            self._report.hide("xlsx:defined_name", text)


class _Relations(Handler):
    """The part behind each relation's id."""

    def __init__(self) -> None:
        self.target: dict[str, str] = {}

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """One relation."""
        if name == "Relationship":
            target = attributes.get("Target", "").lstrip("/")
            path = target if target.startswith("xl/") else f"xl/{target}"
            self.target[attributes.get("Id", "")] = path


class _Looks(Handler):
    """Which cell formats show nothing: white on nothing, tiny, or a blank number format."""

    def __init__(self) -> None:
        self.unseen: set[int] = set()
        self._fonts: list[bool] = []
        self._fills: list[bool] = []
        self._blank: set[str] = set()
        self._in: list[str] = []
        self._formats = 0

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Fonts, fills and formats come in that order, each list before the one that uses it."""
        around = self._in[-1] if self._in else ""
        self._in.append(name)
        if name == "numFmt" and attributes.get("formatCode", "").startswith(_BLANK_FORMAT):
            self._blank.add(attributes.get("numFmtId", ""))
        elif name == "font" and around == "fonts":
            self._fonts.append(False)
        elif name == "fill" and around == "fills":
            self._fills.append(False)
        elif around == "font":
            self._font(name, attributes)
        elif name == "fgColor" and self._fills:
            self._fills[-1] = attributes.get("rgb", "").lower() not in _WHITE
        elif name == "xf" and around == "cellXfs":
            self._format(attributes)

    def end(self, _name: str, /) -> None:
        """Back to what is around."""
        self._in.pop()

    def _font(self, name: str, attributes: Mapping[str, str]) -> None:
        if not self._fonts:
            return
        white = attributes.get("rgb", "").lower() in _WHITE or attributes.get("theme") == "0"
        tiny = name == "sz" and _number(attributes.get("val", "")) < _TINY_POINTS
        self._fonts[-1] |= tiny or (name == "color" and white)

    def _format(self, attributes: Mapping[str, str]) -> None:
        font, fill = attributes.get("fontId", ""), attributes.get("fillId", "")
        pale = _at(self._fonts, font) and not _at(self._fills, fill)
        if pale or attributes.get("numFmtId") in self._blank:
            self.unseen.add(self._formats)
        self._formats += 1


class _Cells(Handler):
    """The cells of one sheet."""

    def __init__(
        self, report: Report, strings: list[str], unseen: set[int], *, hidden: bool
    ) -> None:
        self._report = report
        self._strings = strings
        self._unseen = unseen
        self._sheet_hidden = hidden
        self._columns: set[int] = set()
        self._row_hidden = False
        self._cell_hidden = False
        self._type = ""
        self._value: list[str] = []
        self._in = ""

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Rows, columns and formats say which cells are shown."""
        self._in = name
        hidden = attributes.get("hidden") in {"1", "true"}
        if name == "col" and hidden:
            low, high = (int(_number(attributes.get(key, ""))) for key in ("min", "max"))
            self._columns |= set(range(low, min(high, low + 1000) + 1))
        elif name == "row":
            self._row_hidden = hidden
            self._report.count("lines_scanned")
        elif name == "c":
            self._value = []
            self._type = attributes.get("t", "")
            style = int(_number(attributes.get("s", "")))
            column = _column(attributes.get("r", ""))
            self._cell_hidden = style in self._unseen or column in self._columns

    def text(self, text: str, /) -> None:
        """A value, a formula or a string in place."""
        if self._in in {"v", "f", "t"}:
            self._value.append(text)
        elif self._in.startswith(("odd", "even", "first", "formula")):
            self._report.hide("xlsx:header", text)

    def end(self, name: str, /) -> None:
        """A cell is complete."""
        self._in = ""
        if name != "c" or not self._value:
            return
        value = "".join(self._value)
        if self._type == "s":
            value = self._string(value)
        if self._sheet_hidden or self._row_hidden or self._cell_hidden:
            self._report.count("spans_count")
            self._report.hide(HIDDEN, value)
        else:
            self._report.show(value)

    def _string(self, value: str) -> str:
        return self._strings[int(value)] if _at_all(self._strings, value) else ""


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _at_all(items: list[str], index: str) -> bool:
    return index.isdecimal() and int(index) < len(items)


def _at(items: list[bool], index: str) -> bool:
    return index.isdecimal() and int(index) < len(items) and items[int(index)]


def _column(reference: str) -> int:
    number = 0
    for letter in reference[:3]:
        if "A" <= letter <= "Z":
            number = number * 26 + ord(letter) - ord("A") + 1
    return number


def read_xlsx(report: Report, archive: Archive) -> None:
    """Take down the words of a workbook."""
    strings, sheets, relations, looks = _Strings(), _Sheets(report), _Relations(), _Looks()
    for part, handler in (
        ("xl/sharedStrings.xml", strings),
        ("xl/workbook.xml", sheets),
        ("xl/_rels/workbook.xml.rels", relations),
        ("xl/styles.xml", looks),
    ):
        data = archive.read(part)
        if data:
            walk_xml(report, data, handler)
    hidden = {relations.target.get(sheet, "") for sheet in sheets.hidden}
    for name in archive.names("xl/worksheets/", ".xml"):
        cells = _Cells(report, strings.found, looks.unseen, hidden=name in hidden)
        walk_xml(report, archive.read(name), cells)
    read_beside(report, archive, BESIDE)
