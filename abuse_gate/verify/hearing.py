"""One request before its judges: makes the questions, puts them, and keeps the time.

Lives as long as the request. Whatever goes wrong in making a question is an answer, `unclear`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

from abuse_gate.deciding.planner import Climb, Tier
from abuse_gate.model.payload import Payload, Question
from abuse_gate.model.verdict import Assessment, Usage
from abuse_gate.verify.brief import Brief, Evidence, Remembered
from abuse_gate.verify.guard import Guard
from abuse_gate.verify.tenants import Guards
from abuse_gate.work.scanner import REDACTING, beside_the_loop

_log = logging.getLogger("abuse_gate")

Made = TypeVar("Made", Payload, Evidence)


class Hearing:
    """The questions about one request."""

    def __init__(self, brief: Brief, clock: Callable[[], float]) -> None:
        self.brief = brief
        self.correction: str | None = None
        self._clock = clock
        self._began = clock()
        # Seconds in which questions were made, and nobody was asked.
        self._making = 0.0
        self._evidence: Evidence | None = None
        self._verifying: asyncio.Task[Assessment] | None = None

    async def verify(self, guards: Guards) -> tuple[Assessment, frozenset[str] | None]:
        """The configured verifier's word on the whole request, and the families it can judge.

        It sees all matters at once, and is asked once for all of them.
        """
        guard = guards.of(self.brief.caller.tenant)
        if self._verifying is None:
            self._verifying = asyncio.ensure_future(self._verify(guard))
        return await self._verifying, guard.judges

    async def _verify(self, guard: Guard) -> Assessment:
        if self.brief.remembered is not None and self.brief.caller.known:
            return await self._remembered(guard, self.brief.remembered)
        payload = await self._made(guard, self.brief.payload)
        if isinstance(payload, Assessment):
            return payload
        return await self._put(guard, payload, self.left)

    async def _remembered(self, guard: Guard, remembered: Remembered) -> Assessment:
        begun = [self._clock()]

        async def put(part: Payload) -> Assessment:
            # Until the first time the question was made, and nobody was asked.
            self._making += self._clock() - begun.pop() if begun else 0.0
            return await self._put(guard, part, self.left)

        try:
            return await remembered(guard.name, guard.identity, put)
        except Exception as error:  # noqa: BLE001 - a defect of ours; the guard itself never raises
            _log.error("abuse-gate: cache failed with %s; please report it", type(error).__name__)
            return guard.refuse("internal_error")

    async def judge(self, guards: Guards, tier: Tier, climb: Climb) -> Assessment:
        """A judge's word on one matter; a supervisor has a budget of its own."""
        guard = guards.of(self.brief.caller.tenant)
        evidence = self._evidence or await self._made(guard, self.brief.evidence)
        if isinstance(evidence, Assessment):
            return evidence
        self._evidence = evidence
        question = Question(evidence.payload, _question(tier, climb, evidence))
        left = self.left if tier == "triage" else guard.limits.timeout_seconds
        answer = await self._put(guard, question, left)
        if answer.reason == "supervisor_reorient":
            self.correction = question.correction
        return answer

    @property
    def left(self) -> float:
        """Seconds that tiers 1 and 2 have left; what we need ourselves does not eat the reserve.

        Otherwise a long request could spend the time in which somebody would be asked about it.
        """
        gone = self._clock() - self._began
        asking = max(0.0, gone - self._making)
        return max(self.brief.left - gone, self.brief.reserve - asking)

    async def _put(self, guard: Guard, payload: Payload, left: float) -> Assessment:
        caller = self.brief.caller
        return await guard.assess(
            payload, subject=caller.subject, address=caller.address, within=left
        )

    async def _made(self, guard: Guard, make: Callable[[], Made]) -> Made | Assessment:
        if not self.brief.caller.known:
            return guard.refuse("misconfigured")
        started = self._clock()
        try:
            return await beside_the_loop(make, self.brief.size(), REDACTING)
        except Exception as error:  # noqa: BLE001 - a defect of ours; the guard itself never raises
            # The type alone: a message may quote the request.
            _log.error("abuse-gate: redact failed with %s; please report it", type(error).__name__)
            return guard.refuse("internal_error")
        finally:
            self._making += self._clock() - started


async def in_turn(first: Assessment, second: Awaitable[Assessment]) -> Assessment:
    """Two questions of one tier as one answer: the second one's word, and the cost of both."""
    answer = await second
    return replace(
        answer,
        elapsed_ms=first.elapsed_ms + answer.elapsed_ms,
        usage=_sum(first.usage, answer.usage),
    )


def _sum(first: Usage | None, second: Usage | None) -> Usage | None:
    if first is None or second is None:
        return second or first
    return replace(
        second,
        input_tokens=first.input_tokens + second.input_tokens,
        output_tokens=first.output_tokens + second.output_tokens,
    )


def _question(tier: Tier, climb: Climb, evidence: Evidence) -> dict[str, Any]:
    trail = [
        {"tier": step.tier, "verdict": step.verdict, "reason": step.reason}
        for step in climb.assessment.trail
    ]
    return {
        "kind": tier,
        "matter": climb.matter,
        "plain": False,
        "finding": climb.static.finding,
        "suspected": list(evidence.suspected),
        "trail": trail,
    }
