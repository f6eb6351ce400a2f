"""Text written in characters that nobody sees: tags, variation selectors, zero-width bits.

Reads the raw text, before anything invisible is taken out of it; linear, never raises.
"""

import re
from collections.abc import Iterator
from typing import Final

from abuse_gate.rules.pace import translated
from abuse_gate.rules.readable import as_text

# Tag characters mirror printable ASCII at this distance.
TAG_BASE: Final = 0xE0000
_TAGS: Final = re.compile("[\U000e0020-\U000e007e]+")
_UNTAG: Final = {TAG_BASE + code: code for code in range(0x20, 0x7F)}

# 256 variation selectors are as good as the 256 values of a byte.
_SELECTORS: Final = (
    re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{8,}"),
    # Those that emoji have behind them spell nothing.
    re.compile("[\ufe00-\ufe0d\U000e0100-\U000e01ef]"),
)
_BYTE_OF: Final = {
    **{chr(0xFE00 + value): value for value in range(16)},
    **{chr(0xE0100 + value): value + 16 for value in range(240)},
}

# Private characters that mirror ASCII in their last byte; emoji that stand for bytes; two ASCII
# characters in the two bytes of one ideograph.
_PRIVATE: Final = re.compile("[\ue000-\uf8ff]{12,}")
_EMOJI: Final = re.compile("[\U0001f3f7-\U0001f4f6]{16,}")
EMOJI_BASE: Final = 0x1F3F7
_LATIN: Final = "".join(
    f"{chr(high * 256 + 0x61)}-{chr(high * 256 + 0x7A)}{chr(high * 256 + 0x20)}"
    for high in (0x20, *range(0x61, 0x7B))
)
_PACKED: Final = re.compile(f"[{_LATIN}]{{8,}}[\u2020-\u7a7a]*")
# Emoji and ideographs that happen to spell something spell no small letters.
MIN_SMALL: Final = 0.6
_SMALL: Final = b"abcdefghijklmnopqrstuvwxyz "

# Two of these are the two values of a bit; a third one may part the bytes.
_ZERO_WIDTH: Final = (
    re.compile("[\u200b-\u200f\u2060-\u2064\ufeff]{48,}"),
    re.compile("[\u200b-\u200f\u2060-\u2064\ufeff]"),
)
_PAIRS: Final[tuple[tuple[str, str], ...]] = (
    ("\u200b", "\u200c"),
    ("\u200c", "\u200d"),
    ("\u200b", "\u200d"),
    ("\u200c", "\u200b"),
    ("\u200d", "\u200c"),
    ("\u200d", "\u200b"),
    ("\u200b", "\u2060"),
    ("\u2062", "\u2064"),
    ("\u200e", "\u200f"),
    ("\u200b", "\ufeff"),
)
# So many pieces may be two messages.
MIN_SPREAD: Final = 2
# Fewer bits are no message.
_MIN_BITS: Final = 48
# A text of more hidden bits than this is read as far as this.
MAX_BITS: Final = 65_536
# One look tells that there is nothing of the sort in most texts.
_UNSEEN: Final = re.compile("[\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]")
_FURTHER: Final = re.compile("[\u2020-\U0010ffff]")


def hidden(text: str) -> str:
    """Everything readable that is written in invisible characters; empty when there is nothing."""
    if text.isascii():
        return ""
    found: list[str] = []
    if _UNSEEN.search(text):
        tags = [translated(run, _UNTAG) for run in _TAGS.findall(text)]
        # A text that is spread over the words of another one, and each part of it.
        found += ["".join(tags), *tags] if len(tags) > MIN_SPREAD else tags
        found += [_from_selectors(run) for run in _whole_or_spread(_SELECTORS, text)]
        found += [_from_bits(run[:MAX_BITS]) for run in _whole_or_spread(_ZERO_WIDTH, text)]
    if _FURTHER.search(text):
        found += _from_others(text)
    return "\n".join(filter(None, found))


def _whole_or_spread(signs: tuple[re.Pattern[str], re.Pattern[str]], text: str) -> list[str]:
    """All of such characters in a row, and each run of them if there is more than that."""
    runs, one = signs
    whole = "".join(one.findall(text))
    return [*dict.fromkeys((whole, *runs.findall(text)))]


def _from_others(text: str) -> Iterator[str]:
    """What visible characters hide that nobody would write in a row."""
    for run in _PRIVATE.findall(text):
        yield as_text(bytes(ord(char) & 0xFF for char in run)) or ""
    for run in _EMOJI.findall(text):
        yield _if_small(bytes(ord(char) - EMOJI_BASE for char in run))
    for run in _PACKED.findall(text):
        yield _if_small(run.encode("utf-16-be"))
        yield _if_small(run.encode("utf-16-le"))


def _if_small(data: bytes) -> str:
    small = len(data) - len(data.translate(None, _SMALL))
    return as_text(data) or "" if small >= len(data) * MIN_SMALL else ""


def _from_selectors(run: str) -> str:
    return as_text(bytes(map(_BYTE_OF.__getitem__, run))) or ""


def _from_bits(run: str) -> str:
    """The first reading of two of the characters as zero and one that spells a text."""
    present = set(run)
    for zero, one in _PAIRS:
        if not {zero, one} <= present:
            continue
        bits = "".join("0" if char == zero else "1" for char in run if char in (zero, one))
        if len(bits) < _MIN_BITS:
            continue
        spelled = as_text(int(bits, 2).to_bytes(len(bits) // 8 + 1, "big")[-(len(bits) // 8) :])
        if spelled is not None:
            return spelled
    return ""
