"""A word-processing document: its words, those nobody sees, and the parts beside the text."""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.archive import Archive
from abuse_gate.reading.documents.colours import read_theme, rgb
from abuse_gate.reading.documents.lines import Lines
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
_PROPERTIES: Final = frozenset({"tcPr", "pPr", "rPr", "textFill", "solidFill", "srgbClr"})
# What carries no words although its values have blanks in them.
_WORDLESS: Final = frozenset({"rFonts", "shapetype", "f", "formulas", "path", "lang"})
_STYLE_KEYS: Final = frozenset({"style", "path", "coordsize", "adj", "Ignorable", "Requires"})
_ALT: Final = frozenset({"descr", "title", "alt", "string", "instr", "tooltip"})
# The runs that the plainest parser hands on: those of a paragraph itself, or of a link in it.
_PLAIN: Final = (("p", "r"), ("p", "hyperlink", "r"))


class Story(Handler):
    """One part's runs, each to the shown or to the hidden side."""

    def __init__(self, report: Report, styles: Styles, rule: str) -> None:
        self._report = report
        self._styles = styles
        self._rule = rule
        self._page = Look()
        self._cell = Look()
        self._paragraph = styles.plain
        self._run = Look()
        self._in: list[str] = []
        self._deleted = 0
        self._unseen_shapes: list[int] = []
        self._lines = Lines()

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Properties change the look of the innermost cell, paragraph or run."""
        parent = self._in[-1] if self._in else ""
        self._in.append(name)
        if parent in _PROPERTIES or name in {"pStyle", "rStyle"}:
            self._property(parent, name, attributes)
        elif name in {"del", "moveFrom"}:
            self._deleted += 1
        elif name in {"tc", "p", "r"}:
            self._opens(name)
        elif name == "background":
            self._page = Look(ground=rgb(attributes.get("color", "")))
        self._spoken(name, attributes)

    def _property(self, parent: str, name: str, attributes: Mapping[str, str]) -> None:
        theme = self._styles.theme
        if name == "pStyle":
            named = self._styles.look(attributes.get("val", ""))
            self._paragraph = named.over(self._paragraph)
        elif name == "rStyle":
            self._run = self._styles.look(attributes.get("val", "")).over(self._run)
        elif parent == "tcPr":
            self._cell = changed(self._cell, name, attributes, theme)
        elif parent == "pPr":
            self._paragraph = changed(self._paragraph, name, attributes, theme)
        elif name == "noFill" and parent == "textFill":
            self._run = changed(self._run, "vanish", {}, theme)
        elif "r" in self._in[-6:] and (parent == "rPr" or name == "alpha"):
            self._run = changed(self._run, name, attributes, theme)

    def _opens(self, name: str) -> None:
        if name == "tc":
            self._cell = Look()
        elif name == "p":
            self._paragraph = self._styles.plain
            self._report.count("lines_scanned")
        else:
            self._run = Look()

    def _spoken(self, name: str, attributes: Mapping[str, str]) -> None:
        """Words in attributes: alternative texts, field codes, tips, names that say something."""
        if name in _WORDLESS:
            return
        for key, value in attributes.items():
            if key in _ALT or (" " in value and key not in _STYLE_KEYS):
                self._report.hide("docx:alt_text", value)
        if name == "docPr" and attributes.get("hidden") in {"1", "true", "on"}:
            self._unseen_shapes.append(len(self._in) - 1)

    def end(self, name: str, /) -> None:
        """A paragraph's end is a line's end."""
        self._in.pop()
        if name in {"del", "moveFrom"} and (not self._in or self._in[-1] not in _PROPERTIES):
            self._deleted -= 1
        if self._unseen_shapes and len(self._in) < self._unseen_shapes[-1]:
            self._unseen_shapes.pop()
        if name in _BREAKS:
            self._lines.end_line()
        if name == "tc":
            self._cell = Look()

    def text(self, text: str, /) -> None:
        """Words go where their look says."""
        if not self._in or self._in[-1] not in _WORDS:
            return
        look = self._run.over(self._paragraph).over(self._cell).over(self._page)
        plain = self._in[-1] == "t" and self._is_plain()
        if look.hidden or self._unseen_shapes:
            self._report.count("spans_count")
            self._lines.add("hidden", text, plain=plain)
        elif self._deleted or self._in[-1] != "t":
            self._lines.add("struck", text, plain=plain)
        else:
            self._lines.add("shown", text, plain=plain)

    def _is_plain(self) -> bool:
        return any(tuple(self._in[-1 - len(way) : -1]) == way for way in _PLAIN)

    def close(self) -> None:
        """Hand everything to the report."""
        shown = self._lines.side("shown")
        if self._rule:
            self._report.hide(self._rule, shown)
        else:
            self._report.show(shown)
        self._report.hide(HIDDEN, self._lines.side("hidden"))
        self._report.hide("docx:tracked", self._lines.side("struck"))
        self._report.mix(self._lines.mixed())


def read_docx(report: Report, archive: Archive) -> None:
    """Take down every part of a document that carries words."""
    theme = read_theme(report, archive, "word/theme/")
    styles = read_styles(report, archive.read("word/styles.xml"), theme)
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
