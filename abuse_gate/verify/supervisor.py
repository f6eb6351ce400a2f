"""Tier 3's capable judge as an adapter: CONTINUE, REORIENT with a correction, or PAUSE.

The correction is written on the margin of the question and never into an assessment: it is text,
and goes to callers inside the process alone.
"""

from collections.abc import Mapping
from typing import Any, Final

from abuse_gate.contract import Judge, JudgeFunction
from abuse_gate.model.payload import Question
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.verify.asking import Ruled, asking, ruling, usage_of
from abuse_gate.verify.triage import lifecycle
from abuse_gate.work.threads import Bulkhead

MEANINGS: Final[Mapping[Ruled, tuple[Verdict, str]]] = {
    "CONTINUE": ("safe", "supervisor_continue"),
    "REORIENT": ("unclear", "supervisor_reorient"),
    "PAUSE": ("unsafe", "supervisor_pause"),
}


class Supervisor:
    """Rules on what the tiers below would not let pass."""

    def __init__(self, judge: Judge | JudgeFunction, name: str, bulkhead: Bulkhead) -> None:
        self._judge = judge
        self._name = name
        self._ask = asking(judge, name, bulkhead)
        self.model: object = getattr(judge, "model", None)

    async def assess(self, payload: Mapping[str, Any], /) -> Assessment:
        """The ruling; anything else is unclear, and is not held against the provider."""
        answer = await self._ask(payload)
        ruled = ruling(answer)
        usage = usage_of(answer)
        if ruled is None:
            return Assessment("unclear", "bad_reply", source=self._name, usage=usage)
        if isinstance(payload, Question) and ruled.verdict == "REORIENT":
            payload.correction = ruled.correction
        verdict, reason = MEANINGS[ruled.verdict]
        return Assessment(verdict, reason, source=self._name, usage=usage)

    async def start(self) -> None:
        """Let the judge make its clients."""
        await lifecycle(self._judge, "start")

    async def aclose(self) -> None:
        """Let the judge close what it holds."""
        await lifecycle(self._judge, "aclose")
