"""The gate: a request in, a Decision out. Inspect, verify, decide, record. Knows no ASGI."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from abuse_gate.contract import Observer
from abuse_gate.deciding.policy import BODY_LATE_STATUS, decide, for_unclear
from abuse_gate.inspection import Inspection
from abuse_gate.inspector import Inspector
from abuse_gate.model.caller import NOBODY, Caller
from abuse_gate.model.decision import Action, Decision, Mode
from abuse_gate.model.extract import Flag
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import Assessment
from abuse_gate.model.visit import Visit
from abuse_gate.reading.request import RawRequest
from abuse_gate.recorder import Recorder
from abuse_gate.rules.placeholders import REDACTIONS, Redaction
from abuse_gate.settings import PiiRuleset, RoutePolicy, Routing, Settings
from abuse_gate.telemetry.policy_version import policy_version
from abuse_gate.verify.brief import Brief, Judged
from abuse_gate.verify.tenants import Guards
from abuse_gate.verify.tiered import Tiered
from abuse_gate.work.documents import DocumentPool
from abuse_gate.work.scanner import Scanner
from abuse_gate.work.uploads import UNATTENDED, Guest, failure_of

# Of the budget of tiers 1 and 2: what tier 2 has at least, whatever the rules have needed.
TIER_2_SHARE: Final = 0.5


class Gate:
    """One for an application; holds nothing of any request."""

    def __init__(
        self,
        settings: Settings,
        scanner: Scanner,
        verifier: Tiered | Guards | None,
        observer: Observer,
        digest_key: bytes,
        clock: Callable[[], float] = time.perf_counter,
        documents: DocumentPool | None = None,
        redactions: Mapping[PiiRuleset, Redaction] = REDACTIONS,
    ) -> None:
        self.settings = settings
        self.routing = Routing(settings)
        self.routing.stamp(partial(policy_version, scanner.book, settings))
        self.digest_key = digest_key
        self.tiers = verifier if isinstance(verifier, Tiered) else Tiered(verifier)
        alone = not any(self.tiers.available.values())
        self.recorder = Recorder(observer, clock, digest_key, alone=alone)
        self._clock = clock
        self._inspector = Inspector(
            settings, scanner, digest_key, clock, documents or DocumentPool(), redactions
        )

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

    async def start(self) -> None:
        """Let the verifiers make their clients on the running loop."""
        await self.tiers.start()

    async def aclose(self) -> None:
        """End the document workers; let the verifiers close what they hold on the running loop."""
        self.close()
        await self.tiers.aclose()
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
            )
        )

    def conclude(
        self,
        inspection: Inspection,
        policy: RoutePolicy,
        assessment: Assessment,
        visit: Visit | None = None,
    ) -> Decision:
        """The decision that the policy draws from an assessment, recorded."""
        ruling = decide(
            assessment.verdict,
            inspection.flags,
            on_unclear=for_unclear(policy.on_unclear, assessment.reason),
            on_unread=policy.on_unread,
        )
        if ruling.verdict != assessment.verdict:
            reason = failure_of(inspection.extract) or "flags"
            assessment = replace(assessment, verdict=ruling.verdict, reason=reason)
        visit = visit or self.recorder.visit()
        decision = self._decision(
            ruling.action, ruling.status, policy, assessment, inspection.flags, visit
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
        decision = self._decision(
            "clarify", BODY_LATE_STATUS, policy, assessment, frozenset({"truncated"}), visit
        )
        return self.recorder.record(decision, policy, visit, visit.now, body_bytes)

    def payload(self, inspection: Inspection, policy: RoutePolicy) -> Payload:
        """What a verifier may see of a request: the contract's shape, redacted."""
        return self._inspector.exhibits.payload(inspection, policy)

    def close(self) -> None:
        """End the document workers; the gate goes on working and starts new ones when needed."""
        self._inspector.close()

    @property
    def rule_count(self) -> int:
        """How many rules are in force."""
        return len(self._inspector.scanner.book.rules)

    @property
    def compile_seconds(self) -> float:
        """How long it took to compile the rules, or to load them compiled."""
        return self._inspector.scanner.compile_seconds

    def _decision(
        self,
        action: Action,
        status: int | None,
        policy: RoutePolicy,
        assessment: Assessment,
        flags: frozenset[Flag],
        visit: Visit,
    ) -> Decision:
        """A decision under the visit's incident id; in monitor mode the app always answers."""
        mode: Mode = "monitor" if policy.mode == "monitor" else "normal"
        answer = None if mode == "monitor" else status
        return Decision(action, answer, mode, visit.incident_id, assessment, flags)
