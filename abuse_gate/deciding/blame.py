"""Whose words condemned a request: only text that the caller wrote is held against the caller.

An injection inside a tool's result or a document is blocked, and its bearer is the victim. A
verifier judges all it is shown at once: its word is the caller's fault only when nothing but the
caller's own text was there to be judged.
"""

from collections.abc import Iterable
from typing import Final

from abuse_gate.deciding.score import Thresholds, judged
from abuse_gate.model.extract import PLACE_OF, Extract, Segment
from abuse_gate.model.hit import Hit, Place

CALLERS_PLACES: Final[frozenset[Place]] = frozenset({"caller", "ambient"})


def caller_is_condemned(hits: Iterable[Hit], thresholds: Thresholds) -> bool:
    """Whether the caller's own words are unsafe by the rules, with nobody else's beside them."""
    own = [hit for hit in hits if hit.place in CALLERS_PLACES]
    return judged(own, thresholds) == "unsafe"


def only_the_caller(extract: Extract) -> bool:
    """Whether there was nothing to judge but the caller's own words beside the operator's."""
    if extract.calls or extract.sources:
        return False
    return all(part.trust == "trusted" or is_callers(part) for part in extract.segments)


def is_callers(segment: Segment) -> bool:
    """Whether a text is the caller's own; what the operator vouches for is not."""
    return segment.trust != "trusted" and PLACE_OF[segment.origin] in CALLERS_PLACES
