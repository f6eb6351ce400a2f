"""Tier 2's cheap judge as an adapter: one question, and once more for a bare YES or NO.

Deadline, breaker and slots are the guard's around it. Never decides what follows.
"""

from collections.abc import Mapping
from typing import Any, Final

from abuse_gate.contract import Judge, JudgeFunction, ProviderBadReply
from abuse_gate.model.payload import Question
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.verify.asking import asking, suspicion, usage_of
from abuse_gate.work.threads import Bulkhead

# What an answer means, and its code; an answer that stays ambiguous escalates.
MEANINGS: Final[Mapping[bool | None, tuple[Verdict, str]]] = {
    False: ("safe", "triage_cleared"),
    True: ("unsafe", "triage_suspicious"),
    None: ("unclear", "triage_ambiguous"),
}


class Triage:
    """Asks whether an action, or a prompt that rules have flagged, is suspicious."""

    def __init__(self, judge: Judge | JudgeFunction, name: str, bulkhead: Bulkhead) -> None:
        self._judge = judge
        self._name = name
        self._ask = asking(judge, name, bulkhead)
        self.model: object = getattr(judge, "model", None)

    async def assess(self, payload: Mapping[str, Any], /) -> Assessment:
        """The judge's word; a failure to say it plainly is not held against the provider."""
        question = payload if isinstance(payload, Question) else None
        try:
            first = await self._ask(payload)
        except ProviderBadReply:
            first = None
        answers = [first]
        suspicious = suspicion(first)
        if suspicious is None and question is not None:
            answers.append(await self._ask(question.plainly()))
            suspicious = suspicion(answers[-1])
        verdict, reason = MEANINGS[suspicious]
        return Assessment(verdict, reason, source=self._name, usage=usage_of(*answers))

    async def start(self) -> None:
        """Let the judge make its clients."""
        await lifecycle(self._judge, "start")

    async def aclose(self) -> None:
        """Let the judge close what it holds."""
        await lifecycle(self._judge, "aclose")


async def lifecycle(judge: object, step: str) -> None:
    """Call a judge's hook if it has one; what it raises is the guard's to report."""
    hook = getattr(judge, step, None)
    if hook is not None:
        await hook()
