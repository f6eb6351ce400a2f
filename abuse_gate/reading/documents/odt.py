"""An OpenDocument file: its words by the styles that show or hide them, notes and properties."""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.archive import Archive
from abuse_gate.reading.documents.css import hides
from abuse_gate.reading.documents.lines import Lines
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.xmltext import Handler, all_text, walk_xml

HIDDEN: Final = "odt:hidden"
# Elements whose words stand beside the text.
APART: Final[Mapping[str, str]] = {
    "annotation": "odt:comment",
    "note": "odt:note",
    "tracked-changes": "odt:tracked",
    "desc": "odt:alt_text",
    "hidden-text": HIDDEN,
    "hidden-paragraph": HIDDEN,
    "script": "odt:script",
}


_LINES: Final = frozenset({"p", "h", "table-cell", "list-item"})
_BLANKS: Final = frozenset({"s", "tab", "line-break"})
# Attributes whose blanks part no words.
_NAMES: Final = frozenset({"font-family", "class", "d", "viewBox", "points", "stroke-dash-names"})


class _Styles(Handler):
    """The names of the styles that show nothing."""

    def __init__(self) -> None:
        self.unseen: set[str] = set()
        self._name = ""

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """A style and its properties."""
        if name in {"style", "default-style"}:
            self._name = attributes.get("name", "\0")
            if attributes.get("parent-style-name", "") in self.unseen:
                self.unseen.add(self._name)
        elif name.endswith("-properties") and (hides("", attributes) or _undisplayed(attributes)):
            self.unseen.add(self._name)


class _Content(Handler):
    """The text of one part."""

    def __init__(self, report: Report, unseen: set[str]) -> None:
        self._report = report
        self._unseen = unseen
        self._rules: list[str] = [""]
        self.lines = Lines()

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """An element is apart by its kind or hidden by its style, or by one around it."""
        rule = APART.get(name, "")
        if attributes.get("style-name", "") in self._unseen or _undisplayed(attributes):
            rule = HIDDEN
        self._rules.append(rule or self._rules[-1])
        if name == "p":
            self._report.count("lines_scanned")
        elif name in _BLANKS:
            self.text(" ")
        said = (value for key, value in attributes.items() if " " in value and key not in _NAMES)
        self._report.hide("odt:part", "\n".join(said))

    def end(self, name: str, /) -> None:
        """Back to what is around."""
        self._rules.pop()
        if name in _LINES:
            self.lines.end_line()

    def text(self, text: str, /) -> None:
        """Words go where the elements around them say."""
        if not self._rules[-1]:
            self.lines.add("shown", text)
        elif self._rules[-1] == HIDDEN:
            self._report.count("spans_count")
            self.lines.add("hidden", text)
        else:
            self._report.hide(self._rules[-1], text)


def _undisplayed(attributes: Mapping[str, str]) -> bool:
    unseen = attributes.get("display") in {"none", "false"}
    return unseen or attributes.get("visibility") in {"collapse", "filter"}


def read_odt(report: Report, archive: Archive) -> None:
    """Take down the words of an OpenDocument text, sheet or presentation."""
    parts = {name: archive.read(name) for name in ("styles.xml", "content.xml")}
    styles = _Styles()
    for data in filter(None, parts.values()):
        walk_xml(report, data, styles)
    for data in filter(None, parts.values()):
        content = _Content(report, styles.unseen)
        walk_xml(report, data, content)
        report.show(content.lines.side("shown"))
        report.hide(HIDDEN, content.lines.side("hidden"))
        report.mix(content.lines.mixed())
    meta = archive.read("meta.xml")
    if meta:
        report.hide("odt:properties", all_text(report, meta))
