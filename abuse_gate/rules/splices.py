"""Runs of letters and digits in a sentence that goes on in them, read where they stand.

Knows what a run looks like; makes one text of another, linear, never raises.
"""

import re
from collections.abc import Iterator
from typing import Final

from abuse_gate.rules.codes import is_prose
from abuse_gate.rules.pace import occurs, replaced
from abuse_gate.rules.readable import as_text, base64_bytes
from abuse_gate.rules.runs import URLSAFE

# A run may go on in lines that stand further in, or behind the mark of a quoted mail.
RUN: Final = re.compile(r"[A-Za-z0-9+/_-]{20,}+(?:={0,2}\r?\n[ \t>]{0,8}[A-Za-z0-9+/_-]{4,}+)*+")
_DIGITS: Final = re.compile("(?:[0-9A-Fa-f]{2})+")
_SENTENCE: Final = re.compile(r"[a-z]{2,}[ ,:]{1,4}[a-z]{2,}", re.IGNORECASE)
# In a longer text nobody reads what stands before a run together with it.
MAX_SPLICED: Final = 4096


def spliced(text: str) -> Iterator[str]:
    """The text with what its runs spell in their places: half of a sentence may be plain."""
    start = text[:MAX_SPLICED]
    whole = replaced(RUN, start, _spelled)
    if whole != start and occurs(_SENTENCE, replaced(RUN, start, lambda _: " ")):
        yield whole


def _spelled(found: re.Match[str]) -> str:
    run = found.group()
    data = bytes.fromhex(run) if _DIGITS.fullmatch(run) else base64_bytes(run.translate(URLSAFE))
    spelled = as_text(data)
    return run if spelled is None or not is_prose(spelled) else spelled
