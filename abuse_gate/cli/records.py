"""What was decided, read back from an audit file or an OTLP JSON export, in one shape for both.

Files may hold anything: what is not as the gate or a collector writes it is passed over, and hides
nothing that is.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

from abuse_gate.contract import ConfigError
from abuse_gate.telemetry.audit.report import lines_of
from abuse_gate.telemetry.otel.names import GUARDRAIL_SPAN, PREFIX, SCOPE

# An export may be one document; what is larger than this is passed over.
MOST_DOCUMENT: Final = 512 << 20
# The kinds of records in a trail.
DECISION: Final = "decision"
CHANGE: Final = "mode"
KINDS: Final = (DECISION, CHANGE, "open", "seal", "gap", "breaker")
UNKNOWN: Final = (
    "no record of a gate in these files: neither of an audit trail nor of an OTLP export"
)
_NANOS: Final = 1_000_000_000
_TIME: Final = "time."
# Of 64 bits.
_DIGITS: Final = 20


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
        return "" if value is None else str(value)

    def listed(self, name: str) -> list[str]:
        """The values of a fact that is a list."""
        value: object = self.facts.get(name)
        return list(map(str, cast("list[object]", value))) if isinstance(value, list) else []

    @property
    def moment(self) -> datetime | None:
        """When it was decided; None where that cannot be told."""
        try:
            found = datetime.fromisoformat(self.at)
        except ValueError:
            return None
        return found if found.tzinfo else found.replace(tzinfo=UTC)


def told_in(paths: Iterable[Path], kind: str = DECISION) -> Iterator[Told]:
    """Every request in some files, as they come, or every record of another kind.

    Lines that are neither format are passed over; files without any that is are a wrong question.
    """
    spans, known = _Spans(), False
    for path in paths:
        for document in _documents(path):
            known = True
            if "resourceSpans" in document:
                spans.take(document)
            elif document["kind"] == kind:
                yield _from_audit(document)
    if not known:
        raise ConfigError(UNKNOWN)
    # Spans tell of requests alone.
    yield from spans.told() if kind == DECISION else ()


def _documents(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file that a gate or a collector wrote, one for each line or one in all."""
    if not path.is_file() and not path.is_fifo():
        raise ConfigError(f"{path}: neither a file nor a pipe")
    found = False
    # Line by line: a trail may be larger than memory.
    for line in lines_of(path, MOST_DOCUMENT):
        document = _object(line.data)
        if document:
            found = True
            yield document
    # A pipe can be read but once.
    if not found and path.is_file() and path.stat().st_size <= MOST_DOCUMENT:
        document = _object(path.read_bytes())
        yield from [document] if document else []


def _object(data: bytes) -> dict[str, Any]:
    """An export or a record of a trail; empty for anything else."""
    try:
        value = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    found = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    return found if "resourceSpans" in found or found.get("kind") in KINDS else {}


def _from_audit(record: dict[str, Any]) -> Told:
    times: object = record.get("times_ms")
    told = cast("dict[str, object]", times) if isinstance(times, dict) else {}
    steps = [
        {**step, "elapsed_ms": _number(step.get("elapsed_ms"))}
        for step in _objects(record.get("trail"))
    ]
    measured = {name: _number(ms) for name, ms in told.items()}
    return Told(str(record.get("at", "")), record, measured, steps)


class _Spans:
    """Requests out of exports; a step is exported before the request that it belongs to."""

    def __init__(self) -> None:
        self._told: list[tuple[str, Told]] = []
        self._steps: dict[str, list[dict[str, Any]]] = {}

    def take(self, document: dict[str, Any]) -> None:
        """Keeps what tells of the gate; most of an export is the app's own."""
        for span in _spans(document):
            if span.get("name") == GUARDRAIL_SPAN:
                self._told.append((str(span.get("spanId")), _from_span(span)))
            else:
                parent = str(span.get("parentSpanId", ""))
                self._steps.setdefault(parent, []).append(_step(span))

    def told(self) -> Iterator[Told]:
        """Every request with its steps."""
        for name, told in self._told:
            yield replace(told, steps=self._steps.get(name, ()))


def _spans(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The spans that are the gate's, or might be: some exports do not say whose they are."""
    for resource in _objects(document["resourceSpans"]):
        for scope in _objects(resource.get("scopeSpans")):
            (whose,) = _objects([scope.get("scope")]) or [{}]
            if whose.get("name", SCOPE) == SCOPE:
                yield from _objects(scope.get("spans"))


def _from_span(span: dict[str, Any]) -> Told:
    facts = _attributes(span)
    times = {
        name.removeprefix(_TIME).removesuffix("_ms"): _number(value)
        for name, value in facts.items()
        if name.startswith(_TIME)
    }
    facts = {name: value for name, value in facts.items() if not name.startswith(_TIME)}
    facts["trace_id"] = str(span.get("traceId", ""))
    return Told(_date(_whole(span.get("endTimeUnixNano"))), facts, times)


def _date(nanos: int) -> str:
    # Never beyond what a date can hold: see `_whole`.
    return datetime.fromtimestamp(nanos / _NANOS, UTC).isoformat(timespec="milliseconds")


def _step(span: dict[str, Any]) -> dict[str, Any]:
    taken = _whole(span.get("endTimeUnixNano")) - _whole(span.get("startTimeUnixNano"))
    return {**_attributes(span), "elapsed_ms": _number(taken / (_NANOS / 1000))}


def _attributes(span: dict[str, Any]) -> dict[str, Any]:
    found = {str(each.get("key")): _value(each) for each in _objects(span.get("attributes"))}
    return {name.removeprefix(PREFIX): value for name, value in found.items()}


def _value(holder: dict[str, Any]) -> Any:
    """The value of an attribute: text, a number, a truth, or a list of them."""
    (value,) = _objects([holder.get("value")]) or [{}]
    if "arrayValue" in value:
        (array,) = _objects([value["arrayValue"]]) or [{}]
        values: object = array.get("values")
        listed = cast("list[object]", values) if isinstance(values, list) else []
        return [_value({"value": each}) for each in listed]
    if "intValue" in value:
        # The JSON of protocol buffers writes large numbers as text.
        return _whole(value["intValue"])
    return next(iter(value.values()), "")


def _objects(value: object) -> list[dict[str, Any]]:
    """The objects in what should be a list of them."""
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", each) for each in listed if isinstance(each, dict)]


def _whole(value: object) -> int:
    """A whole number of at most twenty digits, as text or not; 0 for anything else."""
    text = str(value) if isinstance(value, str | int) else ""
    return int(text) if text.isdecimal() and text.isascii() and len(text) <= _DIGITS else 0


def _number(value: object) -> float:
    """A number that can be shown; 0 for anything else."""
    known = isinstance(value, int | float) and math.isfinite(value)
    return float(cast("float", value)) if known else 0.0
