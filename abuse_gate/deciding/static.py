"""Tier 1's judgement: what the rules' hits mean for a prompt, and the seed's four checks in order
for an action. No model, no clock.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from abuse_gate.deciding.planner import Finding, Matter, Static
from abuse_gate.deciding.score import Thresholds, judged, reason_of
from abuse_gate.model.extract import Extract
from abuse_gate.model.hit import Hit, Place
from abuse_gate.model.verdict import Assessment, Step, Verdict

PROMPT_FINDING: Final[dict[Verdict, Finding]] = {
    "safe": "clean",
    "unclear": "noticed",
    "unsafe": "condemned",
}

# Beside a pending call, what a tool answered is the action's matter, not the prompt's. A document
# stays the prompt's as well: nothing but the caller's word makes its text a document's.
PROMPT_PLACES: Final[frozenset[Place]] = frozenset({"caller", "ambient", "document", "third_party"})
PROMPT_PLACES_BESIDE_A_CALL: Final[frozenset[Place]] = frozenset({"caller", "ambient", "document"})
ACTION_PLACES: Final[frozenset[Place]] = frozenset({"call", "document", "third_party"})


def judge_prompt(
    hits: Iterable[Hit], thresholds: Thresholds, *, beside_a_call: bool, elapsed_ms: float = 0.0
) -> Static:
    """A prompt is what its hits add up to; `elapsed_ms` is what finding them has taken."""
    places = PROMPT_PLACES_BESIDE_A_CALL if beside_a_call else PROMPT_PLACES
    counted = tuple(hit for hit in hits if hit.place in places)
    verdict = judged(counted, thresholds)
    found = _Found("prompt", counted, elapsed_ms)
    return found.static(PROMPT_FINDING[verdict], verdict, reason_of(verdict, counted))


def judge_action(
    extract: Extract,
    hits: Iterable[Hit],
    thresholds: Thresholds,
    *,
    high_risk: bool,
    encoded: bool,
    claimed: bool,
    elapsed_ms: float = 0.0,
) -> Static:
    """The seed's checks: untrusted content? high-risk tool? suspicious pattern? encoded content?

    A `claimed` call came over the wire: who proposed it is the caller's word, so that a call which
    is unsafe by itself does not pass for want of other untrusted content.
    """
    counted = tuple(hit for hit in hits if hit.place in ACTION_PLACES)
    verdict = judged(counted, thresholds)
    found = _Found("action", counted, elapsed_ms)
    if not _untrusted_influence(extract) and not (claimed and verdict == "unsafe"):
        return found.static("no_untrusted", "safe", "no_untrusted")
    if not high_risk:
        return found.static("low_risk", "safe", "low_risk")
    if not counted and not encoded:
        return found.static("no_red_flags", "safe", "no_red_flags")
    return found.static("flagged", verdict, reason_of(verdict, counted))


def _untrusted_influence(extract: Extract) -> bool:
    if any(segment.trust == "untrusted" for segment in extract.segments):
        return True
    return any(not call.context_known for call in extract.pending_calls)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the rules found of one matter, and how long that took."""

    matter: Matter
    hits: tuple[Hit, ...]
    elapsed_ms: float

    def static(self, finding: Finding, verdict: Verdict, reason: str) -> Static:
        """Tier 1's word on it."""
        step = Step("static", verdict, reason, self.elapsed_ms, matter=self.matter)
        return Static(
            self.matter, finding, Assessment(verdict, reason, hits=self.hits, trail=(step,))
        )
