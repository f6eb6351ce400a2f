"""Saved queries for Phoenix: paste one into the filter of the spans' page. Data; asks nobody."""

from collections.abc import Mapping
from typing import Final

QUERIES: Final[Mapping[str, str]] = {
    "find an incident": "attributes['abuse_gate']['incident_id'] == 'ID'",
    "false-positive candidates": (
        "attributes['abuse_gate']['decision'] == 'block' "
        "and attributes['abuse_gate']['source'] == 'local'"
    ),
    "unverified passes": (
        "attributes['abuse_gate']['unverified'] is not None "
        "and attributes['abuse_gate']['decision'] == 'allow'"
    ),
    "rules fired, and it passed": "attributes['abuse_gate']['reason'] == 'below_threshold'",
    "who was quarantined": "attributes['abuse_gate']['mode'] == 'full_quarantine'",
    "the same text again": "attributes['abuse_gate']['prompt_digest'] == 'DIGEST'",
    "everything of one caller": "attributes['abuse_gate']['subject'] == 'DIGEST'",
}
