"""Bytes of a provider in, a plain value or a verdict out: read strictly, or not at all.

Everything that is not exactly one of the known shapes is a ProviderBadReply; a reader never
guesses, so that no odd answer can be taken for a clean one. Knows no provider.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn, cast

from abuse_gate.contract import ProviderBadReply
from abuse_gate.model.verdict import Assessment, Verdict, is_verdict

MAX_REPLY_BYTES: Final = 256 * 1024
# An envelope of a provider has some six levels; a verdict has one.
MAX_DEPTH: Final = 32
MAX_VERDICT_CHARS: Final = 256

VERDICT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["safe", "unsafe", "unclear"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}

# No answer to one of our questions costs more; a larger number is no number of tokens.
MOST_TOKENS: Final = 10_000_000
_TOKENS: Final = (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens"))
_BRACKET: Final = re.compile(r"[\[\]{}]")


def strict_json(wire: bytes | str, limit: int = MAX_REPLY_BYTES) -> object:
    """The one JSON value on the wire: bounded, without duplicate keys, NaN or a remainder."""
    if len(wire) > limit:
        raise ProviderBadReply
    try:
        text = wire if isinstance(wire, str) else wire.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if _too_deep(text):
        raise ProviderBadReply
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=_unambiguous,
            parse_constant=_no_number,
            parse_float=_finite,
        )
    except (ValueError, RecursionError):
        # Raised below: an error of the parser holds the text.
        pass
    else:
        return value
    raise ProviderBadReply


def verdict_of(text: object) -> Verdict:
    """The judge's word, from exactly `{"verdict": word}` with nothing around it."""
    if not isinstance(text, str):
        raise ProviderBadReply
    answer = record(strict_json(text, MAX_VERDICT_CHARS))
    verdict = answer.get("verdict")
    if set(answer) != {"verdict"} or not is_verdict(verdict):
        raise ProviderBadReply
    return verdict


def assessed(verdict: Verdict, source: str) -> Assessment:
    """A judge's own word as an assessment."""
    return Assessment(verdict, f"model_{verdict}", source=source)


def words(said: object) -> str:
    """A judge's words, which must be text."""
    if not isinstance(said, str):
        raise ProviderBadReply
    return said


def tokens_of(wire: bytes) -> tuple[int, int]:
    """What an answer says it cost, in and out, in any provider's spelling; 0 where it does not."""
    try:
        usage = record(record(strict_json(wire)).get("usage"))
    except ProviderBadReply:
        return 0, 0
    found = [next((usage[key] for key in keys if key in usage), 0) for keys in _TOKENS]
    taken, given = (n if type(n) is int and 0 <= n <= MOST_TOKENS else 0 for n in found)
    return taken, given


def record(value: object) -> Mapping[str, object]:
    """The value, which must be a JSON object."""
    if not isinstance(value, dict):
        raise ProviderBadReply
    return cast("Mapping[str, object]", value)


def rows(value: object) -> list[object]:
    """The value, which must be a JSON array with something in it."""
    if not isinstance(value, list) or not value:
        raise ProviderBadReply
    return cast("list[object]", value)


def only(value: object) -> Mapping[str, object]:
    """The one object of an array of one: a second answer is an ambiguous one."""
    found = rows(value)
    if len(found) != 1:
        raise ProviderBadReply
    return record(found[0])


def flag(value: object) -> bool:
    """The value, which must be true or false and not something like it."""
    if not isinstance(value, bool):
        raise ProviderBadReply
    return value


def share(value: object) -> float:
    """The value, which must be a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ProviderBadReply
    return float(value)


def _too_deep(text: str) -> bool:
    """Whether brackets nest beyond the limit; those inside strings count too, which errs safely."""
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket.group() in "[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _unambiguous(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _no_number(_constant: str) -> NoReturn:
    raise ValueError


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError
    return number
