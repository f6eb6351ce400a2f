"""Tables at a terminal: with `rich` where it is installed, in plain columns where it is not.

What comes out of a file is shown with everything that a terminal would obey taken out.
"""

import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Final

STYLES: Final[Mapping[str, str]] = {"block": "red", "clarify": "yellow", "allow": "green"}
_GAP: Final = "  "


def plain(text: str) -> str:
    """A text without what moves a cursor or changes a colour."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, fancy: bool = True) -> None:
    """Prints rows under their columns; fancy where that can be."""
    clean = [[plain(cell) for cell in row] for row in rows]
    if not (fancy and sys.stdout.isatty() and _rich(columns, clean)):
        _columns(columns, clean)


def _rich(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    try:
        # Here, not above: it is an extra.
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415
    except ImportError:
        return False
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        shown.add_column(column, overflow="fold")
    for row in rows:
        shown.add_row(*(Text(cell, STYLES.get(cell, "")) for cell in row))
    Console().print(shown)
    return True


def _columns(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    room = shutil.get_terminal_size((200, 24)).columns if sys.stdout.isatty() else None
    for row in (columns, *rows):
        line = _GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(line.rstrip()[:room])
