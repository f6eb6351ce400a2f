"""The gate: a request in, a Decision out. Inspect, verify, decide, record. Knows no ASGI."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from abuse_gate.contract import Observer
from abuse_gate.deciding.policy import BODY_LATE_STATUS, Ruling, decide, for_unclear
from abuse_gate.discipline import Discipline, decision_of, turned_away, under_lock
from abuse_gate.glance import Glance
from abuse_gate.inspection import Inspection
from abuse_gate.inspector import Inspector
from abuse_gate.model.caller import NOBODY, Caller, CallerOf
from abuse_gate.model.decision import Decision
from abuse_gate.model.payload import Payload
from abuse_gate.model.standing import FREE, Standing
from abuse_gate.model.verdict import Assessment
from abuse_gate.model.visit import Visit
from abuse_gate.offences import Offences
from abuse_gate.reading.request import RawRequest
from abuse_gate.recorder import Recorder
from abuse_gate.rules.placeholders import REDACTIONS, Redaction
from abuse_gate.settings import PiiRuleset, RoutePolicy, Routing, Settings
from abuse_gate.stores.operators import Subjects
from abuse_gate.stores.strikes import Strikes
from abuse_gate.telemetry.policy_version import policy_version
from abuse_gate.verify.brief import Brief, Judged, Remembered
from abuse_gate.verify.cached import VerdictCache, remembered
from abuse_gate.verify.tenants import Guards
from abuse_gate.verify.tiered import Tiered
from abuse_gate.work.closing import CLOSE_SECONDS, close_all
from abuse_gate.work.documents import DocumentPool
from abuse_gate.work.scanner import Scanner
from abuse_gate.work.uploads import UNATTENDED, Guest, failure_of

# Of the budget of tiers 1 and 2: what tier 2 has at least, whatever the rules have needed.
TIER_2_SHARE: Final = 0.5


class Gate:
    """One for an application; holds nothing of any request."""

    def __init__(  # noqa: PLR0913 - every part of a gate can be handed in
        self,
        settings: Settings,
        scanner: Scanner,
        verifier: Tiered | Guards | None,
        observer: Observer,
        digest_key: bytes,
        clock: Callable[[], float] = time.perf_counter,
        *,
        documents: DocumentPool | None = None,
        redactions: Mapping[PiiRuleset, Redaction] = REDACTIONS,
        strikes: Strikes | None = None,
        cache: VerdictCache | None = None,
    ) -> None:
        self.settings = settings
        self.routing = Routing(settings)
        self.routing.stamp(partial(policy_version, scanner.book, settings))
        self.digest_key = digest_key
        self._cache = cache
        self.tiers = verifier if isinstance(verifier, Tiered) else Tiered(verifier)
        alone = not any(self.tiers.available.values())
        self.recorder = Recorder(observer, clock, digest_key, alone=alone)
        self._clock = clock
        self._inspector = Inspector(
            settings, scanner, digest_key, clock, documents or DocumentPool(), redactions
        )
        self.glance = Glance(scanner, self.tiers, self.recorder)
        offences = Offences(scanner, self._inspector.thresholds, digest_key)
        self._discipline = None if strikes is None else Discipline(strikes, offences)

    async def review(
        self, request: RawRequest, policy: RoutePolicy, caller: Caller = NOBODY
    ) -> Decision:
        """The whole way of one request, for callers with nothing to watch meanwhile."""
        visit = self.recorder.visit(caller)
        inspection = await self.inspect(request, policy, visit=visit)
        with self.recorder.story(visit):
            assessment = await self.verify(inspection, policy, caller)
            await self.recorder.gather(visit, inspection, assessment)
            return self.conclude(inspection, policy, assessment, visit)

    async def admit(self, policy: RoutePolicy, who: CallerOf) -> tuple[Standing, RoutePolicy]:
        """How a caller stands before anything of its request is read, and the policy for it."""
        if self._discipline is None:
            return FREE, policy
        return await self._discipline.admit(policy, who)

    def is_quiet(self) -> bool:
        """Whether nobody is remembered, so that nobody's standing need be looked up."""
        return self._discipline is None or self._discipline.is_quiet()

    async def start(self) -> None:
        """Let the verifiers make their clients on the running loop."""
        await self.tiers.start()

    async def aclose(self, seconds: float = CLOSE_SECONDS) -> None:
        """End the document workers; let the verifiers close what they hold on the running loop."""
        self.close()
        store = None if self._discipline is None else self._discipline.strikes.store
        held = (part for part in (self.tiers, self._cache, store) if part is not None)
        await close_all([part.aclose for part in held], seconds)
        await self.recorder.aclose()

    async def inspect(
        self,
        request: RawRequest,
        policy: RoutePolicy,
        guest: Guest = UNATTENDED,
        visit: Visit | None = None,
    ) -> Inspection:
        """Read the request, have its files opened, and let the rules judge all of it."""
        work = self._inspector.inspect(request, policy, tiers=self.tiers.available, guest=guest)
        return await (work if visit is None else self.recorder.timed(work, visit))

    async def verify(
        self, inspection: Inspection, policy: RoutePolicy, caller: Caller = NOBODY
    ) -> Assessment:
        """Tier 1's word, joined with that of every tier that the plan asks."""
        return (await self.judge(inspection, policy, caller)).assessment

    async def judge(
        self,
        inspection: Inspection,
        policy: RoutePolicy,
        caller: Caller = NOBODY,
        *,
        supervised: bool = False,
    ) -> Judged:
        """The same with a supervisor's correction, for callers inside the process."""
        if not inspection.ask and not supervised:
            return self.tiers.unasked(inspection.statics, inspection.hits, inspection.blocks)
        budget = self.settings.verifier_timeout_ms / 1000
        return await self.tiers.judge(
            Brief(
                policy.plan,
                inspection.statics,
                payload=lambda: self.payload(inspection, policy),
                evidence=lambda: self._inspector.exhibits.evidence(inspection, policy),
                hits=inspection.hits,
                blocks=inspection.blocks,
                supervised=supervised,
                left=budget - (self._clock() - inspection.scanned),
                reserve=budget * TIER_2_SHARE,
                size=lambda: inspection.extract.chars,
                caller=caller,
                remembered=self._remembered(inspection, policy, caller),
            )
        )

    async def settle(
        self,
        inspection: Inspection,
        policy: RoutePolicy,
        assessment: Assessment,
        who: CallerOf,
        standing: Standing,
        visit: Visit,
    ) -> Decision:
        """The decision, with what it means for the caller's standing counted first."""
        if self._discipline is None:
            return self.conclude(inspection, policy, assessment, visit)
        standing = await self._discipline.judged(
            inspection, policy, assessment, who, standing, visit
        )
        decision = self.conclude(inspection, policy, assessment, visit, standing)
        await self._discipline.refused(decision, policy, who)
        return decision

    def conclude(
        self,
        inspection: Inspection,
        policy: RoutePolicy,
        assessment: Assessment,
        visit: Visit | None = None,
        standing: Standing = FREE,
    ) -> Decision:
        """The decision that the policy draws from an assessment, recorded."""
        ruling = decide(
            assessment.verdict,
            inspection.flags,
            on_unclear=for_unclear(policy.on_unclear, assessment.reason),
            on_unread=policy.on_unread,
            locked=policy.locked,
        )
        if policy.locked and ruling.action == "allow":
            risky = self._inspector.is_high_risk(inspection.extract)
            ruling, assessment = under_lock(ruling, assessment, standing, risky=risky)
        if ruling.verdict != assessment.verdict:
            reason = failure_of(inspection.extract) or "flags"
            assessment = replace(assessment, verdict=ruling.verdict, reason=reason)
        visit = visit or self.recorder.visit()
        decision = decision_of(
            ruling, policy, assessment, inspection.flags, visit.incident_id, standing
        )
        extract = inspection.extract
        return self.recorder.record(
            decision, policy, visit, inspection.started, extract.body_bytes, extract.modalities
        )

    def too_late(
        self, policy: RoutePolicy, body_bytes: int, visit: Visit | None = None
    ) -> Decision:
        """The decision on a body that did not arrive in time."""
        visit = visit or self.recorder.visit()
        assessment = Assessment("unclear", "body_timeout")
        ruling = Ruling("unclear", "clarify", BODY_LATE_STATUS)
        decision = decision_of(
            ruling, policy, assessment, frozenset({"truncated"}), visit.incident_id
        )
        return self.recorder.record(decision, policy, visit, visit.now, body_bytes)

    async def quarantined(
        self, policy: RoutePolicy, standing: Standing, who: CallerOf, visit: Visit
    ) -> Decision:
        """The decision on a request that nobody reads, because of who sends it."""
        decision = turned_away(policy, standing, visit.incident_id)
        if self._discipline is not None:
            visit.caller = await who()
            await self._discipline.refused(decision, policy, who)
        return self.recorder.record(decision, policy, visit, visit.now, 0)

    def payload(self, inspection: Inspection, policy: RoutePolicy) -> Payload:
        """What a verifier may see of a request: the contract's shape, redacted."""
        return self._inspector.exhibits.payload(inspection, policy)

    def close(self) -> None:
        """End the document workers; the gate goes on working and starts new ones when needed."""
        self._inspector.close()

    @property
    def subjects(self) -> Subjects | None:
        """What operators can do about callers; None while strikes are off."""
        return None if self._discipline is None else self._discipline.strikes.subjects

    @property
    def scanner(self) -> Scanner:
        """The rules that are in force, compiled."""
        return self._inspector.scanner

    def _remembered(
        self, inspection: Inspection, policy: RoutePolicy, caller: Caller
    ) -> Remembered | None:
        if self._cache is None:
            return None
        maker = partial(self._inspector.exhibits.payload, inspection, policy)
        return remembered(self._cache, inspection.extract, maker, policy.version, caller)
