"""Whole-text rewriting of what stands among plain text: %41, \\x41, \\u0041, &#65;, =41, markup.

Each function answers with the rewritten text and whether it was a disguise: an escape that spells
a plain ASCII letter had no other reason to be there. Linear in the text, never raises.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final, Literal

from abuse_gate.rules.calls import called
from abuse_gate.rules.pace import matches, occurs, replaced
from abuse_gate.rules.readable import base64_bytes

# An editor that escapes a letter or two by accident is no disguise.
MIN_LETTERS: Final = 4

_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+|%u(?P<wide>[0-9A-Fa-f]{4})")
# Bounded backslashes: an endless run of them must not be walked from each of its members.
_BACKSLASH: Final = re.compile(
    r"\\{1,4}(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|[ux]\{([0-9A-Fa-f]{1,6})\}|U([0-9A-Fa-f]{8})"
    # Style sheets' digits, and the octal ones of shells.
    r"|(?P<style>0{2,4}[2-7][0-9A-Fa-f])(?![0-9A-Fa-f])[ ]?|(?P<octal>[0-3][0-7]{2})"
    r"|(?P<short>[2-7][0-9A-Fa-f])(?:[ ]|(?=\\))|N\{(?P<title>[A-Za-z0-9 -]{3,60})\})"
    r"|U\+(?P<named>[0-9A-Fa-f]{4,6})[ ,]?"
)
# Bounded digits: the standard library turns any number of them into an int, and that can raise.
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_CONTROL: Final = re.compile(r"(?:\x1b\[[0-9;]{0,12}[A-Za-z]|[\x00-\x08\x0e-\x1f\x7f])+")
_QUOTED: Final = re.compile(r"=([2-9A-Fa-f][0-9A-Fa-f])|(?<!=)=\r?\n")
# Bytes of one character each, of which several are one.
_BYTES: Final = re.compile(
    "(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+"
)
# A tag, an emphasis inside a word, the joint of two string literals, a hyphen at the
# end of a line: what a reader does not see between two letters.
_MARKUP: Final = re.compile(
    r"<!\[CDATA\[|\]\]>|<[^<>]{1,80}>|~~[^~\n]{1,20}~~|(?<=[^\W\d_])(?:\*{1,3}|_{2,3}|~~|``?)(?=[^\W\d_])"
    r"|(?<!\S)(?:\*\*|__|~~)(?=\w)"
    r"|(?<=[A-Za-z])[\"'][ ]?[+.&][ ]?[\"'](?=[A-Za-z])|(?<=[A-Za-z])-\r?\n(?=[A-Za-z])"
)
# A letter or a short word that a page does not show.
_UNSHOWN: Final = re.compile(
    r"<(\w{1,10})\b[^<>]{0,80}(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0"
    r"|opacity ?: ?0|\shidden)\b[^<>]{0,40}>[^<>]{0,24}</\1>",
    re.IGNORECASE,
)
# Line ends and tabs between words, as programs write them; fewer are the names of folders.
_WRITTEN_GAP: Final = re.compile(r"(?<=[A-Za-z.,:;!?])\\{1,2}[nrt](?=[A-Za-z])")
MIN_GAPS: Final = 3
# Marks of forums, wikis and typesetters, comments of programs and templates, and what a template
# puts nothing in the place of.
_TAGS: Final = re.compile(
    r"\[/?(?:[bisuq]|color|size|font|url|su[bp])(?:=[^\[\]\n]{1,20})?\]"
    r"|(?<=[A-Za-z])(?:'{2,5}|\\f[BIRP])(?=[A-Za-z])"
    r"|(?<=[A-Za-z])(?:/\*[^*\n]{0,40}\*/|\{[#%][^{}\n]{0,40}[#%]\}|[$#]?\{{1,2}[\"' ]{0,4}\}{1,2})"
)
# A command of a typesetter, and the braces round what it is for.
_COMMAND: Final = re.compile(r"\\[A-Za-z]{2,14}\{")
_BRACES: Final = re.compile(r"\\[A-Za-z]{2,14}\{|[{}]")
COMMENT: Final = "<!--"
_COMMENT_END: Final = "-->"
# A longer comment is text of its own.
MAX_COMMENT: Final = 407
# Comments that are looked at; the rest stays where it is, and whoever decodes says so.
MAX_COMMENTS: Final = 10_000
# Two bytes a character in base64, between a plus and a hyphen.
_UTF7: Final = re.compile(r"\+([A-Za-z0-9+/]{3,64})-")
# What stands before the entries of a list, and between those of an object.
_ENTRY: Final = re.compile(
    r"(?:^|(?<=\n))[ \t]{0,4}(?:[-*]|[0-9]{1,2}[.)]|[A-Za-z]\w{0,9}:)[ \t]"
    r"|[\"'] ?, ?[\"']\w{1,12}[\"'] ?: ?[\"']"
)
_LAST_CODE: Final = 0x10FFFF

_Spell = Callable[[re.Match[str]], str]


class _LetterCount:
    """Spells escapes and counts the plain letters that they turned out to be."""

    __slots__ = ("_spell", "letters")

    def __init__(self, spell: _Spell) -> None:
        self._spell = spell
        self.letters = 0

    def __call__(self, found: re.Match[str]) -> str:
        spelled = self._spell(found)
        if spelled.isascii():
            self.letters += sum(map(str.isalpha, spelled))
        return spelled


def percent(text: str) -> tuple[str, bool]:
    """Percent-encoded bytes as the text they spell."""
    return _rewrite(_PERCENT, text, _percent_run)


def backslash(text: str) -> tuple[str, bool]:
    """Backslash escapes of programming languages as the characters they name."""
    if sum(1 for _ in islice(matches(_WRITTEN_GAP, text), MIN_GAPS)) == MIN_GAPS:
        text = replaced(_WRITTEN_GAP, text, lambda _: " ")
    return _remade(*_rewrite(_BACKSLASH, text, _backslash_one))


def entity(text: str) -> tuple[str, bool]:
    """HTML character references as the characters they name."""
    return _rewrite(_ENTITY, text, lambda found: html.unescape(found.group()))


def control(text: str) -> tuple[str, bool]:
    """The text without control characters, which split words for a matcher and for nobody else."""
    return replaced(_CONTROL, text, _nothing), False


def quoted(text: str) -> tuple[str, bool]:
    """Quoted-printable as the text it spells, its soft line breaks gone."""
    return _remade(
        *_rewrite(_QUOTED, text, lambda found: chr(int(found[1], 16)) if found[1] else "")
    )


def markup(text: str) -> tuple[str, bool]:
    """The text without the markup that splits its words."""
    return replaced(_MARKUP, replaced(_UNSHOWN, _uncommented(text), _nothing), _nothing), False


def tags(text: str) -> tuple[str, bool]:
    """The text without the marks of forums and typesetters, and without comments in words."""
    if "\\" in text and occurs(_COMMAND, text):
        text = replaced(_BRACES, text, _nothing)
    return replaced(_TAGS, text, _nothing), False


def utf7(text: str) -> tuple[str, bool]:
    """UTF-7's runs of base64 as the characters that they are."""
    return _rewrite(_UTF7, text, _utf7_run)


def listed(text: str) -> tuple[str, bool]:
    """The entries of a list or an object one after the other, without marks and keys."""
    return replaced(_ENTRY, text, lambda _: " "), False


# In this order: what one kind uncovers, the next one may undo in the same pass.
ESCAPES: Final[
    Mapping[
        Literal[
            "control",
            "entity",
            "percent",
            "escape",
            "quoted",
            "utf7",
            "called",
            "markup",
            "tags",
            "listed",
        ],
        Callable[[str], tuple[str, bool]],
    ]
] = {
    "control": control,
    "entity": entity,
    "percent": percent,
    "escape": backslash,
    "quoted": quoted,
    "utf7": utf7,
    "called": called,
    "markup": markup,
    "tags": tags,
    "listed": listed,
}


def _rewrite(escape: re.Pattern[str], text: str, spell: _Spell) -> tuple[str, bool]:
    count = _LetterCount(spell)
    rewritten = replaced(escape, text, count)
    return rewritten, count.letters >= MIN_LETTERS


def _remade(text: str, disguise: bool) -> tuple[str, bool]:
    """The text with characters for the bytes that spell them."""
    return replaced(_BYTES, text, _of_bytes), disguise


def _of_bytes(found: re.Match[str]) -> str:
    return found.group().encode("latin-1").decode("utf-8", "replace")


def _nothing(_: re.Match[str]) -> str:
    return ""


def _uncommented(text: str) -> str:
    """The text without its short comments; the end of each is looked for once."""
    parts: list[str] = []
    done, end = 0, -1
    start = text.find(COMMENT)
    for _ in range(MAX_COMMENTS):
        body = start + len(COMMENT)
        end = end if end >= body else text.find(_COMMENT_END, body)
        if start < 0 or end < 0:
            break
        if end + len(_COMMENT_END) - start <= MAX_COMMENT:
            parts.append(text[done:start])
            done = body = end + len(_COMMENT_END)
        start = text.find(COMMENT, body)
    return "".join([*parts, text[done:]])


def _percent_run(found: re.Match[str]) -> str:
    if found["wide"]:
        return chr(int(found["wide"], 16))
    return bytes.fromhex(found.group().replace("%", "")).decode("utf-8", "replace")


def _utf7_run(found: re.Match[str]) -> str:
    letters = found[1]
    data = base64_bytes(letters)
    return data[: len(data) // 2 * 2].decode("utf-16-be", "replace") if data else letters


def _titled(found: re.Match[str]) -> str:
    try:
        return unicodedata.lookup(found["title"])
    except KeyError:
        return found.group()


def _backslash_one(found: re.Match[str]) -> str:
    if found["octal"]:
        return chr(int(found["octal"], 8))
    if found["title"]:
        return _titled(found)
    code = int(next(filter(None, found.groups())), 16)
    return chr(code) if code <= _LAST_CODE else "\ufffd"
