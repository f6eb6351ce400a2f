"""Tier 1's hands: reads a request, has its files opened, scans all of it, and makes the payload.

Decides nothing: what follows from an Inspection is the gate's to say.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from abuse_gate.deciding.score import Thresholds
from abuse_gate.deciding.static import judge_action, judge_prompt
from abuse_gate.deciding.tiers import Static, asks_any
from abuse_gate.inspection import Inspection, effort_of, says_something, unread, weighed_hits
from abuse_gate.model.extract import Extract
from abuse_gate.model.hit import Hit
from abuse_gate.model.payload import Payload
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions
from abuse_gate.rules.placeholders import Redaction
from abuse_gate.rules.redact import redact
from abuse_gate.rules.tools import ToolRisk
from abuse_gate.settings import PiiRuleset, RoutePolicy, Settings
from abuse_gate.work.documents import DocumentPool
from abuse_gate.work.scanner import Scanner, beside_the_loop
from abuse_gate.work.uploads import open_uploads

_log = logging.getLogger("abuse_gate")


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
        self._digest_key = digest_key
        self._clock = clock
        self._documents = documents
        self._redactions = redactions
        self._risk = ToolRisk(settings.additional_high_risk_tools, settings.unknown_tools)
        self.thresholds = Thresholds(settings.block_threshold, settings.notice_threshold)

    async def inspect(
        self, request: RawRequest, policy: RoutePolicy, *, verified: bool
    ) -> Inspection:
        """What the rules make of a request; `verified` tells that there is somebody to ask."""
        started = self._clock()
        try:
            found = await beside_the_loop(
                lambda: self._inspect(request, policy, started, verified), effort_of(request)
            )
            if isinstance(found, Inspection):
                return found
            extract = await open_uploads(found, self._documents)
            return await beside_the_loop(
                lambda: self._judge(extract, policy, started, verified),
                effort_of(request) + extract.chars,
            )
        except Exception as error:  # noqa: BLE001 - a defect of ours must not become the app's 500
            report_defect("inspect", error)
            return unread(request, started)

    def payload(
        self, inspection: Inspection, policy: RoutePolicy, part: Extract | None = None
    ) -> Payload:
        """What a verifier may see of a request, or of a part: the contract's shape, redacted."""
        context = {
            "pii_ruleset": policy.pii_ruleset,
            "block_mode": "strict" if policy.plan == "paranoid" or policy.locked else "baseline",
            "override_mode": policy.on_unclear,
        }
        return redact(
            part or inspection.extract,
            replace(inspection.findings, hits=inspection.hits),
            key=self._digest_key,
            policy_context=context,
            tool_risk=self._risk,
            redaction=self._redactions[policy.pii_ruleset],
            locate=lambda text: bool(self.scanner.scan_text(text).hits),
        )

    def is_high_risk(self, extract: Extract) -> bool:
        """Whether the request proposes a call of a high-risk tool."""
        return any(self._risk.is_high(call.name) for call in extract.pending_calls)

    def close(self) -> None:
        """End the document workers; new ones are started when they are needed."""
        self._documents.close()

    def _inspect(
        self, request: RawRequest, policy: RoutePolicy, started: float, verified: bool
    ) -> Inspection | Extract:
        """The whole inspection in one go, or the extract alone when files wait to be opened."""
        options = ReadingOptions(
            wire_roles=policy.wire_roles, max_inflated_bytes=self._settings.max_body_bytes
        )
        extract = read(request, options)
        return extract if extract.uploads else self._judge(extract, policy, started, verified)

    def _judge(
        self, extract: Extract, policy: RoutePolicy, started: float, verified: bool
    ) -> Inspection:
        findings = self.scanner.scan(extract)
        hits = weighed_hits(extract, findings, policy)
        statics = self._statics(extract, hits, policy, encoded=findings.encoded)
        ask = verified and asks_any(policy.plan, statics) and says_something(extract)
        return Inspection(extract, findings, hits, statics, ask, started)

    def _statics(
        self, extract: Extract, hits: tuple[Hit, ...], policy: RoutePolicy, *, encoded: bool
    ) -> tuple[Static, ...]:
        pending = extract.pending_calls
        prompt = judge_prompt(hits, self.thresholds, beside_a_call=bool(pending))
        if not pending:
            return (prompt,)
        action = judge_action(
            extract,
            hits,
            self.thresholds,
            high_risk=self.is_high_risk(extract),
            encoded=encoded,
            claimed=policy.wire_roles == "claimed",
        )
        return prompt, action


def report_defect(step: str, error: Exception) -> None:
    """Say that we failed, by the type alone: a message or a traceback may quote the request."""
    _log.error("abuse-gate: %s failed with %s; please report it", step, type(error).__name__)
