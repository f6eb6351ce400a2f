"""Replacements that a text asks for, made: sed and tr, calls of replace, words that say the same.

Makes texts and scans none of them; linear in the text, which is read as far as somebody would
follow such an order. Never raises.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from abuse_gate.rules.pace import changed, ends, outer

# Whoever asks for more wants us to work.
MAX_EDITS: Final = 32
# A letter that stands for a word makes a text a few times as long.
MAX_GROWTH: Final = 4

_SED: Final = re.compile(r"\bs([/|#])([^\n]{1,24}?)\1([^\n]{0,24}?)\1")
_CALL: Final = re.compile(
    r"(?:replace(?:_?all)?|sub|gsub|str_replace|preg_replace|regexp_replace|substitute)\b"
    r"\s?\(\s?(?:r?([\"'`])(?P<text>[^\n]{1,40}?)\1|/(?P<expression>[^/\n]{1,40})/[a-z]{0,4})"
    r"\s?,\s?(?:r?([\"'`])(?P<by>[^\n]{0,24}?)\4)"
)
_TR: Final = re.compile(
    r"\btr (?:-d [\"']?(?P<gone>[^\s\"']{1,64})"
    r"|[\"']?(?P<these>[^\s\"']{1,64})[\"']? [\"']?(?P<those>[^\s\"']{1,64}))[\"']?"
    r"|(?:maketrans|translate)\(\s?(?:\w{1,12},\s?)?[\"'](?P<some>[^\"'\n]{1,64})[\"']\s?,\s?"
    r"[\"'](?P<others>[^\"'\n]{1,64})[\"']"
)
_ALL: Final = (
    r"(?:(?:all|every|each|any|of|the|occurrences?|instances?|letters?|signs?|characters?|symbols?"
    r"|words?) ){0,5}"
)
_OLD: Final = r"[\"'`(]?([^\s\"`]{1,12}?)[\"'`)]?"
_NEW: Final = r"[\"'`(]?([^\s\"`]{1,20}?)[\"'`)]?"
_GONE: Final = (
    r"[\"'`(]?([^\w\s]{1,6}?|(?P<quoted>(?<=[\"'`])[^\"'`\s]{1,12}(?=[\"'`]))|[a-z]+)[\"'`)]?"
)
_WORDED: Final = re.compile(
    rf"\b(?:replace|swap|change|substitute|turn|convert|read|and(?= (?:all|each|every))) {_ALL}"
    rf"{_OLD} (?:with|by|for|to|into|as) (?:an? |the )?(?:letters? |word |sign )?"
    rf"{_NEW}(?=[\s,.;:)]|$)",
    re.IGNORECASE,
)
_REMOVED: Final = re.compile(
    r"\b(?:remov|delet|drop|strip|omit|ignor|skip|discard|eras|tak)[a-z]{0,4}(?: (?:out|away))? "
    rf"{_ALL}{_GONE}(?=[\s,.;:)]|$)",
    re.IGNORECASE,
)
CANDIDATE: Final = (
    r"\bs(?:/[^/\n]{1,24}/[^/\n]{0,24}/|\|[^|\n]{1,24}\|[^|\n]{0,24}\||#[^#\n]{1,24}#[^#\n]{0,24}#)"
    r"|(?:replace(?:_?all)?|[^a-z]g?sub|substitute) ?\( ?[^\n]{1,60},"
    r"|\btr -?[a-z'\"][^\n]{1,40}['\"]|maketrans\("
    r"|\b(?:replace|swap|substitute|read) [^\n]{0,40}[^\w\s,.:;'\"-][^\n]{0,8} "
    r"(?:with|by|as|for|to) "
    r"|\b(?:remov|delet|drop|strip|omit|ignor|skip|discard|tak)[a-z]{0,4} [^\n.]{0,30}"
    r"(?:asterisk|hyphen|underscore|tilde|slash|caret|dashes|digits|symbol|[\"'`][^\"'`\s]{1,6}[\"'`]"
    r"|[*#~|^_+@$%=] ?[ ,.;:)])"
)
# Signs by their names, in the plural or not.
SIGNS: Final = {
    "asterisk": "*",
    "star": "*",
    "hyphen": "-",
    "dash": "-",
    "dashe": "-",
    "underscore": "_",
    "dot": ".",
    "period": ".",
    "hash": "#",
    "hashe": "#",
    "tilde": "~",
    "slash": "/",
    "slashe": "/",
    "pipe": "|",
    "caret": "^",
    "plu": "+",
    "comma": ",",
    "dollar": "$",
    "backslash": "\\",
    "backslashe": "\\",
    "colon": ":",
    "equal": "=",
}
_DIGITS: Final = frozenset({"digit", "number"})
_RANGE: Final = re.compile(r"(.)-(.)", re.DOTALL)
_MAX_RANGE: Final = 128
_ESCAPED: Final = re.compile(r"\\(.)")
_CLASS: Final = re.compile(r"\[\^?([^\]]{1,40})\][+*]?")
_DIGIT: Final = re.compile(r"[0-9]")


def edits(text: str) -> Iterator[str]:
    """The text after every replacement that it asks for."""
    text = ends(text)
    wanted = outer(chain(_coded(text), _worded(text)), MAX_EDITS)
    if wanted:
        yield changed(text, _edited(text, wanted))
    for found in outer(_TR.finditer(text), MAX_EDITS):
        yield changed(text, text.translate(_table(found)))
    if any(name in _DIGITS for name in _removed(text)):
        yield changed(text, _DIGIT.sub("", text))


def _edited(text: str, wanted: list[tuple[str, str]]) -> str:
    """The text after all of them; what makes more of it than anybody would read is not done."""
    most = MAX_GROWTH * len(text)
    for old, new in wanted:
        if len(text) + text.count(old) * (len(new) - len(old)) <= most:
            text = text.replace(old, new)
    return text


def _coded(text: str) -> Iterator[tuple[str, str]]:
    for found in _SED.finditer(text):
        yield from ((old, found[3]) for old in _alternatives(found[2]))
    for found in _CALL.finditer(text):
        olds = [found["text"]] if found["text"] else []
        olds += _alternatives(found["expression"] or found["text"])
        yield from ((old, found["by"]) for old in dict.fromkeys(olds))


def _alternatives(expression: str) -> list[str]:
    """What a simple expression stands for: alternatives, or one of several characters."""
    found = _CLASS.fullmatch(expression)
    if found is not None:
        return list(_spelled(found[1]))
    return [_ESCAPED.sub(r"\1", part) for part in expression.split("|") if part] or [expression]


def _worded(text: str) -> Iterator[tuple[str, str]]:
    for found in _WORDED.finditer(text):
        yield found[1], found[2]
    for name in _removed(text):
        yield SIGNS.get(name, name), ""


def _removed(text: str) -> Iterator[str]:
    """What is to be taken away, a sign or its name."""
    for found in outer(_REMOVED.finditer(text), MAX_EDITS):
        name = found[1].lower().removesuffix("s") or found[1]
        if found["quoted"] or not found[1].isalpha() or name in SIGNS or name in _DIGITS:
            yield found[1] if found["quoted"] else name


def _table(found: re.Match[str]) -> dict[int, str]:
    """Each character of one set as that of another; as nothing where there is no other."""
    these = _spelled(found["gone"] or found["these"] or found["some"])
    those = _spelled(found["those"] or found["others"] or "")
    return {ord(old): those[at : at + 1] or those[-1:] for at, old in enumerate(these)}


def _spelled(characters: str) -> str:
    """A set of characters without its ranges."""
    return _RANGE.sub(_between, _ESCAPED.sub(r"\1", characters))


def _between(found: re.Match[str]) -> str:
    first, last = ord(found[1]), ord(found[2])
    return "".join(map(chr, range(first, min(last + 1, first + _MAX_RANGE))))
