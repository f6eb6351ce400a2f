"""An OpenDocument file: its words by the styles that show or hide them, notes and properties."""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.archive import Archive
from abuse_gate.reading.documents.css import hides
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


class _Styles(Handler):
    """The names of the styles that show nothing."""

    def __init__(self) -> None:
        self.unseen: set[str] = set()
        self._name = ""

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """A style and its properties."""
        if name == "style":
            self._name = attributes.get("name", "")
        elif name.endswith("-properties") and hides("", attributes):
            self.unseen.add(self._name)


class _Content(Handler):
    """The text of one part."""

    def __init__(self, report: Report, unseen: set[str]) -> None:
        self._report = report
        self._unseen = unseen
        self._rules: list[str] = [""]

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """An element is apart by its kind or hidden by its style, or by one around it."""
        rule = APART.get(name, "")
        if attributes.get("style-name", "") in self._unseen or _undisplayed(attributes):
            rule = HIDDEN
        self._rules.append(rule or self._rules[-1])
        if name == "p":
            self._report.count("lines_scanned")

    def end(self, _name: str, /) -> None:
        """Back to what is around."""
        self._rules.pop()

    def text(self, text: str, /) -> None:
        """Words go where the elements around them say."""
        if self._rules[-1]:
            if self._rules[-1] == HIDDEN:
                self._report.count("spans_count")
            self._report.hide(self._rules[-1], text)
        else:
            self._report.show(text.strip())


def _undisplayed(attributes: Mapping[str, str]) -> bool:
    return attributes.get("display") == "none" or attributes.get("visibility") == "collapse"


def read_odt(report: Report, archive: Archive) -> None:
    """Take down the words of an OpenDocument text, sheet or presentation."""
    parts = {name: archive.read(name) for name in ("styles.xml", "content.xml")}
    styles = _Styles()
    for data in filter(None, parts.values()):
        walk_xml(report, data, styles)
    for data in filter(None, parts.values()):
        walk_xml(report, data, _Content(report, styles.unseen))
    meta = archive.read("meta.xml")
    if meta:
        report.hide("odt:properties", all_text(report, meta))
