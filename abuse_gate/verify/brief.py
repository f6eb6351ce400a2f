"""What the tiers may know of one request: tier 1's findings, and its texts only on demand."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from abuse_gate.deciding.planner import Plan, Static
from abuse_gate.model.caller import NOBODY, Caller
from abuse_gate.model.hit import Hit
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import Assessment


@dataclass(frozen=True, slots=True, repr=False)
class Evidence:
    """What a judge is shown: the payload through the window, and what of its context is suspect."""

    payload: Payload
    suspected: tuple[int, ...] = ()


Put = Callable[[Payload], Awaitable[Assessment]]
# Asks an adapter of that name and that model by `put`, unless its answer is remembered.
Remembered = Callable[[str, str, Put], Awaitable[Assessment]]


@dataclass(frozen=True, slots=True, repr=False)
class Brief:
    """One request before the tiers; the makers redact, and are called when somebody is asked.

    `size` tells what a maker has to work through; `left` is what remains of the budget of tiers 1
    and 2, in seconds, and `reserve` what tier 2 has of it however long our own work has taken;
    `supervised` wants tier 3 whatever the others say.
    """

    plan: Plan
    statics: tuple[Static, ...]
    payload: Callable[[], Payload]
    evidence: Callable[[], Evidence]
    size: Callable[[], int]
    hits: tuple[Hit, ...] = ()
    blocks: tuple[int, ...] = ()
    supervised: bool = False
    left: float = math.inf
    reserve: float = 0.0
    caller: Caller = NOBODY
    remembered: Remembered | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Judged:
    """What came of it; the correction is a supervisor's text for callers inside the process."""

    assessment: Assessment
    correction: str | None = None
