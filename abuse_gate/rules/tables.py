"""Text that brings its own key: names with what they stand for, two alphabets, an order of parts.

Nothing is guessed: only what the text itself says is put in its place. Linear in the text, which is
read as far as a reader would follow such a key; knows no words and no rules, and never raises.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Final

from abuse_gate.rules.pace import changed, ends

MAX_ENTRIES: Final = 512
MIN_ENTRIES: Final = 2
# Keys that are signs are looked for one by one.
MAX_SIGNS: Final = 64
# Lists of numbers that may be the order of something.
MAX_ORDERS: Final = 4
MIN_ORDERED: Final = 4
# Answers of more words are sentences.
MAX_WORDS: Final = 6
# A value that is longer is no code for its key.
_SHORT: Final = 8

_QUOTED: Final = r"\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|`[^`\n]{1,200}`"
_IS: Final = r"(?:=>|[-=~]{1,2}>|:=|=(?!=)|\u2192|(?:means|stands for|is short for)\b)"
_BARE: Final = (
    r"[^\s=,;:][^=,;\n]{0,60}?(?=\s{0,3}(?:[,;|]|[.:](?:\s|$)|\n|$)"
    rf"|[ ,;]{{1,3}}[^\s=,;]{{1,16}} {{0,2}}{_IS})"
)
# A name, and what it stands for; what is short may have a colon, what is quoted a verb.
_ENTRY: Final = re.compile(
    rf"(?<![^\s,;:({{\[|\"'])([\"'`]?[^\s=,;\"'`()/&?]{{1,16}}[\"'`]?)"
    rf" {{0,2}}(?:{_IS}|(?: is| be| as|:)(?= ?[\"'`]))[ \t]{{0,2}}({_QUOTED}|{_BARE})"
    rf"|(?<![^\s,;({{\[|\"'])([A-Za-z]|[A-Z]?[0-9]{{1,2}}): ({_BARE})"
)
# Answers for blanks: a number and a word, behind a heading or one a line.
_HEADED: Final = re.compile(
    r"\b(?:answers?|words?|keys?|legend|glossary|solutions?|blanks|fillers?|parts?)\b[^\n:]{0,30}:"
    r"([^\n]{4,2000})",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(
    r"(?:^|[\n,;])\s{0,3}[\[({<#]?(?:([0-9]{1,2})[\])}>.:]{0,2}|([A-Za-z])[\])}>.:]) "
    r"([^,;\n]{1,60})"
)
# A name where something else belongs, with whatever marks it there.
_PLACE: Final = re.compile(
    r"(?:_{2,12}[(\[{]|[$#%@]?\{{1,3} ?|[$%@]|\[{1,2}|<{1,2}|\()?"
    r"([^\W_]\w{0,15})(?: ?\}{1,3}|\]{1,2}|>{1,2}|%|\))?([-+/|&.>~]{1,2}(?=\S))?"
)
_SLOT: Final = re.compile(r"(?:_{2,12}[(\[{]?|[\[{(<])[0-9A-Za-z]{1,2}[\])}>]")
# Fewer numbers in brackets are notes, or arguments.
MIN_SLOTS: Final = 3
_WORD: Final = re.compile(r"\w{1,16}")
# Values that a program works out are no words.
_CODE: Final = re.compile(r"^[\[({]|\w[\[(]|^(?:None|True|False|self\b)|\w\.[a-z]\w*$")
_OPERATOR: Final = re.compile(r"[-+*/%&|^<>!:]{1,3}=\s")
_LETTER: Final = re.compile(r"[^\W\d_]")
# A line in which fewer names give way is one of a program.
MIN_USES: Final = 3
_MARKS: Final = "${}[]()<>%_\"'`#@ "
# What an alphabet that stands above another one has before it.
_NAME: Final = re.compile(r"^[^:=|>]{1,20}[:=|>]")
MIN_LETTERS: Final = 20
MAX_LINE: Final = 200
# Fewer letters that stand for others are variables.
MIN_ALPHABET: Final = 4
_PARTING: Final = re.compile(r"[\s,|]")
_LITERAL: Final = re.compile(
    r"\"(?:[^\"\\\n]|\\.){1,200}+\"|'(?:[^'\\\n]|\\.){1,200}+'|`[^`\n]{1,200}`"
)
_ORDER: Final = re.compile(r"(?<![\w.])[0-9]{1,2}(?:[],[\s(){}>-]{1,4}[0-9]{1,2}(?!\w)){3,64}")
_NUMBER: Final = re.compile(r"[0-9]+")


def tables(text: str) -> Iterator[str]:
    """The text with everything put in its place for which it gives a name, a letter or a number."""
    text = ends(text)
    entries = _entries(text)
    for table in (entries, _numbered(text), _alphabets(text)):
        if len(table) < MIN_ENTRIES:
            continue
        yield from _applied(text, table)
        yield from _applied(text, _inverse(table))
        yield from _sorted(table)
    yield from _ordered(text)


def _entries(text: str) -> dict[str, str]:
    found = islice(_ENTRY.finditer(text), MAX_ENTRIES)
    said = (entry for entry in found if not _OPERATOR.match(entry.group()))
    pairs = ((entry[1] or entry[3], entry[2] or entry[4]) for entry in said)
    return {_bare(key): _unquoted(value) for key, value in pairs if not _CODE.search(value)}


def _numbered(text: str) -> dict[str, str]:
    if len(_SLOT.findall(text)) < MIN_SLOTS and not _ORDER.search(text):
        return {}
    headed = ("," + found[1] for found in islice(_HEADED.finditer(text), MAX_ORDERS))
    rows = (row for part in (*headed, text) for row in _NUMBERED.finditer(part))
    found = {row[1] or row[2]: row[3].strip() for row in islice(rows, MAX_ENTRIES)}
    return found if all(len(words.split()) <= MAX_WORDS for words in found.values()) else {}


def _alphabets(text: str) -> dict[str, str]:
    """Letters and what stands below each of them, in two lines as long as each other."""
    lines = [_PARTING.sub("", _NAME.sub("", line[:MAX_LINE])) for line in text.split("\n")]
    return {
        letter: other
        for above, below in pairwise(lines)
        if len(above) == len(below) >= MIN_LETTERS == len({*above[:MIN_LETTERS]})
        for letter, other in zip(above, below, strict=True)
    }


def _bare(key: str) -> str:
    return key.strip(_MARKS) or key


def _unquoted(value: str) -> str:
    return value[1:-1] if value[0] in "\"'`" and value[-1:] == value[0] else value.strip()


def _inverse(table: Mapping[str, str]) -> dict[str, str]:
    """What stands for what the other way round, where each is a code and not a word."""
    codes = {value: key for key, value in table.items() if value and len(value) <= _SHORT}
    return codes if len(codes) == len(table) else {}


def _applied(text: str, table: Mapping[str, str]) -> Iterator[str]:
    """Everything in its place: signs wherever they stand, names where they stand as words."""
    if not table:
        return
    if _is_alphabet(table):
        yield changed(text, text.translate({ord(key): value for key, value in table.items()}))
    signs = [key for key in table if not _WORD.fullmatch(key)][:MAX_SIGNS]
    if signs:
        longest = sorted(signs, key=len, reverse=True)
        yield from _wherever(re.compile("|".join(map(re.escape, longest))), text, table)
    size = {len(key) for key in table}
    if len(size) == 1 and 1 not in size and len(table) <= MAX_SIGNS:
        yield from _wherever(re.compile("|".join(map(re.escape, table))), text, table)
    words = {key: value for key, value in table.items() if _LETTER.search(value)}
    lines = (_line(line, words or table) for line in text.split("\n"))
    yield "\n".join(filter(None, lines))


def _wherever(key: re.Pattern[str], text: str, table: Mapping[str, str]) -> Iterator[str]:
    yield changed(text, key.sub(lambda found: table[found.group()], text))


def _line(line: str, table: Mapping[str, str]) -> str:
    """A line in which several names gave way, or in which there was nothing else."""
    uses = {place[1] for place in _PLACE.finditer(line)} & table.keys()
    if len(uses) < min(MIN_USES, len(table)) and not (uses and _PLACE.fullmatch(line)):
        return ""
    return _PLACE.sub(lambda place: _placed(place, table), line)


def _is_alphabet(table: Mapping[str, str]) -> bool:
    """Whether single characters stand for others: any signs, or several letters for codes."""
    if not all(len(key) == 1 for key in table):
        return False
    coded = len(table) >= MIN_ALPHABET and len({*map(len, table.values())}) == 1
    return coded or not any(key.isalnum() for key in table)


def _placed(place: re.Match[str], table: Mapping[str, str]) -> str:
    value = table.get(place[1])
    if value is None:
        return place.group()
    return value if place[2] is None else f"{value} " if len(value) > 1 else value + place[2]


def _sorted(table: Mapping[str, str]) -> Iterator[str]:
    """Numbered parts that do not stand in the order of their numbers."""
    keyed = {int(key): value for key, value in table.items() if key.isdecimal()}
    numbers = sorted(keyed)
    if len(numbers) >= MIN_ORDERED and numbers != [*keyed]:
        yield " ".join(keyed[number] for number in numbers)


def _ordered(text: str) -> Iterator[str]:
    """The string literals of a text in the order that a list of numbers gives."""
    parts = [literal[1:-1].replace("\\", "") for literal in _LITERAL.findall(text)]
    if len(parts) < MIN_ORDERED:
        return
    for order in islice(_ORDER.finditer(text), MAX_ORDERS):
        yield from _in_order(parts, [int(number) for number in _NUMBER.findall(order.group())])


def _in_order(parts: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
    first = 0 if 0 in numbers else 1
    if max(numbers) - first < len(parts):
        chosen = [parts[number - first] for number in numbers]
        yield " ".join(part.strip() for part in chosen)
        yield "".join(chosen)
