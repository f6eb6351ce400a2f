"""A workbook: the words of its cells, and which of them stand in hidden places or colours."""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.archive import Archive
from abuse_gate.reading.documents.colours import read_theme
from abuse_gate.reading.documents.docx import read_beside
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.sheetlook import Looks, number_of
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


class _Strings(Handler):
    """The table of strings that cells point into, and which of them no cell has asked for."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._asked: set[int] = set()
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

    def ask(self, index: str) -> str:
        """The string that a cell points to."""
        number = int(number_of(index)) if index.strip() else -1
        if not 0 <= number < len(self.found):
            return ""
        self._asked.add(number)
        return self.found[number]

    @property
    def unused(self) -> str:
        """The strings that stand in no cell that we know of."""
        left = (text for index, text in enumerate(self.found) if index not in self._asked)
        return "\n".join(left)


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


class _Cells(Handler):
    """The cells of one sheet."""

    def __init__(self, report: Report, strings: _Strings, looks: Looks, *, hidden: bool) -> None:
        self._report = report
        self._strings = strings
        self._looks = looks
        self._sheet_hidden = hidden
        self._columns: list[tuple[int, int]] = []
        self._row_hidden = False
        self._cell_hidden = False
        self._type = ""
        self._value: dict[str, list[str]] = {}
        self._row: list[tuple[bool, str]] = []
        self._in = ""

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Rows, columns and formats say which cells are shown."""
        self._in = name
        if name == "col" and _unseen(attributes, "width"):
            low, high = (int(number_of(attributes.get(key, ""))) for key in ("min", "max"))
            self._columns.append((low, high))
        elif name == "row":
            self._row_hidden = _unseen(attributes, "ht")
            self._report.count("lines_scanned")
        elif name == "c":
            self._cell(attributes)
        else:
            self._report.hide("xlsx:header", "\n".join(v for v in attributes.values() if " " in v))

    def _cell(self, attributes: Mapping[str, str]) -> None:
        self._value = {}
        self._type = attributes.get("t", "")
        style = int(number_of(attributes.get("s", "")))
        column = _column(attributes.get("r", ""))
        away = any(low <= column <= high for low, high in self._columns)
        self._cell_hidden = away or style in self._looks.unseen

    def text(self, text: str, /) -> None:
        """A value, a formula or a string in place."""
        if self._in in {"v", "f", "t"}:
            self._value.setdefault(self._in, []).append(text)
        elif self._in.startswith(("odd", "even", "first", "formula")):
            self._report.hide("xlsx:header", text)

    def end(self, name: str, /) -> None:
        """A cell or a row is complete."""
        self._in = ""
        if name == "row":
            self._end_row()
        elif name == "c":
            self._end_cell()

    def _end_cell(self) -> None:
        said = {key: "".join(pieces) for key, pieces in self._value.items()}
        if self._type == "s" and "v" in said:
            said["v"] = self._strings.ask(said["v"])
        value = "\n".join(filter(None, said.values()))
        if not value:
            return
        hidden = self._sheet_hidden or self._row_hidden or self._cell_hidden
        self._row.append((hidden, value))
        if hidden:
            self._report.count("spans_count")
            self._report.hide(HIDDEN, value)
        else:
            self._report.show(value)

    def _end_row(self) -> None:
        """A row of which a part is hidden is read as a whole, too: programs see no hiding."""
        if len({hidden for hidden, _ in self._row}) > 1:
            self._report.mix(" ".join(value for _, value in self._row))
        self._row = []


def _unseen(attributes: Mapping[str, str], size: str) -> bool:
    nothing = size in attributes and number_of(attributes[size]) == 0
    return attributes.get("hidden") in {"1", "true"} or nothing


def _column(reference: str) -> int:
    number = 0
    for letter in reference[:3]:
        if "A" <= letter <= "Z":
            number = number * 26 + ord(letter) - ord("A") + 1
    return number


def read_xlsx(report: Report, archive: Archive) -> None:
    """Take down the words of a workbook."""
    strings, sheets, relations = _Strings(), _Sheets(report), _Relations()
    looks = Looks(read_theme(report, archive, "xl/theme/"))
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
        cells = _Cells(report, strings, looks, hidden=name in hidden)
        walk_xml(report, archive.read(name), cells)
    report.hide("xlsx:part", strings.unused)
    read_beside(report, archive, BESIDE)
