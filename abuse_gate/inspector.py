"""Tier 1's hands: reads a request, has its files opened, and scans all of it.

Decides nothing: what follows from an Inspection is the gate's to say.
"""

import logging
import time
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final, get_args

from abuse_gate.deciding.planner import Matter, Static, Tiers, asks_any
from abuse_gate.deciding.score import Thresholds, condemning
from abuse_gate.deciding.static import judge_action, judge_prompt
from abuse_gate.exhibits import Exhibits
from abuse_gate.inspection import Inspection, effort_of, says_something, unread, weighed_hits
from abuse_gate.model.extract import PLACE_OF, Extract, Segment
from abuse_gate.model.hit import Hit
from abuse_gate.reading.head import TOKEN
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions
from abuse_gate.reading.token import attested, read_token, token_key, unattested, united
from abuse_gate.rules.findings import Enough, Findings, never
from abuse_gate.rules.placeholders import Redaction
from abuse_gate.rules.provenance import suspects
from abuse_gate.rules.tools import ToolRisk
from abuse_gate.settings import PiiRuleset, RoutePolicy, Settings, WireRoles
from abuse_gate.work.documents import DocumentPool
from abuse_gate.work.scanner import INLINE_SIZE, Scanner, beside_the_loop, in_a_thread
from abuse_gate.work.uploads import UNATTENDED, ClientGone, Guest, open_uploads

_log = logging.getLogger("abuse_gate")

Available = Mapping[Matter, Tiers]
BOTH: Final[frozenset[Matter]] = frozenset({"prompt", "action"})
ACTION_ALONE: Final[frozenset[Matter]] = frozenset({"action"})
# How long blocks are looked for in which a rule has fired: a help to a judge, at nobody's expense.
LOOKING_SECONDS: Final = 0.1


class Inspector:
    """One for a gate; holds nothing of any request."""

    def __init__(
        self,
        settings: Settings,
        scanner: Scanner,
        digest_key: bytes,
        clock: Callable[[], float],
        documents: DocumentPool,
        redactions: Mapping[PiiRuleset, Redaction],
    ) -> None:
        self.scanner = scanner
        self._settings = settings
        self._clock = clock
        self._documents = documents
        self._risk = ToolRisk(settings.additional_high_risk_tools, settings.unknown_tools)
        self.exhibits = Exhibits(settings, scanner, digest_key, redactions, self._risk)
        self.thresholds = Thresholds(settings.block_threshold, settings.notice_threshold)
        self._options: dict[WireRoles, ReadingOptions] = {
            roles: ReadingOptions(wire_roles=roles, max_inflated_bytes=settings.max_body_bytes)
            for roles in get_args(WireRoles)
        }

    async def inspect(
        self,
        request: RawRequest,
        policy: RoutePolicy,
        *,
        tiers: Available,
        guest: Guest = UNATTENDED,
    ) -> Inspection:
        """What the rules make of a request; `tiers` tells whom there is to ask."""
        started = self._clock()
        size = effort_of(request)
        try:
            extract = await beside_the_loop(lambda: self._read(request, policy), size)
            if extract.uploads:
                opening = open_uploads(extract, self._documents, guest.owner())
                extract = await guest.attended(opening)
                size += extract.chars
            return await self._weighed(extract, policy, started, tiers, size)
        except ClientGone:
            raise
        except Exception as error:  # noqa: BLE001 - a defect of ours must not become the app's 500
            report_defect("inspect", error)
            return unread(request, started)

    async def examine(
        self, extract: Extract, policy: RoutePolicy, *, tiers: Available
    ) -> Inspection:
        """What the rules make of an action in the process, where the app says what it trusts."""
        started = self._clock()
        own = replace(policy, wire_roles="trusted")
        try:
            if extract.uploads:
                extract = await open_uploads(extract, self._documents)
            return await self._weighed(extract, own, started, tiers, extract.chars, ACTION_ALONE)
        except Exception as error:  # noqa: BLE001 - a defect of ours must not become the agent's
            report_defect("examine", error)
            return unread(RawRequest("", b"", (), b""), started)

    def is_high_risk(self, extract: Extract) -> bool:
        """Whether the request proposes a call of a high-risk tool."""
        return any(self._risk.is_high(call.name) for call in extract.pending_calls)

    def close(self) -> None:
        """End the document workers; new ones are started when they are needed."""
        self._documents.close()

    def _read(self, request: RawRequest, policy: RoutePolicy) -> Extract:
        return self._attested(read(request, self._options[policy.wire_roles]), request)

    async def _weighed(
        self,
        extract: Extract,
        policy: RoutePolicy,
        started: float,
        tiers: Available,
        size: int,
        matters: AbstractSet[Matter] = BOTH,
    ) -> Inspection:
        """Here when there is little to see and nothing in it, in a thread otherwise."""
        began = self._clock()
        # What condemns a prompt is final; a judge may clear a call, and must hear all of it.
        final = matters is BOTH and not extract.pending_calls
        weighed = (self.thresholds, policy.disabled_rules, policy.severity_overrides)
        enough: Enough = condemning(*weighed) if final else never
        brief = self.scanner.scan_briefly(extract, enough) if size <= INLINE_SIZE else None

        def judge() -> Inspection:
            findings = self.scanner.scan(extract, enough) if brief is None else brief
            return self._judge(extract, findings, policy, (started, began), tiers, matters)

        return judge() if brief is not None and not brief.hits else await in_a_thread(judge, size)

    def _attested(self, extract: Extract, request: RawRequest) -> Extract:
        """The extract under its context tokens, if it came with any; a bad one taints and flags."""
        values = request.every(TOKEN) if request.head.attested else []
        if not values:
            return extract
        secret = self._settings.secret
        key = token_key(secret.get_secret_value().encode()) if secret else b""
        tokens = [read_token(key, value, time.time()) if key else None for value in values]
        usable = [token for token in tokens if token is not None]
        if len(usable) < len(values):
            return unattested(extract)
        return attested(extract, united(usable), key)

    def _judge(
        self,
        extract: Extract,
        findings: Findings,
        policy: RoutePolicy,
        times: tuple[float, float],
        tiers: Available,
        matters: AbstractSet[Matter],
    ) -> Inspection:
        """What follows from the findings; `times` are when the inspection and the scan began."""
        started, began = times
        hits = weighed_hits(extract, findings, policy)
        elapsed = (self._clock() - began) * 1000
        statics = self._statics(extract, hits, policy, findings.encoded, elapsed)
        if matters is not BOTH:
            statics = tuple(static for static in statics if static.matter in matters)
        ask = asks_any(policy.plan, statics, tiers) and says_something(extract)
        blocks = self._blocks(extract, statics, hits)
        return Inspection(extract, findings, hits, statics, ask, started, began, blocks)

    def _blocks(
        self, extract: Extract, statics: tuple[Static, ...], hits: tuple[Hit, ...]
    ) -> tuple[int, ...]:
        if not any(static.finding == "flagged" for static in statics):
            return ()
        places = {hit.place for hit in hits}
        deadline = self._clock() + LOOKING_SECONDS

        def fires(segment: Segment) -> bool:
            if PLACE_OF[segment.origin] not in places or self._clock() > deadline:
                return False
            return bool(self.scanner.scan(Extract(segments=(segment,)), bool).hits)

        return suspects(extract, fires)

    def _statics(
        self,
        extract: Extract,
        hits: tuple[Hit, ...],
        policy: RoutePolicy,
        encoded: bool,
        elapsed_ms: float,
    ) -> tuple[Static, ...]:
        pending = extract.pending_calls
        prompt = judge_prompt(
            hits, self.thresholds, beside_a_call=bool(pending), elapsed_ms=elapsed_ms
        )
        if not pending:
            return (prompt,)
        action = judge_action(
            extract,
            hits,
            self.thresholds,
            high_risk=self.is_high_risk(extract),
            encoded=encoded,
            claimed=policy.wire_roles == "claimed",
            elapsed_ms=elapsed_ms,
        )
        return prompt, action


def report_defect(step: str, error: Exception) -> None:
    """Say that we failed, by the type alone: a message or a traceback may quote the request."""
    _log.error("abuse-gate: %s failed with %s; please report it", step, type(error).__name__)
