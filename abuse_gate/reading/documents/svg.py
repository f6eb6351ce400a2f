"""SVG: a picture whose words are markup. All of its text is read; what is not drawn is hidden."""

from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.css import hides
from abuse_gate.reading.documents.report import Report
from abuse_gate.reading.documents.xmltext import Handler, walk_xml

# Elements whose words are not drawn where they stand.
UNDRAWN: Final = frozenset({"metadata", "desc", "title", "defs", "script", "style"})


class _Svg(Handler):
    """Sorts text by whether any element around it is hidden."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._open: list[str | None] = []
        self._glued: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Hidden by its kind, its style or an element around it; what lies behind is unknown."""
        rule: str | None = None
        if name == "script":
            rule = "svg:script"
        elif name in UNDRAWN:
            rule = "svg:undrawn"
        elif hides(attributes.get("style", ""), attributes) not in {None, "camouflaged"}:
            rule = "svg:hidden"
        self._open.append(rule or (self._open[-1] if self._open else None))

    def end(self, name: str, /) -> None:
        """Back to what held before; the pieces of one text are a text."""
        self._open.pop()
        if name == "text":
            self._report.mix("".join(self._glued) if len(self._glued) > 1 else "")
            self._glued = []

    def text(self, text: str, /) -> None:
        """Words, to the one side or the other."""
        rule = self._open[-1]
        self._glued.append(text)
        if rule is None:
            self._report.show(text.strip())
        else:
            self._report.hide(rule, text)


def read_svg(report: Report, data: bytes) -> None:
    """Take down the words of an SVG; as a picture it stays opaque."""
    report.flags.add("opaque_media_noninterpretable")
    report.count("bytes", len(data))
    walk_xml(report, data, _Svg(report))
