"""Lines of text whose pieces are on different sides: each side alone, and all as they stand.

A parser that knows no looks reads shown and hidden pieces in one go, so that words may be split
between the two; another one passes over whatever is wrapped. Both are read where they differ.
"""

from typing import Literal

Side = Literal["shown", "hidden", "struck"]


class Lines:
    """Collects the pieces of one part in reading order."""

    def __init__(self) -> None:
        self._sides: dict[Side, list[str]] = {"shown": [], "hidden": [], "struck": []}
        self._line: list[tuple[Side, str, bool]] = []
        self._mixed: list[str] = []

    def add(self, side: Side, text: str, *, plain: bool = True) -> None:
        """One piece; `plain` when every parser hands it on."""
        self._line.append((side, text, plain))

    def end_line(self) -> None:
        """The line is over; what reads differently as a whole is kept as a whole too."""
        for side, kept in self._sides.items():
            own = "".join(text for of, text, _ in self._line if of == side)
            if own:
                kept.append(own)
        shown = "".join(text for of, text, _ in self._line if of == "shown")
        whole = "".join(text for _, text, _ in self._line)
        plain = "".join(text for _, text, plain in self._line if plain)
        alone = {"".join(text for of, text, _ in self._line if of == side) for side in self._sides}
        for reading in dict.fromkeys((whole, plain)):
            if reading != shown and reading not in alone:
                self._mixed.append(reading)
        self._line = []

    def side(self, side: Side) -> str:
        """Everything on one side, a line for a line."""
        self.end_line()
        return "\n".join(self._sides[side])

    def mixed(self) -> str:
        """The lines that read differently as a whole."""
        self.end_line()
        return "\n".join(self._mixed)
