"""Standard output for a command whose status matters more than whether anybody reads it to the end.

Knows streams alone. What nobody reads any more is thrown away, and the command goes on to its word.
"""

import os
import sys
from pathlib import Path
from typing import Any, TextIO


class Unheard:
    """A text stream that takes everything, also where its reader has left or there is none."""

    def __init__(self, stream: TextIO | None) -> None:
        # Python has none where the shell closed it; this one lives as long as the command.
        self._stream = stream or Path(os.devnull).open("w")  # noqa: SIM115

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write as far as somebody reads."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._let_go()
            return len(text)

    def flush(self) -> None:
        """Hand on what was written, if anybody is there."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._let_go()

    def _let_go(self) -> None:
        # What is buffered by now, and what Python flushes at its end, goes nowhere.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


def standard_output() -> Unheard:
    """What a command prints to."""
    return Unheard(sys.stdout)
