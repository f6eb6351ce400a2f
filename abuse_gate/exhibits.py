"""What leaves the process: makes the payload of a verifier and the evidence of a judge.

Shows a judge the suspected blocks first; decides nothing about them.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from abuse_gate.inspection import Inspection
from abuse_gate.model.extract import Extract
from abuse_gate.model.hit import SUSPECT_CUT, Place
from abuse_gate.model.payload import Payload
from abuse_gate.rules.placeholders import Redaction
from abuse_gate.rules.provenance import quoting
from abuse_gate.rules.recent import Window, recent
from abuse_gate.rules.redact import redact
from abuse_gate.rules.showing import MAX_CONTEXT, Showing
from abuse_gate.rules.tools import ToolRisk
from abuse_gate.settings import PiiRuleset, RoutePolicy, Settings
from abuse_gate.verify.brief import Evidence
from abuse_gate.work.scanner import Scanner

# Of the blocks that are not shown by themselves there is one entry for tools, one for documents.
SUMMARIES: Final = 2


class Exhibits:
    """One for a gate; holds nothing of any request."""

    def __init__(
        self,
        settings: Settings,
        scanner: Scanner,
        digest_key: bytes,
        redactions: Mapping[PiiRuleset, Redaction],
        risk: ToolRisk,
    ) -> None:
        self._scanner = scanner
        self._digest_key = digest_key
        self._redactions = redactions
        self._risk = risk
        self._window = Window(settings.context_messages, settings.context_chars)

    def evidence(self, inspection: Inspection, policy: RoutePolicy) -> Evidence:
        """What a judge may see: the same, through the window, with the suspected blocks named."""
        blocks = _shown_blocks(inspection)
        seen = recent(inspection.extract, self._window, blocks)
        places = {seen.places[block] for block in blocks if block in seen.places}
        showing = Showing(
            seen.kept,
            max(self._window.chars, MAX_CONTEXT),
            self._window.messages + SUMMARIES,
            frozenset(seen.segments[block] for block in blocks),
        )
        payload = self._payload(inspection, policy, seen.extract, showing)
        return Evidence(payload, tuple(sorted(places)))

    def payload(
        self, inspection: Inspection, policy: RoutePolicy, part: Extract | None = None
    ) -> Payload:
        """What a verifier may see of a request, or of a part of it: the contract's shape."""
        blocks, extract = _shown_blocks(inspection), inspection.extract
        if part is None:
            return self._payload(inspection, policy, extract, Showing(suspected=blocks))
        suspects = {extract.segments[number] for number in blocks}
        there = frozenset(n for n, each in enumerate(part.segments) if each in suspects)
        left_out = not suspects <= set(part.segments)
        showing = Showing(suspected=there, left_out=left_out)
        return self._payload(inspection, policy, part, showing)

    def _payload(
        self, inspection: Inspection, policy: RoutePolicy, extract: Extract, showing: Showing
    ) -> Payload:
        context = {
            "pii_ruleset": policy.pii_ruleset,
            "block_mode": "strict" if policy.plan == "paranoid" or policy.locked else "baseline",
            "override_mode": policy.on_unclear,
        }
        looking = _Looking(
            frozenset(hit.place for hit in inspection.hits),
            policy.disabled_rules,
            quoting(extract) if showing.suspected else None,
        )
        return redact(
            extract,
            replace(inspection.findings, hits=inspection.hits),
            key=self._digest_key,
            policy_context=context,
            tool_risk=self._risk,
            redaction=self._redactions[policy.pii_ruleset],
            locate=partial(self._located, looking),
            showing=showing,
        )

    def _located(self, looking: "_Looking", text: str, place: Place) -> frozenset[str]:
        """The rules in force that fire in a part of a text, and whether a call quotes it."""
        fired = frozenset[str]()
        if place in looking.places:
            hits = self._scanner.scan_text(text, place).hits
            fired = frozenset(hit.rule for hit in hits if hit.rule not in looking.disabled)
        quoted = place != "call" and looking.quotes is not None and looking.quotes(text)
        return fired | {SUSPECT_CUT.rule} if quoted else fired


def _shown_blocks(inspection: Inspection) -> frozenset[int]:
    """The suspected blocks that are shown at all: what raw markup says goes as it was read."""
    segments = inspection.extract.segments
    return frozenset(number for number in inspection.blocks if not segments[number].markup)


@dataclass(frozen=True, slots=True)
class _Looking:
    """What is looked for in the parts of a long text: rules where any has fired, and quotations."""

    places: frozenset[Place]
    disabled: Collection[str]
    quotes: Callable[[str], bool] | None
