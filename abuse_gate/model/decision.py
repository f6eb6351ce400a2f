"""What we *do* about a request, and the frozen record that the app, the log and the trace share."""

from typing import Literal, NamedTuple

from abuse_gate.model.extract import Flag
from abuse_gate.model.verdict import Assessment, Verdict

Action = Literal["allow", "clarify", "block"]
Mode = Literal["normal", "monitor", "execute_locked", "full_quarantine"]


class Decision(NamedTuple):
    """What is done with one request; `status` is None when the app answers."""

    decision: Action
    status: int | None
    mode: Mode
    incident_id: str
    assessment: Assessment
    flags: frozenset[Flag] = frozenset()

    @property
    def verdict(self) -> Verdict:
        """The contract's word for this request."""
        return self.assessment.verdict

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """The rules that fired, sorted, each once."""
        return tuple(sorted({hit.rule for hit in self.assessment.hits}))
