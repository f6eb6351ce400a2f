"""Extract and findings in, Payload out: the only door through which text leaves the process.

Secrets and addresses become numbered placeholders, long texts lose their middle, surroundings
(cookies, headers) stay at home. Counters and a keyed digest only: no clock, no chance.
"""

import hmac
from collections.abc import Iterable, Mapping
from typing import Any, Final

from abuse_gate.model.extract import PLACE_OF, Extract, Origin, Segment, ToolCall
from abuse_gate.model.hit import SUSPECT_CUT, Hit, Place
from abuse_gate.model.payload import Payload
from abuse_gate.rules.findings import Findings
from abuse_gate.rules.letters import LINE_HYPHEN
from abuse_gate.rules.placeholders import Placeholders, Redaction
from abuse_gate.rules.showing import MAX_CONTEXT, MAX_ENTRIES, PLAINLY, Showing
from abuse_gate.rules.sources import sources
from abuse_gate.rules.structure import SEVERITIES
from abuse_gate.rules.tools import ToolRisk
from abuse_gate.rules.windows import Cut, Locate, cut, nowhere

MAX_PROMPT: Final = 16_000
MAX_ARGUMENTS: Final = 4_000
MAX_NAME: Final = 200
SUMMED_UP: Final[Mapping[Place, Origin]] = {"third_party": "tool", "document": "document"}
# How far around a part values are looked for: longer than any key block.
MARGIN: Final = 4_096
# The surroundings of a request, which are sent to nobody.
AT_HOME: Final[Place] = "ambient"
DEFAULT: Final = Redaction()


class _Redactor:
    """One request's cleaning: placeholders in every field, the parts of a long text that matter.

    Remembers which places were cut, so that nobody clears what nobody was shown.
    """

    __slots__ = (
        "_cut",
        "_hiding",
        "_key",
        "_locate",
        "_placeholders",
        "_shown",
        "_withheld",
        "suspect_cut",
    )

    def __init__(self, key: bytes, redaction: Redaction, locate: Locate) -> None:
        self._key = key
        self._locate = locate
        self._placeholders = Placeholders(redaction)
        self._cut: set[Place] = set()
        self._withheld: set[Place] = set()
        self._hiding: set[Place] = set()
        self._shown: dict[Place, list[str]] = {}
        self.suspect_cut = False

    def clean(self, text: str, limit: int, place: Place, *, suspect: bool = False) -> str:
        """The text without secrets and identifiers; of a long one head, tail and windows."""
        parted = cut(text, limit, self._locate, place)
        self.suspect_cut |= suspect and len(parted.spans) > 1
        self._note(text, parted, place)
        spans = parted.spans
        parts: list[str] = []
        digest = f", digest {self.digest(text)}" if len(spans) > 1 else ""
        for number, (start, end) in enumerate(spans):
            if number:
                gap = start - spans[number - 1][1]
                parts.append(f"\n[… {gap} characters left out{digest}]\n")
                digest = ""
            parts.append(_printable(self._piece(text, start, end)))
        return "".join(parts)

    def withhold(self, places: Iterable[Place]) -> None:
        """Of these places something is not sent."""
        self._withheld.update(places)

    def unseen(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        """The hits that the payload does not show, or of which it may not show all."""
        shown = {place: self._fired(place) for place in self._cut | self._withheld}
        for place in self._withheld - self._cut:
            # How a document is built, no raw text shows anyway.
            shown[place] |= SEVERITIES.keys()
        unshown = tuple(
            hit
            for hit in hits
            if hit.place == AT_HOME
            or hit.place in self._hiding
            or hit.rule not in shown.get(hit.place, {hit.rule})
        )
        return (*unshown, SUSPECT_CUT) if self.suspect_cut else unshown

    def _note(self, text: str, parted: Cut, place: Place) -> None:
        self._shown.setdefault(place, []).extend(text[slice(*span)] for span in parted.spans)
        if len(parted.spans) > 1:
            self._cut.add(place)
        if parted.hiding:
            self._hiding.add(place)

    def _fired(self, place: Place) -> set[str]:
        parts = self._shown.get(place, ())
        return {rule for part in parts for rule in self._locate(part, place)}

    def _piece(self, text: str, start: int, end: int) -> str:
        """One part, read with what stands around it: a key cut in two is a key no pattern knows."""
        low, high = max(0, start - MARGIN), end + MARGIN
        return self._placeholders.replaced(text[low:high], start - low, end - low)

    def digest(self, text: str) -> str:
        """A keyed digest: a bare hash of a short text could be guessed back."""
        return hmac.digest(self._key, text.encode("utf-8", "replace"), "sha256").hex()[:32]


def redact(
    extract: Extract,
    findings: Findings,
    *,
    key: bytes,
    policy_context: Mapping[str, str],
    tool_risk: ToolRisk,
    redaction: Redaction = DEFAULT,
    locate: Locate = nowhere,
    showing: Showing = PLAINLY,
) -> Payload:
    """The contract's shape of a request, with nothing in it that an adapter need not see."""
    # A text that could not be scanned to its end would cost as much again with every look, and
    # nobody will clear it anyway.
    looks = "scan_budget" not in findings.flags and bool(findings.hits or showing.suspected)
    redactor = _Redactor(key, redaction, locate if looks else nowhere)
    redactor.suspect_cut = showing.left_out
    groups = _by_place(extract.segments)
    sent = _by_place(segment for segment in extract.segments if not segment.markup)
    redactor.withhold(PLACE_OF[segment.origin] for segment in extract.segments if segment.markup)
    suspect = any(_place(extract.segments[number]) == "caller" for number in showing.suspected)
    said = _joined(sent.get("caller", []))
    fields: dict[str, Any] = {
        "prompt_text": redactor.clean(said, MAX_PROMPT, "caller", suspect=suspect),
        "modalities": list(extract.modalities),
        "policy_context": dict(policy_context),
        "ingress_flags": sorted(extract.flags | findings.flags),
        "debug": {"sources": sources(extract, groups, findings)},
        "context": _context(extract, redactor, showing),
        "tool_calls": _tool_calls(extract.calls, redactor, tool_risk),
    }
    return Payload(fields, findings.hits, redactor.unseen(findings.hits))


def _by_place(segments: Iterable[Segment]) -> dict[Place, list[Segment]]:
    groups: dict[Place, list[Segment]] = {}
    for segment in segments:
        groups.setdefault(PLACE_OF[segment.origin], []).append(segment)
    return groups


def _joined(segments: Iterable[Segment]) -> str:
    return "\n".join(segment.text for segment in segments)


def _printable(text: str) -> str:
    # A lone surrogate is legal in a JSON escape and in no UTF-8 that a provider would take.
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8").replace(LINE_HYPHEN, "-\n")


def _context(extract: Extract, redactor: _Redactor, showing: Showing) -> list[dict[str, Any]]:
    """Somebody else's words, labelled with where they come from."""
    numbered = [
        (number, segment)
        for place in SUMMED_UP
        for number, segment in enumerate(extract.segments)
        if _place(segment) == place and not segment.markup
    ]
    entries: list[dict[str, Any]] = []
    for number, segment in numbered[: showing.entries]:
        suspect = number in showing.suspected
        limit, place = showing.limit(number), _place(segment)
        text = redactor.clean(segment.text, limit, place, suspect=suspect)
        entries.append({"origin": segment.origin, "trust": segment.trust, "text": text})
    rest = numbered[showing.entries :]
    suspect = any(number in showing.suspected for number, _ in rest)
    for place, origin in SUMMED_UP.items():
        text = _joined(segment for _, segment in rest if _place(segment) == place)
        if text:
            text = redactor.clean(text, MAX_CONTEXT, place, suspect=suspect)
            entries.append({"origin": origin, "trust": "untrusted", "text": text})
    return entries


def _place(segment: Segment) -> Place:
    return PLACE_OF[segment.origin]


def _tool_calls(
    calls: tuple[ToolCall, ...], redactor: _Redactor, tool_risk: ToolRisk
) -> list[dict[str, Any]]:
    """Proposed actions, the pending ones first: they are what is being judged."""
    ordered = sorted(calls, key=lambda call: not call.pending)
    entries = [
        _tool_call(call, redactor, high=tool_risk.is_high(call.name))
        for call in ordered[:MAX_ENTRIES]
    ]
    rest = ordered[MAX_ENTRIES:]
    if rest:
        high = any(tool_risk.is_high(call.name) for call in rest)
        entries.append(_tool_call(_summed_up(rest), redactor, high=high))
    return entries


def _tool_call(call: ToolCall, redactor: _Redactor, *, high: bool) -> dict[str, Any]:
    return {
        "name": redactor.clean(call.name, MAX_NAME, "call"),
        "arguments": redactor.clean("\n".join(call.texts), MAX_ARGUMENTS, "call"),
        "risk": "high" if high else "low",
        "pending": call.pending,
    }


def _summed_up(calls: list[ToolCall]) -> ToolCall:
    """The calls beyond the limit as one."""
    texts = tuple(part for call in calls for part in (call.name, *call.texts))
    return ToolCall(f"[… {len(calls)} more calls]", texts, pending=calls[0].pending)
