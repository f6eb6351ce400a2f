"""Tiers with judges that say what they are told, and requests to put before them."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from abuse_gate.contract import VerifierAdapter
from abuse_gate.deciding.planner import Finding, Matter, Static
from abuse_gate.model.hit import Hit
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import Assessment, Step, Verdict
from abuse_gate.testing import RecordingObserver
from abuse_gate.verify.brief import Brief, Evidence
from abuse_gate.verify.guard import Guard, GuardLimits
from abuse_gate.verify.supervisor import Supervisor
from abuse_gate.verify.tenants import Guards
from abuse_gate.verify.triage import Triage
from abuse_gate.work.threads import Bulkhead

HIT: Final = Hit("override.x", "override", 60, "caller")
OBSERVER: Final = RecordingObserver()


def guards(adapter: VerifierAdapter, name: str = "one", seconds: float = 30.0) -> Guards:
    return Guards(Guard(adapter, name, GuardLimits(seconds), OBSERVER))


class Judging:
    """A judge that says what it is told, and keeps what it was asked and when."""

    def __init__(self, answer: Any, *, log: list[str] | None = None, pause: float = 0.0) -> None:
        self.answer = answer
        self.asked: list[Mapping[str, Any]] = []
        self.log = log if log is not None else []
        self._pause = pause

    async def ask(self, payload: Mapping[str, Any]) -> Any:
        self.asked.append(payload)
        self.log.append(payload["question"]["matter"])
        await asyncio.sleep(self._pause)
        return self.answer


def triage(judge: Judging, seconds: float = 30.0) -> Guards:
    return guards(Triage(judge, "judge", Bulkhead(1)), "judge.triage", seconds)


def supervisor(judge: Judging, seconds: float = 30.0) -> Guards:
    return guards(Supervisor(judge, "judge", Bulkhead(1)), "judge.supervisor", seconds)


def static(matter: Matter, finding: Finding, verdict: Verdict, *hits: Hit) -> Static:
    trail = (Step("static", verdict, "rules", matter=matter),)
    return Static(matter, finding, Assessment(verdict, "rules", hits=hits, trail=trail))


CLEAN: Final = static("prompt", "clean", "safe")
NOTICED: Final = static("prompt", "noticed", "unclear", HIT)
FLAGGED: Final = static("action", "flagged", "unclear")
CONDEMNED: Final = static("prompt", "condemned", "unsafe")
PAYLOAD: Final = Payload({"prompt_text": "hello"}, ())


def brief(*statics: Static, **more: Any) -> Brief:
    return Brief(
        more.pop("plan", "standard"),
        statics,
        payload=more.pop("payload", lambda: PAYLOAD),
        evidence=lambda: Evidence(PAYLOAD, (2,)),
        size=lambda: 5,
        **more,
    )
