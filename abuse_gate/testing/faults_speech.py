"""What a dialect is: how one endpoint words a verdict, and where that may be disturbed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from abuse_gate.model.verdict import Verdict

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One endpoint: its right answer, the key of its list of answers, and how to disturb both."""

    name: str
    answers: str
    reply: Callable[[Verdict, object], Json]
    # Puts any value where the verdict stands.
    put: Callable[[Json, object], None]
    # Turns the answer into one that the model declined to give, or had no room to finish.
    refuse: Callable[[Json], None]
    cut: Callable[[Json], None]


def verdict_text(verdict: Verdict) -> str:
    """The exact text with which a judge answers."""
    return json.dumps({"verdict": verdict}, separators=(",", ":"))


def field_of(request: object, name: str) -> Any:
    """A field of a request, or None where the request is not even an object."""
    if not isinstance(request, Mapping):
        return None
    return cast("Mapping[str, Any]", request).get(name)
