"""Several observers as one: steps and stories reach those who want them, and nobody is hurt."""

import asyncio
import contextlib
import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from abuse_gate import Settings, build_gate
from abuse_gate.contract import Fact, ProviderUnavailable, stepping
from abuse_gate.model.events import Event, Reviewed, Verified
from abuse_gate.model.visit import Evidence, Visit
from abuse_gate.reading.request import RawRequest
from abuse_gate.recorder import Recorder
from abuse_gate.telemetry.instrumentation import otel_observers
from abuse_gate.telemetry.logs import LogObserver
from abuse_gate.telemetry.observers import Observers
from abuse_gate.telemetry.otel.metrics import MetricObserver
from abuse_gate.telemetry.otel.observer import OtelObserver
from abuse_gate.telemetry.otel.traces import TraceObserver
from abuse_gate.testing import FakeClock, RecordingObserver, ScriptedAdapter
from abuse_gate.work.stretches import Stretches
from abuse_gate.work.visits import current_visit, visiting


class Watching(RecordingObserver):
    """Keeps what it is told of steps."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[Any] = []

    @contextmanager
    def step(self, name: str, /, **facts: Fact) -> Generator[Any]:
        self.said.append(("begin", name, facts))
        try:
            yield self
        finally:
            self.said.append(("end", name))

    def note(self, **facts: Fact) -> None:
        self.said.append(facts)


class Falling(RecordingObserver):
    """Fails at one of the moments."""

    def __init__(self, at: str) -> None:
        super().__init__()
        self.at = at

    def _fall(self, moment: str) -> None:
        if moment == self.at:
            raise ValueError("canary")

    @contextmanager
    def step(self, name: str, /, **facts: Fact) -> Generator[Any]:
        self._fall("begin")
        try:
            yield self
        finally:
            self._fall("end")

    def note(self, **facts: Fact) -> None:
        self._fall("note")

    def close(self) -> None:
        self._fall("close")

    def show(self) -> None:
        """Something else under the same name."""


def test_an_observer_without_an_eye_for_steps_is_left_alone() -> None:
    with stepping(RecordingObserver())("tier", tier="x") as notes:
        notes.note(verdict="safe")


def test_a_step_is_told_from_begin_to_end() -> None:
    watching = Watching()
    with Observers([watching, RecordingObserver()]).step("tier", tier="x") as notes:
        notes.note(verdict="safe")
    assert watching.said == [("begin", "tier", {"tier": "x"}), {"verdict": "safe"}, ("end", "tier")]


@pytest.mark.parametrize("moment", ["begin", "note", "end"])
def test_an_observer_that_fails_in_a_step_is_counted_and_hurts_nobody(
    moment: str, caplog: pytest.LogCaptureFixture
) -> None:
    watching = Watching()
    observers = Observers([Falling(moment), watching])
    with observers.step("tier") as notes:
        notes.note(a=1)
    assert observers.failures == 1
    assert watching.said[-1] == ("end", "tier")
    assert "canary" not in caplog.text


def test_what_a_step_raises_goes_on() -> None:
    observers = Observers([Falling("end"), Watching()])
    with pytest.raises(KeyError), observers.step("tier"):
        raise KeyError
    assert observers.failures == 1


def test_a_failure_at_the_start_or_the_end_of_an_app_is_counted() -> None:
    observers = Observers([Falling("close"), RecordingObserver()])
    observers.show("a.gauge", observers, lambda _: 1.0)
    observers.close()
    assert observers.failures == 2


async def test_tiers_and_attempts_are_steps_of_a_users_own_observer() -> None:
    watching = Watching()
    gate = build_gate(Settings(), ScriptedAdapter("safe"), watching)
    request = RawRequest("/", b"", [], b'{"prompt": "hello"}', complete=True)
    await gate.review(request, gate.routing.policy("/"))
    begun = [said[1] for said in watching.said if "begin" in said]
    assert begun == ["tier", "attempt"]
    (event,) = watching.of(Reviewed)
    assert event.policy_version == gate.routing.policy("/").version
    assert event.visit is not None
    assert set(event.visit.times) == {"inspect", "verify"}
    await gate.aclose()


async def test_a_verifiers_failure_names_the_incident_it_belongs_to(
    caplog: pytest.LogCaptureFixture,
) -> None:
    watching = Watching()
    gate = build_gate(Settings(), ScriptedAdapter(ProviderUnavailable()), watching)
    request = RawRequest("/", b"", [], b'{"prompt": "hello"}', complete=True)
    decision = await gate.review(request, gate.routing.policy("/"))
    failures = [
        vars(record)["abuse_gate"]
        for record in caplog.records
        if "could not answer" in record.getMessage()
    ]
    assert [fields["incident_id"] for fields in failures] == [decision.incident_id]
    assert current_visit() is None


def test_a_visit_is_current_while_it_lasts() -> None:
    visit = Visit("id", 0.0)
    with visiting(visit):
        assert current_visit() is visit
    assert current_visit() is None
    assert repr(visit) == "Visit(id)"
    assert (visit.route, visit.method, visit.trace_headers()) == (None, "", {})


def test_digests_are_made_when_asked_for_and_forgotten_when_nobody_asks() -> None:
    asked, unasked, made = Visit("id", 0.0), Visit("id", 0.0), list[int]()

    def make() -> Evidence:
        made.append(1)
        return Evidence("digest")

    for visit in (asked, unasked):
        visit.evidence = make
    assert [asked.evidence.prompt, asked.evidence.prompt] == ["digest", "digest"]
    for visit in (asked, unasked):
        visit.close()
    assert [asked.evidence.prompt, unasked.evidence.prompt] == ["digest", ""]
    assert len(made) == 1


async def test_of_a_long_text_digests_are_made_off_the_loop() -> None:
    watching = Watching()
    gate = build_gate(Settings(on_unclear="block"), ScriptedAdapter("unclear"), watching)
    body = json.dumps({"prompt": "bread and butter " * 2000}).encode()
    await gate.review(RawRequest("/", b"", [], body, complete=True), gate.routing.policy("/"))
    (event,) = watching.of(Reviewed)
    assert event.visit is not None
    assert len(event.visit.evidence.prompt) == 32


async def test_the_longest_stretch_is_measured_between_waits() -> None:
    ticks = iter([0.0, 0.001, 1.0, 1.005, 2.0, 2.002])

    async def work() -> str:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return "done"

    watched = Stretches(work(), clock=lambda: next(ticks))
    assert await watched == "done"
    assert watched.longest_ms == pytest.approx(5.0)


async def test_a_watched_work_can_be_cancelled() -> None:
    async def work() -> None:
        await asyncio.sleep(30)

    async def watched() -> None:
        await Stretches(work())

    task = asyncio.create_task(watched())
    await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()


class Later:
    """An event that this version does not know."""


def test_an_unknown_event_is_let_pass() -> None:
    event: Event = Later()  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType] on purpose
    LogObserver().record(event)
    LogObserver().record(Verified("a", "safe", "model_safe", 1.0, 1))


async def test_a_gate_whose_observer_keeps_nothing_just_closes() -> None:
    recorder = Recorder(RecordingObserver(), lambda: 0.0, b"key", alone=True)
    await recorder.aclose()
    with recorder.story(recorder.visit()) as nothing:
        assert nothing is None


def test_without_the_api_there_is_nobody_to_write_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "abuse_gate.telemetry.otel.observer", None)
    assert otel_observers() == []


def test_an_app_without_telemetry_is_looked_at_once_a_second() -> None:
    clock = FakeClock()
    looks = list[int]()

    class Traces(TraceObserver):
        def tracer(self) -> None:
            looks.append(1)

    observer = OtelObserver(Traces(), MetricObserver(), clock)
    for _ in range(10):
        observer.record(Verified("a", "safe", "model_safe", 1.0, 1))
        assert [observer.keeps_digests, observer.times_the_loop] == [False, False]
    with observer.step("tier") as notes, observer.story(Visit("id", 0.0)):
        notes.note(verdict="safe")
    assert len(looks) == 1
    clock.advance(1)
    assert not observer.awake()
    assert len(looks) == 2
