"""A word-processing document: its words, those nobody sees, and the parts beside the text."""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.archive import Archive
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.wordstyle import Look, Styles, changed, read_styles
from abuse_gate.reading.documents.xmltext import Handler, all_text, walk_xml

HIDDEN: Final = "docx:hidden"

# Parts with running text by how their names start, and the rule for what they say.
STORIES: Final[tuple[tuple[str, str], ...]] = (
    ("word/document", ""),
    ("word/header", "docx:header"),
    ("word/footer", "docx:header"),
    ("word/footnotes", "docx:note"),
    ("word/endnotes", "docx:note"),
    ("word/comments", "docx:comment"),
    ("word/glossary/document", "docx:glossary"),
)
# Parts of any schema, read for every string in them.
BESIDE: Final[tuple[tuple[str, str], ...]] = (
    ("customXml/", "docx:custom_xml"),
    ("docProps/", "docx:properties"),
    ("word/charts/", "docx:chart"),
    ("word/diagrams/data", "docx:chart"),
)
_WORDS: Final = frozenset({"t", "delText", "instrText", "delInstrText"})
_BREAKS: Final = frozenset({"p", "br", "tab", "cr", "tr"})
_ALT: Final = ("descr", "title")


class Story(Handler):
    """One part's runs, each to the shown or to the hidden side."""

    def __init__(self, report: Report, styles: Styles, rule: str) -> None:
        self._report = report
        self._styles = styles
        self._rule = rule
        self._cell = Look()
        self._paragraph = Look()
        self._run = Look()
        self._in: list[str] = []
        self._deleted = 0
        self._shown: list[str] = []
        self._hidden: list[str] = []
        self._struck: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Properties change the look of the innermost cell, paragraph or run."""
        parent = self._in[-1] if self._in else ""
        self._in.append(name)
        if name in {"del", "moveFrom"} and parent != "rPr":
            self._deleted += 1
        elif name in {"docPr", "cNvPr"}:
            self._alt(attributes)
        elif name in {"tc", "p", "r"}:
            self._opens(name)
        elif name == "pStyle":
            self._paragraph = self._styles.look(attributes.get("val", "")).over(self._paragraph)
        elif name == "rStyle":
            self._run = self._styles.look(attributes.get("val", "")).over(self._run)
        elif parent == "tcPr":
            self._cell = changed(self._cell, name, attributes)
        elif parent == "pPr":
            self._paragraph = changed(self._paragraph, name, attributes)
        elif parent == "rPr" and "r" in self._in[-3:]:
            self._run = changed(self._run, name, attributes)

    def _opens(self, name: str) -> None:
        if name == "tc":
            self._cell = Look()
        elif name == "p":
            self._paragraph = Look()
            self._report.count("lines_scanned")
        else:
            self._run = Look()

    def end(self, name: str, /) -> None:
        """A paragraph's end is a line's end."""
        self._in.pop()
        if name in {"del", "moveFrom"} and (not self._in or self._in[-1] != "rPr"):
            self._deleted -= 1
        if name in _BREAKS:
            for side in (self._shown, self._hidden, self._struck):
                if side and side[-1] != "\n":
                    side.append("\n")
        if name == "tc":
            self._cell = Look()

    def text(self, text: str, /) -> None:
        """Words go where their look says."""
        if not self._in or self._in[-1] not in _WORDS:
            return
        look = self._run.over(self._paragraph).over(self._cell)
        if look.hidden:
            self._report.count("spans_count")
            self._hidden.append(text)
        elif self._deleted or self._in[-1] != "t":
            self._struck.append(text)
        else:
            self._shown.append(text)

    def close(self) -> None:
        """Hand everything to the report."""
        shown = "".join(self._shown)
        if self._rule:
            self._report.hide(self._rule, shown)
        else:
            self._report.show(shown)
        self._report.hide(HIDDEN, "".join(self._hidden))
        self._report.hide("docx:tracked", "".join(self._struck))

    def _alt(self, attributes: Mapping[str, str]) -> None:
        for key in _ALT:
            self._report.hide("docx:alt_text", attributes.get(key, ""))


def read_docx(report: Report, archive: Archive) -> None:
    """Take down every part of a document that carries words."""
    styles = read_styles(report, archive.read("word/styles.xml"))
    for start, rule in STORIES:
        for name in archive.names(start, ".xml"):
            story = Story(report, styles, rule)
            walk_xml(report, archive.read(name), story)
            story.close()
    read_beside(report, archive, BESIDE)


def read_beside(report: Report, archive: Archive, parts: tuple[tuple[str, str], ...]) -> None:
    """Take down every string of the parts whose names start like this."""
    for start, rule in parts:
        for name in archive.names(start, ".xml"):
            data = archive.read(name)
            if data:
                report.hide(rule, all_text(report, data))
