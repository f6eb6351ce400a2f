"""The demo on paper: a table that fits the terminal, in the characters and colours that it has.

Returns lines; prints nothing.
"""

import shutil
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TextIO

from examples.show.visitor import Row

Ink = Literal["good", "soft", "bad", "faint", "strong"]

CODES: Final[dict[Ink, str]] = {
    "good": "32",
    "soft": "33",
    "bad": "31",
    "faint": "2",
    "strong": "1",
}
DECISION_INK: Final[dict[str, Ink]] = {"allow": "good", "clarify": "soft", "block": "bad"}

NARROWEST: Final = 50
WIDEST: Final = 140
# From here on an incident id fits in whole.
ROOMY: Final = 104
# A title that gets less than this stands on a line of its own.
_TITLE_ROOM: Final = 20
_SHORT_ID: Final = 8
_FEW_REASONS: Final = 2
# Digits after the point, by how many milliseconds there are at least; less is microseconds.
_PRECISION: Final = ((10.0, 0), (1.0, 1))
_MARGIN: Final = "  "
_INDENT: Final = "      "
_FANCY: Final = "─µ…"


@dataclass(frozen=True, slots=True)
class Paper:
    """What the terminal can show."""

    width: int = 80
    fancy: bool = False
    colour: bool = False

    def ink(self, text: str, ink: Ink) -> str:
        """The text in colour, where there are colours."""
        return f"\x1b[{CODES[ink]}m{text}\x1b[0m" if self.colour else text

    @property
    def rule(self) -> str:
        """A line across."""
        return _MARGIN + ("─" if self.fancy else "-") * (self.width - 2 * len(_MARGIN))


def paper_for(stream: TextIO, environ: Mapping[str, str]) -> Paper:
    """The paper behind a stream: no colour in files and pipes, nor where NO_COLOR is set."""
    width = shutil.get_terminal_size((80, 24)).columns
    colour = stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    return Paper(max(NARROWEST, min(width, WIDEST)), _can_say(_FANCY, stream.encoding), colour)


def _can_say(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def head(paper: Paper) -> list[str]:
    """The names of the columns."""
    names = _columns(paper, "request", "status", "decision", "mode", "incident", "added")
    return [*(paper.ink(line, "strong") for line in names), paper.ink(paper.rule, "faint")]


def lines_of(row: Row, paper: Paper) -> list[str]:
    """A row: what was sent and what came of it, and below it why."""
    answer = row.answer
    cells = _columns(
        paper,
        row.scene.title,
        str(answer.status),
        answer.decision or "-",
        answer.mode or "-",
        _incident(answer.incident_id, paper),
        duration(row.added, paper),
    )
    # Coloured after it was padded: the codes take no room on the screen.
    ink = DECISION_INK.get(answer.decision, "soft")
    return [
        *(paper.ink(line, ink) for line in cells),
        *(paper.ink(line, "faint") for line in _why(row, paper)),
    ]


def foot(paper: Paper, pairs: int) -> list[str]:
    """How the last column is measured, for people who distrust such columns."""
    text = (
        f"added: the same request over a kept-alive connection to the app with and without the "
        f"gate, in turns; the median of up to {pairs} differences. It is below zero where the gate "
        "refuses sooner than the app would have answered."
    )
    body = textwrap.wrap(text, paper.width - 2 * len(_MARGIN))
    return [paper.ink(line, "faint") for line in (paper.rule, *(_MARGIN + line for line in body))]


def duration(seconds: float, paper: Paper) -> str:
    """A signed time with the unit that suits it."""
    millis = seconds * 1000
    for least, digits in _PRECISION:
        if abs(millis) >= least:
            return f"{millis:+.{digits}f} ms"
    return f"{seconds * 1_000_000:+.0f} {'µ' if paper.fancy else 'u'}s"


def differences(rows: Sequence[Row]) -> list[str]:
    """One line for each row that is not as the script says."""
    return [
        f"row {number} ({row.scene.title}) differs: {row.difference}"
        for number, row in enumerate(rows, 1)
        if row.difference
    ]


def _columns(paper: Paper, *cells: str) -> list[str]:
    """One line, or two where the terminal is narrow."""
    title, status, decision, mode, incident, added = cells
    id_width = 32 if paper.width >= ROOMY else 10
    fixed = f"{status:>6}  {decision:<8} {mode:<8} {incident:<{id_width}} {added:>8}"
    room = paper.width - 2 * len(_MARGIN) - len(fixed)
    if room < _TITLE_ROOM:
        return [_MARGIN + title, f"{_MARGIN}{fixed}"]
    return [f"{_MARGIN}{_cut(title, room):<{room}}{fixed}"]


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 2].rstrip() + ".."


def _incident(incident_id: str, paper: Paper) -> str:
    if paper.width >= ROOMY or not incident_id:
        return incident_id or "-"
    return incident_id[:_SHORT_ID] + ("…" if paper.fancy else "..")


def _why(row: Row, paper: Paper) -> list[str]:
    """The path, the verdict and the reasons, wrapped between one reason and the next."""
    return textwrap.wrap(
        f"POST {row.scene.path} is {row.verdict}: {_reasons(row, paper)}",
        paper.width - len(_MARGIN),
        initial_indent=_INDENT,
        subsequent_indent=_INDENT + _MARGIN,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _reasons(row: Row, paper: Paper) -> str:
    """The reasons, the expected one first; all of them where there is room."""
    mark = row.scene.expected.mark
    ordered = sorted(row.reasons, key=lambda reason: reason != mark)
    shown = ordered if paper.width >= ROOMY else ordered[:_FEW_REASONS]
    more = len(ordered) - len(shown)
    return (", ".join(shown) or "no rule fired") + (f" and {more} more" if more else "")
