"""HTML: what a browser would show, and what it would not."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final

from abuse_gate.reading.charset import codec_for, plain_text, strict
from abuse_gate.reading.documents.css import declarations, hides, sheet
from abuse_gate.reading.documents.lines import Lines
from abuse_gate.reading.documents.report import Report

VOID: Final = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905 - as below
)
# Elements whose words a browser does not show, and the rule that they fall under.
UNSHOWN: Final[Mapping[str, str]] = {
    "script": "html:script",
    "style": "html:style",
    "template": "html:hidden",
    "noscript": "html:fallback",
    "noframes": "html:fallback",
    "title": "html:title",
}
INLINE: Final = frozenset(
    """
    a abbr b bdi bdo big cite code em font i kbd mark q s samp small span strike strong sub sup
    tt u var wbr
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
# Attributes that carry words.
WORDY: Final = ("alt", "title", "aria-label", "placeholder", "content", "summary", "label")
# Attributes whose blanks part no words.
WORDLESS: Final = frozenset(
    "class style d points viewbox transform media sizes srcset rel sandbox".split()  # noqa: SIM905 - as above
)
# Looks that are attributes of their own, and the property that each stands for.
OLD_STYLES: Final = (("color", "color"), ("text", "color"), ("bgcolor", "background-color"))
_CHARSET: Final = re.compile(
    rb"<meta[^>]{0,200}charset\s{0,4}=\s{0,4}[\"']?([\w:.-]{1,40})", re.IGNORECASE
)
_HEAD: Final = 4096
MAX_OPEN: Final = 500


@dataclass(frozen=True, slots=True)
class _Open:
    """One open element: the rule that hides it, and the background that it inherits."""

    tag: str
    rule: str
    background: str


class _Page(HTMLParser):
    """Sorts the words of a page by whether any element around them is hidden."""

    # A parser that knows no styles reads these as one text.
    _SAID: Final = frozenset({"", "html:hidden", "html:fallback"})

    def __init__(self, report: Report, styles: Mapping[str, str]) -> None:
        super().__init__(convert_charrefs=True)
        self._report = report
        self._styles = styles
        self._open: list[_Open] = [_Open("", "", "")]
        # Words by the rule that hides them; tags inside a line do not part them.
        self._runs: dict[str, list[str]] = {}
        self._lines = Lines()

    def conclude(self) -> None:
        """Hand everything to the report."""
        self.close()
        for rule, pieces in self._runs.items():
            lines = (" ".join(line.split()) for line in "".join(pieces).split("\0"))
            text = "\n".join(filter(None, lines))
            if rule:
                self._report.hide(rule, text)
            else:
                self._report.show(text)
        mixed = self._lines.mixed().split("\n")
        self._report.mix("\n".join(filter(None, (" ".join(line.split()) for line in mixed))))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._part(tag)
        attributes = {key: value or "" for key, value in attrs}
        opened = self._opened(tag, attributes)
        self._attributes(tag, attributes, opened.rule)
        if tag in VOID:
            return
        if len(self._open) > MAX_OPEN:
            self._report.flags.add("too_deep")
        else:
            self._open.append(opened)

    def handle_endtag(self, tag: str) -> None:
        self._part(tag)
        for index in range(len(self._open) - 1, 0, -1):
            if self._open[index].tag == tag:
                del self._open[index:]
                return

    def handle_data(self, data: str) -> None:
        rule = self._open[-1].rule
        self._runs.setdefault(rule, []).append(data)
        if rule in self._SAID:
            self._lines.add("hidden" if rule else "shown", data.replace("\n", " "))
        if rule == "html:hidden" and data.strip():
            self._report.count("spans_count")

    def _part(self, tag: str) -> None:
        """Anything but a tag inside a line ends the line, for what is shown and what is not."""
        if tag not in INLINE:
            self._lines.end_line()
            for pieces in self._runs.values():
                pieces.append("\0")

    def handle_comment(self, data: str) -> None:
        self._hide("html:comment", data)

    def unknown_decl(self, data: str) -> None:
        self._hide("html:comment", data)

    def handle_pi(self, data: str) -> None:
        self._hide("html:comment", data)

    def _hide(self, rule: str, text: str) -> None:
        self._report.hide(rule, text)

    def _opened(self, tag: str, attributes: Mapping[str, str]) -> _Open:
        outer = self._open[-1]
        style = ";".join(
            [
                *(f"{name}:{attributes[key]}" for key, name in OLD_STYLES if key in attributes),
                *self._sheet_styles(tag, attributes),
                attributes.get("style", ""),
            ]
        )
        own = declarations(style)
        background = own.get("background-color") or own.get("background") or outer.background
        if tag in UNSHOWN:
            return _Open(tag, outer.rule or UNSHOWN[tag], background)
        hidden = "hidden" in attributes or hides(style, {"background-color": background})
        # Without a colour of its own behind it, a white word is judged on a white page.
        return _Open(tag, outer.rule or ("html:hidden" if hidden else ""), background)

    def _sheet_styles(self, tag: str, attributes: Mapping[str, str]) -> list[str]:
        names = [tag, *(f".{name}" for name in attributes.get("class", "").lower().split())]
        names.append(f"#{attributes.get('id', '').lower()}")
        return [self._styles[name] for name in names if name in self._styles]

    def _attributes(self, tag: str, attributes: Mapping[str, str], rule: str) -> None:
        for key, value in attributes.items():
            if key in WORDY or (" " in value and key not in WORDLESS):
                self._hide(rule or "html:attribute", value)
        if tag == "input":
            unseen = attributes.get("type", "").lower() == "hidden"
            self._hide("html:input" if unseen else "html:attribute", attributes.get("value", ""))


class _Sheets(HTMLParser):
    """Collects the style sheets of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            self.found.append(data)


def read_html(report: Report, data: bytes) -> None:
    """Take down a page's words, shown and hidden."""
    text = plain_text(data)
    if text is None:
        report.flags.add("malformed")
        text = data.decode("utf-8", "replace")
    for reading in dict.fromkeys((text, _declared(data) or text)):
        sheets = _Sheets()
        sheets.feed(reading)
        page = _Page(report, sheet("\n".join(sheets.found)))
        page.feed(reading)
        page.conclude()
    report.count("lines_scanned", text.count("\n") + 1)


def _declared(data: bytes) -> str | None:
    """The page in the charset that it declares itself, which a parser may prefer."""
    match = _CHARSET.search(data[:_HEAD])
    codec = None if match is None else codec_for(match[1].decode("ascii", "replace"))
    return None if codec is None else strict(data, codec)
