"""Where the texts of a payload came from: rules and sizes of each source, and no text of any."""

from collections.abc import Mapping
from typing import Any

from abuse_gate.model.extract import Extract, Segment, Source
from abuse_gate.model.hit import Place
from abuse_gate.rules.findings import Findings
from abuse_gate.rules.packs import PLACES


def sources(
    extract: Extract, groups: Mapping[Place, list[Segment]], findings: Findings
) -> list[dict[str, Any]]:
    """One source per upload, and one per place that has other text: rules and sizes only."""
    texts: dict[Place, list[str]] = {}
    for place, segments in groups.items():
        own = [segment.text for segment in segments if segment.source is None]
        if own:
            texts[place] = own
    called = [part for call in extract.pending_calls for part in (call.name, *call.texts)]
    if called:
        texts["call"] = called
    uploads = [_upload(source, findings, number) for number, source in enumerate(extract.sources)]
    return [
        *uploads,
        *(_source(place, texts[place], findings) for place in PLACES if place in texts),
    ]


def _upload(source: Source, findings: Findings, number: int) -> dict[str, Any]:
    rules = sorted({hit.rule for hit in findings.hits if hit.source == number})
    return {"type": source.type, "rule_hits": rules, "meta": dict(source.meta)}


def _source(place: Place, texts: list[str], findings: Findings) -> dict[str, Any]:
    fired = (hit for hit in findings.hits if hit.place == place and hit.source is None)
    rules = sorted({hit.rule for hit in fired})
    meta = {"place": place, "segments": len(texts), "chars": sum(map(len, texts))}
    return {"type": "text", "rule_hits": rules, "meta": meta}
