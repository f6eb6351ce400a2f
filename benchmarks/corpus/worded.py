"""Attacks and ordinary texts as people word them, in fourteen languages: each as it is, in no disguise.

Most were written before the rules that find them; those that still pass stay in the list.
"""

from pathlib import Path
from typing import Final, NamedTuple

_FOLDER: Final = Path(__file__).parent


class Worded(NamedTuple):
    """One attack, its family and its language."""

    family: str
    language: str
    text: str


def _lines(name: str) -> list[str]:
    return (_FOLDER / name).read_text("utf-8").splitlines()


# Those of the family `indirect` are words of a tool's result.
WORDED: Final = tuple(Worded(*line.split("\t", 2)) for line in _lines("worded_attacks.txt"))
WORDED_BENIGN: Final = tuple(_lines("worded_benign.txt"))
