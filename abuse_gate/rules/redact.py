"""Extract and findings in, Payload out: the only door through which text leaves the process.

Secrets and addresses become numbered placeholders, long texts lose their middle, surroundings
(cookies, headers) stay at home. Counters and a keyed digest only: no clock, no chance.
"""

import hmac
import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from abuse_gate.model.extract import PLACE_OF, Extract, Segment, ToolCall
from abuse_gate.model.hit import Place
from abuse_gate.model.payload import Payload
from abuse_gate.rules.detectors import DETECTORS, Kind
from abuse_gate.rules.packs import PLACES
from abuse_gate.rules.scan import Findings
from abuse_gate.rules.tools import ToolRisk

MAX_PROMPT: Final = 16_000
MAX_CONTEXT: Final = 4_000
MAX_ARGUMENTS: Final = 4_000
MAX_NAME: Final = 200
# Entries of context and of tool calls; what is beyond them is summed up in one more entry.
MAX_ENTRIES: Final = 32


class _Redactor:
    """The placeholders of one request: the same value has the same one in every field."""

    __slots__ = ("_counts", "_key", "_names")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._names: dict[tuple[Kind, str], str] = {}
        self._counts: dict[Kind, int] = {}

    def clean(self, text: str, limit: int) -> str:
        """The text without secrets and addresses, its middle left out beyond the limit."""
        return self._shorten(text, self._replace(text), limit)

    def _replace(self, text: str) -> str:
        lowered = text.lower()
        for detector in DETECTORS:
            if any(hint in lowered for hint in detector.hints):
                text = detector.pattern.sub(partial(self._swap, detector.kind), text)
        return text

    def _swap(self, kind: Kind, found: re.Match[str]) -> str:
        whole = found.group()
        if "value" not in found.re.groupindex:
            return self._name(kind, whole)
        start, end = found.span("value")
        before, after = whole[: start - found.start()], whole[end - found.start() :]
        return before + self._name(kind, found["value"]) + after

    def _name(self, kind: Kind, value: str) -> str:
        name = self._names.get((kind, value))
        if name is None:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            name = f"[{kind}_{self._counts[kind]}]"
            self._names[kind, value] = name
        return name

    def _shorten(self, original: str, text: str, limit: int) -> str:
        if len(text) <= limit:
            return _printable(text)
        half = limit // 2
        left_out = len(text) - 2 * half
        note = f"\n[… {left_out} characters left out, digest {self.digest(original)}]\n"
        return _printable(text[:half]) + note + _printable(text[-half:])

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
) -> Payload:
    """The contract's shape of a request, with nothing in it that an adapter need not see."""
    redactor = _Redactor(key)
    groups = _by_place(extract)
    fields: dict[str, Any] = {
        "prompt_text": redactor.clean(_joined(groups.get("caller", [])), MAX_PROMPT),
        "modalities": list(extract.modalities),
        "policy_context": dict(policy_context),
        "ingress_flags": sorted(extract.flags | findings.flags),
        "debug": {"sources": _sources(extract, groups, findings)},
        "context": _context(
            [*groups.get("third_party", []), *groups.get("document", [])], redactor
        ),
        "tool_calls": _tool_calls(extract.calls, redactor, tool_risk),
    }
    return Payload(fields, findings.hits)


def _by_place(extract: Extract) -> dict[Place, list[Segment]]:
    groups: dict[Place, list[Segment]] = {}
    for segment in extract.segments:
        groups.setdefault(PLACE_OF[segment.origin], []).append(segment)
    return groups


def _joined(segments: Iterable[Segment]) -> str:
    return "\n".join(segment.text for segment in segments)


def _printable(text: str) -> str:
    # A lone surrogate is legal in a JSON escape and in no UTF-8 that a provider would take.
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _sources(
    extract: Extract, groups: Mapping[Place, list[Segment]], findings: Findings
) -> list[dict[str, Any]]:
    """One source per place that has text, with the rules that fired there and sizes only."""
    texts: dict[Place, list[str]] = {
        place: [segment.text for segment in segments] for place, segments in groups.items()
    }
    called = [part for call in extract.pending_calls for part in (call.name, *call.texts)]
    if called:
        texts["call"] = called
    return [_source(place, texts[place], findings) for place in PLACES if place in texts]


def _source(place: Place, texts: list[str], findings: Findings) -> dict[str, Any]:
    rules = sorted({hit.rule for hit in findings.hits if hit.place == place})
    meta = {"place": place, "segments": len(texts), "chars": sum(map(len, texts))}
    return {"type": "text", "rule_hits": rules, "meta": meta}


def _context(segments: list[Segment], redactor: _Redactor) -> list[dict[str, Any]]:
    """Somebody else's words, labelled with where they come from."""
    entries = [
        {
            "origin": segment.origin,
            "trust": segment.trust,
            "text": redactor.clean(segment.text, MAX_CONTEXT),
        }
        for segment in segments[:MAX_ENTRIES]
    ]
    rest = segments[MAX_ENTRIES:]
    if rest:
        text = redactor.clean(_joined(rest), MAX_CONTEXT)
        entries.append({"origin": "document", "trust": "untrusted", "text": text})
    return entries


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
        "name": redactor.clean(call.name, MAX_NAME),
        "arguments": redactor.clean("\n".join(call.texts), MAX_ARGUMENTS),
        "risk": "high" if high else "low",
        "pending": call.pending,
    }


def _summed_up(calls: list[ToolCall]) -> ToolCall:
    """The calls beyond the limit as one."""
    texts = tuple(part for call in calls for part in (call.name, *call.texts))
    return ToolCall(f"[… {len(calls)} more calls]", texts, pending=calls[0].pending)
