"""Encoded text that was cut into groups: known by what words leave in its letters, put together.

Squeezed to bare letters a text has no gaps any more, whatever they were, and the words of every
sentence leave the same few letters in it. Knows letters only; linear in the text, never raises.
"""

import base64
import re
from collections.abc import Callable, Iterator
from typing import Final

from abuse_gate.rules.pace import texts

# What hardly a text does without, as it stands in a sentence.
_WORDS: Final = (
    *(" the ", " your ", " with ", " and ", "ignore", "previous", "instruction", "system"),
    *("prompt", "reveal", "everything", "restriction", "password", "guideline", "Anweisung"),
    *(" alle ", " todas ", " toutes ", "instruc"),
)
# Fewer letters are some by accident.
MIN_TRACE: Final = 6
# A run of groups, parted by spaces; what stands before and behind it in plain words.
_GROUPS: Final = re.compile(
    r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{2,40}+"
    r"(?:[ \t]{1,2}[A-Za-z0-9+/_-]{1,40}+(?![A-Za-z0-9+/_-])){3,}+"
)
_PLAIN: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]?[a-z]*[-_][a-z]+|[0-9]+")
MIN_GROUPED: Final = 20


def traces(squeeze: Callable[[bytes], bytes]) -> set[str]:
    """The bare letters of base64 and base32 that a word decides alone, wherever it begins."""
    left = (squeeze(letters).decode() for letters in _decided())
    return {letters for letters in left if len(letters) >= MIN_TRACE}


def _decided() -> Iterator[bytes]:
    for word in _WORDS:
        data = word.encode()
        for bits, size, encode in ((6, 3, base64.b64encode), (5, 5, base64.b32encode)):
            for before in range(size):
                first = -(-before * 8 // bits)
                last = (before + len(data)) * 8 // bits
                yield encode(b"\0" * before + data)[first:last]


def grouped(text: str) -> Iterator[str]:
    """Runs of groups as one word each, without the words of a sentence at their ends."""
    for run in texts(_GROUPS, text):
        groups = run.split()
        coded = [at for at, group in enumerate(groups) if not _PLAIN.fullmatch(group)]
        whole = "".join(groups[coded[0] : coded[-1] + 1]) if coded else ""
        if len(whole) >= MIN_GROUPED:
            yield whole
