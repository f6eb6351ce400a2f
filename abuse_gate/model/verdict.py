"""What a request *is*: the contract's three words, and the frozen record of how one was reached.

Knows nothing of what we then do about it; that is a Decision.
"""

import re
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeGuard

from abuse_gate.model.hit import Hit

Verdict = Literal["safe", "unsafe", "unclear"]

SEVERITY: Final[dict[Verdict, int]] = {"safe": 0, "unclear": 1, "unsafe": 2}

# "The model was unsure" and "we could not ask" are different facts and keep different codes.
UNASKED_REASONS: Final[frozenset[str]] = frozenset(
    {
        "bad_reply",
        "breaker_open",
        "budget_spent",
        "connection",
        "contract_broken",
        "internal_error",
        "misconfigured",
        "no_supervisor",
        "partly_seen",
        "provider_error",
        "rate_limited",
        "refusal",
        "saturated",
        "timeout",
    }
)

_CODE_LENGTH: Final = 64
_CODE = re.compile(r"[a-z][a-z0-9_.:-]{0,63}\Z")
_UNFIT = re.compile(r"[^a-z0-9_.:-]")


def is_verdict(value: object) -> TypeGuard[Verdict]:
    """Whether a value is exactly one of the contract's three words."""
    return type(value) is str and value in SEVERITY


def is_code(value: str) -> bool:
    """Whether a text is a short lower-case code that may stand in records, and not prose."""
    return _CODE.match(value) is not None


def as_code(name: str) -> str:
    """A name made fit for records: lower case, and nothing in it that prose could hide in."""
    return name if is_code(name) else f"x-{_UNFIT.sub('_', name.lower())}"[:_CODE_LENGTH]


@dataclass(frozen=True, slots=True)
class Usage:
    """What one question cost: who was asked, and the tokens in and out as the provider says."""

    provider: str = ""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One tier that was asked about one matter, and what came of it."""

    tier: str
    verdict: Verdict
    reason: str
    elapsed_ms: float = 0.0
    usage: Usage | None = None
    matter: str = "prompt"


@dataclass(frozen=True, slots=True)
class Assessment:
    """A verdict with its reason code, source and evidence; never any text of the request."""

    verdict: Verdict
    reason: str
    source: str = "local"
    hits: tuple[Hit, ...] = ()
    trail: tuple[Step, ...] = ()
    elapsed_ms: float = 0.0
    usage: Usage | None = None
    # Numbers of the segments that a pending call was taken from, or that carry what rules found.
    blocks: tuple[int, ...] = ()
    # Hits that whoever judged was not shown: what a clean answer does not clear.
    unseen: tuple[Hit, ...] = ()
    # The message that is to blame, by its place in the conversation, where that is known.
    turn: int | None = None

    @property
    def path(self) -> str:
        """The tiers that were gone through, such as `static→triage`; each once."""
        return "→".join(dict.fromkeys(step.tier for step in self.trail))

    def __post_init__(self) -> None:
        if not is_verdict(self.verdict):
            raise ValueError("an Assessment's verdict is one of safe, unsafe, unclear")
        for name, code in (("reason", self.reason), ("source", self.source)):
            if not is_code(code):
                raise ValueError(f"an Assessment's {name} is a short lower-case code, not prose")

    def blaming(self, turn: int | None) -> "Assessment":
        """The same assessment, with the message that is to blame for it."""
        return self if turn is None else replace(self, turn=turn)


def worse(first: Assessment, second: Assessment) -> Assessment:
    """The stricter of two assessments; the first one when they are equally strict."""
    return second if SEVERITY[second.verdict] > SEVERITY[first.verdict] else first
