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


def worded_attacks() -> list[Worded]:
    """Every attack of the list; those of the family `indirect` are words of a tool's result."""
    lines = (_FOLDER / "worded_attacks.txt").read_text("utf-8").splitlines()
    return [Worded(*line.split("\t", 2)) for line in lines]


def worded_benign() -> list[str]:
    """Every ordinary text of the list."""
    return (_FOLDER / "worded_benign.txt").read_text("utf-8").splitlines()
