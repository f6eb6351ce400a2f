"""Evidence without content: which rule fired, where, how often. Never the matched text."""

from dataclasses import dataclass
from typing import Literal

# Whose words they were decides what a rule is worth: the caller's own, a tool's result, a document
# that the caller hands over, the request's surroundings (cookies, headers), or the arguments of a
# proposed tool call.
Place = Literal["caller", "third_party", "document", "ambient", "call"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule id, where it fired, how often."""

    rule: str
    family: str
    severity: int
    place: Place
    count: int = 1
    decoded: bool = False
