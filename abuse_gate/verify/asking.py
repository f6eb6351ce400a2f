"""Putting a question to a judge, and reading its answer strictly: exactly the schema, or the word.

A judge is an object with `ask` or a plain function, sync or async; sync ones run in threads of
their own. What is not exactly an answer is no answer: nobody guesses here.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from abuse_gate.contract import ConfigError, Judge, JudgeFunction, ProviderBadReply, Reply
from abuse_gate.model.verdict import Usage
from abuse_gate.verify.kit.replies import strict_json
from abuse_gate.work.threads import Bulkhead

Ruled = Literal["CONTINUE", "REORIENT", "PAUSE"]
RULINGS: Final[Mapping[str, Ruled]] = {
    "CONTINUE": "CONTINUE",
    "REORIENT": "REORIENT",
    "PAUSE": "PAUSE",
}
WORDS: Final[Mapping[str, bool]] = {"YES": True, "NO": False}

MAX_TRIAGE_CHARS: Final = 256
MAX_RULING_CHARS: Final = 16_384
# A correction is a sentence or two for an agent; more is a text of somebody else's.
MAX_CORRECTION: Final = 2_000
# What people do not see, an agent that reads the correction would.
_UNSEEN: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]")

Asking = Callable[[Mapping[str, Any]], Awaitable[Reply | object]]


@dataclass(frozen=True, slots=True, repr=False)
class Ruling:
    """A supervisor's word, and how the agent is to go on when it is REORIENT."""

    verdict: Ruled
    correction: str | None = None


def asking(judge: Judge | JudgeFunction, name: str, bulkhead: Bulkhead) -> Asking:
    """One async callable for whichever spelling a judge has."""
    given: object = judge
    ask = getattr(given, "ask", given)
    if inspect.isclass(given) or not callable(ask):
        raise ConfigError(
            f"{name}: needs a function (payload) or an instance with a method ask(payload); "
            "see the Judge protocol"
        )
    call = cast("Callable[[Mapping[str, Any]], object]", ask)
    is_async = inspect.iscoroutinefunction(ask) or inspect.iscoroutinefunction(
        getattr(ask, "__call__", None)  # noqa: B004 - the method itself is wanted, not callability
    )

    async def asked(payload: Mapping[str, Any]) -> object:
        answer = call(payload) if is_async else await bulkhead.call(lambda: call(payload))
        return await answer if inspect.isawaitable(answer) else answer

    return asked


def suspicion(answer: object) -> bool | None:
    """What a triage said: suspicious or not; None when that cannot be told beyond doubt."""
    said = answer.text if isinstance(answer, Reply) else answer
    if isinstance(said, bool):
        return said
    if isinstance(said, str) and said.strip(" \r\n") in WORDS:
        return WORDS[said.strip(" \r\n")]
    found = _object(said, MAX_TRIAGE_CHARS)
    if found is None or set(found) != {"suspicious"}:
        return None
    suspicious = found["suspicious"]
    return suspicious if isinstance(suspicious, bool) else None


def ruling(answer: object) -> Ruling | None:
    """What a supervisor ruled; None when that cannot be told beyond doubt."""
    said = answer.text if isinstance(answer, Reply) else answer
    found = _object(said, MAX_RULING_CHARS)
    if found is None or set(found) != {"verdict", "correction"}:
        return None
    verdict, correction = found["verdict"], found["correction"]
    if not isinstance(correction, str | None):
        return None
    ruled = RULINGS.get(verdict) if type(verdict) is str else None
    return Ruling(ruled, _tidy(correction)) if ruled else None


def usage_of(*answers: object) -> Usage | None:
    """What the answers to one question cost together."""
    known = [each.usage for each in answers if isinstance(each, Reply) and each.usage is not None]
    if not known:
        return None
    return Usage(
        known[0].provider,
        known[0].model,
        sum(usage.input_tokens for usage in known),
        sum(usage.output_tokens for usage in known),
    )


def _object(said: object, limit: int) -> Mapping[str, object] | None:
    if isinstance(said, str):
        try:
            said = strict_json(said.strip(" \r\n"), limit)
        except ProviderBadReply:
            return None
    return cast("Mapping[str, object]", said) if isinstance(said, Mapping) else None


def _tidy(correction: str | None) -> str | None:
    if correction is None:
        return None
    return _UNSEEN.sub("", correction)[:MAX_CORRECTION].strip() or None
