"""The tiers at work: asks whom the planner names, in order, each about its own matter.

Holds guards and nothing of any request. What follows from an answer is the planner's to say.
"""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from abuse_gate.contract import Observer, stepping
from abuse_gate.deciding.planner import (
    LADDER,
    Climb,
    Matter,
    Static,
    Tier,
    Tiers,
    after,
    sees_all,
    start,
    together,
    word_of,
)
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import Assessment
from abuse_gate.verify.brief import Brief, Judged
from abuse_gate.verify.hearing import Hearing, in_turn
from abuse_gate.verify.tenants import Guards

NOBODY: Final[Tiers] = frozenset()
SUPERVISED: Final[Tiers] = frozenset({"supervisor"})
NO_SUPERVISOR: Final = Assessment("unclear", "no_supervisor")


class Tiered:
    """One for a gate: the verifier, the triage and the supervisor, as many as there are."""

    def __init__(
        self,
        verifier: Guards | None = None,
        triage: Guards | None = None,
        supervisor: Guards | None = None,
        clock: Callable[[], float] = time.monotonic,
        observer: Observer | None = None,
    ) -> None:
        self._verifier = verifier
        self._triage = triage
        self._supervisor = supervisor
        self._clock = clock
        self._announce = stepping(observer)
        self._ended: Counter[str] = Counter()
        self._at_a_glance = 0
        self._lock = threading.Lock()
        # A verifier sees the calls of a request, too: it stands in for a triage that is not there.
        self.available: Mapping[Matter, Tiers] = {
            "prompt": _tiers(verifier, supervisor),
            "action": _tiers(triage or verifier, supervisor),
        }

    @property
    def ended(self) -> Mapping[str, int]:
        """How many requests and checks have ended at each tier."""
        with self._lock:
            ended = dict(self._ended)
        at_tier_1 = self._at_a_glance + ended.pop("static", 0)
        return {"static": at_tier_1, **ended} if at_tier_1 else ended

    @property
    def verifier_name(self) -> str:
        """The name of the verifier that is asked; empty when there is none."""
        return "" if self._verifier is None else self._verifier.common.name

    def describe(self) -> str:
        """Who is asked, for the start-up line."""
        prompts, actions = _who(self._verifier), _who(self._triage or self._verifier)
        judge = _who(self._supervisor)
        return f"tiers: static→triage(prompts {prompts}, actions {actions})→supervisor({judge})"

    async def judge(self, brief: Brief) -> Judged:
        """The tiers' word on a request: its matters go up side by side, the worst one stands."""
        climbs = [self._start(static, brief) for static in brief.statics]
        hearing = Hearing(brief, self._clock)
        for tier in LADDER:
            if any(climb.condemned for climb in climbs):
                break
            climbs = await self._ask(tier, climbs, hearing)
        assessment = together(climbs, brief.hits, brief.blocks)
        self._count(assessment)
        return Judged(assessment, hearing.correction)

    async def start(self) -> None:
        """Let every adapter make its clients on the running loop."""
        for guards in self._all:
            await guards.start()

    async def aclose(self) -> None:
        """Close what every adapter holds on the running loop."""
        for guards in self._all:
            await guards.aclose()

    @property
    def _all(self) -> list[Guards]:
        known = (self._verifier, self._triage, self._supervisor)
        return [guards for guards in known if guards is not None]

    def cleared(self) -> None:
        """Tier 1 has let a request pass at a glance."""
        # No call and no jump between reading and writing: threads are not switched there.
        self._at_a_glance += 1

    def unasked(
        self, statics: Sequence[Static], hits: tuple[Hit, ...], blocks: tuple[int, ...] = ()
    ) -> Judged:
        """Tier 1's word alone, where nobody is to be asked: the way of most requests."""
        climbs = [Climb("thrifty", static, NOBODY, None, static.assessment) for static in statics]
        self.cleared()
        return Judged(together(climbs, hits, blocks))

    def _start(self, static: Static, brief: Brief) -> Climb:
        if not brief.supervised:
            return start(brief.plan, static, self.available[static.matter])
        return start("paranoid", static, self.available[static.matter] | SUPERVISED)

    async def _ask(self, tier: Tier, climbs: Sequence[Climb], hearing: Hearing) -> list[Climb]:
        """The climbs after a tier has answered those that were waiting for it."""
        return list(await asyncio.gather(*(self._step(tier, climb, hearing) for climb in climbs)))

    async def _step(self, tier: Tier, climb: Climb, hearing: Hearing) -> Climb:
        if climb.next != tier:
            return climb
        with self._announce("tier", tier=tier, matter=climb.matter) as notes:
            answered = await self._answered(tier, climb, hearing)
            said = answered.assessment.trail[-1]
            notes.note(verdict=said.verdict, reason=said.reason)
        return answered

    async def _answered(self, tier: Tier, climb: Climb, hearing: Hearing) -> Climb:
        if tier == "supervisor":
            return _after(climb, await self._supervised(climb, hearing))
        if climb.matter == "action" and self._triage is not None:
            return _after(climb, await hearing.judge(self._triage, tier, climb))
        return await self._verified(climb, hearing)

    async def _supervised(self, climb: Climb, hearing: Hearing) -> Assessment:
        if self._supervisor is None:
            return NO_SUPERVISOR
        return await hearing.judge(self._supervisor, "supervisor", climb)

    async def _verified(self, climb: Climb, hearing: Hearing) -> Climb:
        """The verifier's word; what it cannot judge goes on to the triage, within the same tier."""
        answer, judged = await hearing.verify(cast("Guards", self._verifier))
        unable = answer.verdict == "safe" and not sees_all(climb.static, judged, answer.unseen)
        if unable and self._triage is not None:
            answer, judged = (
                await in_turn(answer, hearing.judge(self._triage, "triage", climb)),
                None,
            )
        return _after(climb, answer, judged)

    def _count(self, assessment: Assessment) -> None:
        asked = {step.tier for step in assessment.trail}
        last = next((tier for tier in reversed(LADDER) if tier in asked), "static")
        with self._lock:
            self._ended[last] += 1


def _after(climb: Climb, answer: Assessment, judged: frozenset[str] | None = None) -> Climb:
    seen = sees_all(climb.static, judged, answer.unseen)
    return after(climb, answer, word_of(cast("Tier", climb.next), answer, sees_all=seen))


def _who(guards: Guards | None) -> str:
    """A name, a model if one is known, and the time it has."""
    if guards is None:
        return "none"
    guard = guards.common
    model = f" {guard.model}" if guard.model else ""
    return f"{guard.name}{model} {guard.limits.timeout_seconds * 1000:.0f} ms"


def _tiers(triage: Guards | None, supervisor: Guards | None) -> Tiers:
    there: dict[Tier, Guards | None] = {"triage": triage, "supervisor": supervisor}
    return frozenset(tier for tier, guards in there.items() if guards is not None)
