"""What was decided, read back from an audit file or an OTLP JSON export, in one shape for both."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

from abuse_gate.telemetry.otel.names import GUARDRAIL_SPAN, PREFIX

_NANOS: Final = 1_000_000_000
_TIME: Final = "time."


@dataclass(frozen=True, slots=True)
class Told:
    """One request as it was told: the facts by their names, the steps in their order."""

    at: str
    facts: Mapping[str, Any]
    times_ms: Mapping[str, float] = field(default_factory=dict[str, float])
    steps: Sequence[Mapping[str, Any]] = ()

    def fact(self, name: str) -> str:
        """A fact as text; empty when it was not told."""
        value: object = self.facts.get(name, "")
        if isinstance(value, list):
            return ", ".join(map(str, cast("list[object]", value)))
        return str(value)


def told_in(paths: Iterable[Path]) -> Iterator[Told]:
    """Every request in some files, as they come; lines that are neither format are passed over."""
    spans: list[dict[str, Any]] = []
    for path in paths:
        for document in _documents(path):
            if "resourceSpans" in document:
                spans.extend(_spans(document))
            elif document.get("kind") == "decision":
                yield _from_audit(document)
    yield from _from_spans(spans)


def _documents(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file, one for each line or one in all."""
    text = path.read_text("utf-8", "replace")
    found = [_object(line) for line in text.splitlines() if line.strip()]
    if not any(found):
        found = [_object(text)]
    yield from (document for document in found if document)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _from_audit(record: dict[str, Any]) -> Told:
    steps: list[dict[str, Any]] = record.get("trail", [])
    return Told(str(record.get("at", "")), record, record.get("times_ms", {}), steps)


def _spans(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for resource in document["resourceSpans"]:
        for scope in resource.get("scopeSpans", []):
            yield from scope.get("spans", [])


def _from_spans(spans: Sequence[dict[str, Any]]) -> Iterator[Told]:
    children: dict[str, list[dict[str, Any]]] = {}
    for span in spans:
        children.setdefault(str(span.get("parentSpanId", "")), []).append(span)
    for span in spans:
        if span.get("name") == GUARDRAIL_SPAN:
            yield _from_span(span, children)


def _from_span(span: dict[str, Any], children: Mapping[str, list[dict[str, Any]]]) -> Told:
    facts = _attributes(span)
    times = {
        name.removeprefix(_TIME).removesuffix("_ms"): value
        for name, value in facts.items()
        if name.startswith(_TIME)
    }
    facts = {name: value for name, value in facts.items() if not name.startswith(_TIME)}
    facts["trace_id"] = span.get("traceId", "")
    at = datetime.fromtimestamp(int(span.get("endTimeUnixNano", 0)) / _NANOS, UTC)
    steps = [_step(child) for child in children.get(str(span.get("spanId")), [])]
    return Told(at.isoformat(timespec="milliseconds"), facts, times, steps)


def _step(span: dict[str, Any]) -> dict[str, Any]:
    taken = int(span.get("endTimeUnixNano", 0)) - int(span.get("startTimeUnixNano", 0))
    return {**_attributes(span), "elapsed_ms": taken / (_NANOS / 1000)}


def _attributes(span: dict[str, Any]) -> dict[str, Any]:
    found = {each["key"]: _value(each.get("value", {})) for each in span.get("attributes", [])}
    return {name.removeprefix(PREFIX): value for name, value in found.items()}


def _value(value: dict[str, Any]) -> Any:
    if "arrayValue" in value:
        return [_value(each) for each in value["arrayValue"].get("values", [])]
    if "intValue" in value:
        # The JSON of protocol buffers writes large numbers as text.
        return int(value["intValue"])
    return next(iter(value.values()), "")
