"""The client of the demo: plays a scene over a real connection, and times it gated and bare.

Knows nothing of the gate but its three headers.
"""

import http.client
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from statistics import median
from typing import Final

from examples.show.scenes import Scene
from examples.show.stage import HOST, Stage

PAIRS: Final = 30
_SECONDS_A_SCENE: Final = 1.0
_TIMEOUT: Final = 20.0
_WARM_UP: Final = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, as far as the table shows it."""

    status: int
    decision: str
    mode: str
    incident_id: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `reasons` are rules and flags, `added` is in seconds."""

    scene: Scene
    answer: Answer
    verdict: str
    reasons: tuple[str, ...]
    added: float

    @property
    def difference(self) -> str | None:
        """What is not as the script says, in words; None when all is."""
        expected, answer = self.scene.expected, self.answer
        wanted = (expected.status, expected.decision, expected.mode)
        got = (answer.status, answer.decision, answer.mode)
        if wanted != got:
            return f"expected {_words(wanted)}, got {_words(got)}"
        if len(answer.incident_id) != _ID_DIGITS:
            return "the incident id is missing"
        if expected.mark is not None and expected.mark not in self.reasons:
            return f"expected {expected.mark} among the reasons"
        return None


_ID_DIGITS: Final = 32


def _words(triple: tuple[int, str, str]) -> str:
    return " ".join(str(part or "nothing") for part in triple)


def visit(stage: Stage, scene: Scene, pairs: int = PAIRS) -> Row:
    """Plays one scene: once for the answer, then in pairs for the time."""
    with closing(_connect(stage.gated)) as there, closing(_connect(stage.bare)) as beside:
        answer = _send(there, scene)
        # A few more that nobody times: the first ones pay for caches and connections.
        for _ in _differences(there, beside, scene, _WARM_UP):
            pass
        added = median(_differences(there, beside, scene, pairs))
    decision = stage.notebook.decision(answer.incident_id)
    if decision is None:
        return Row(scene, answer, "unknown", (), added)
    reasons = (*decision.rule_ids, *sorted(decision.flags))
    return Row(scene, answer, decision.verdict, reasons, added)


def _connect(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(HOST, port, timeout=_TIMEOUT)


def _differences(
    gated: http.client.HTTPConnection, bare: http.client.HTTPConnection, scene: Scene, pairs: int
) -> Iterator[float]:
    """Gated minus bare, request by request; who goes first changes each time."""
    deadline = time.monotonic() + _SECONDS_A_SCENE
    for turn in range(pairs):
        if turn % 2:
            first = _timed(bare, scene)
            yield _timed(gated, scene) - first
        else:
            first = _timed(gated, scene)
            yield first - _timed(bare, scene)
        if time.monotonic() > deadline:
            return


def _timed(connection: http.client.HTTPConnection, scene: Scene) -> float:
    started = time.perf_counter()
    _send(connection, scene)
    return time.perf_counter() - started


def _send(connection: http.client.HTTPConnection, scene: Scene) -> Answer:
    connection.request("POST", scene.path, scene.body, {"content-type": scene.content_type})
    response = connection.getresponse()
    response.read()
    return Answer(
        response.status,
        response.getheader("x-guardrail-decision", ""),
        response.getheader("x-guardrail-mode", ""),
        response.getheader("x-guardrail-incident-id", ""),
    )
