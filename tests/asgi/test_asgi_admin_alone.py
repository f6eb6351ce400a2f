"""The operators' app out of the environment: its store, its records, what it holds out against."""

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from abuse_gate import Settings, admin_app, redis_store
from abuse_gate.asgi.admin import MOST_BODY, MOST_INCIDENT
from abuse_gate.contract import ConfigError
from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.events import ModeChanged
from abuse_gate.model.standing import Offence, Standing
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.operators import MOST_ACTOR, UNCONFIRMED, Subjects
from abuse_gate.stores.shared import SharedStore
from abuse_gate.testing import RecordingObserver
from tests.asgi.test_asgi_admin import KEY, OTHER, Desk
from tests.stores.conftest import one_server, server
from tests.stores.servers import Server

__all__ = ["one_server", "server"]

LIFT = {"mode": "normal", "reason": "our own test"}


def _eve(request: Request) -> str:
    return "eve"


@pytest.fixture
def known(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The app out of the environment alone, over a store that knows one quarantined subject."""
    monkeypatch.setenv("ABUSE_GATE_REDIS_URL", server.url)
    store = redis_store(store_timeout_ms=5000)

    async def strike() -> None:
        ladder = Ladder(lock_at=1, quarantine_at=1)
        await store.record_unsafe([(KEY, ladder)], Offence(("m",)), "incident1")
        await store.aclose()

    asyncio.run(strike())
    with TestClient(admin_app(authorize=_eve)) as client:
        yield client


def test_the_environment_names_the_store(
    known: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    assert known.get("/incidents/incident1").json() == {"subjects": [KEY]}
    assert known.post(f"/subjects/{KEY}", json=LIFT).json()["mode"] == "normal"
    assert known.get(f"/subjects/{KEY}").json()["mode"] == "normal"
    (record,) = [each for each in caplog.records if KEY in each.getMessage()]
    told = vars(record)["abuse_gate"]
    assert (record.levelno, told["actor"], told["reason"]) == (
        logging.WARNING,
        "eve",
        "our own test",
    )


def test_no_store_is_one_line_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ABUSE_GATE_REDIS_URL", raising=False)
    with pytest.raises(ConfigError, match="pass the same store= to the middleware and to admin_"):
        admin_app(authorize=_eve)
    with pytest.raises(ConfigError, match="ABUSE_GATE_REDIS_URL: not set"):
        redis_store()
    given = redis_store("redis://127.0.0.1:1", observer=RecordingObserver())
    assert isinstance(given, SharedStore)


def test_every_change_is_on_record_without_anybody_asking_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ABUSE_GATE_AUDIT_PATH", str(tmp_path / "audit.log"))
    with TestClient(admin_app(MemoryStore(), authorize=_eve)) as client:
        wish = {"mode": "execute_locked", "reason": "ticket 7"}
        assert client.post(f"/subjects/{OTHER}", json=wish).status_code == 200
    lines = "".join(path.read_text("utf-8") for path in tmp_path.iterdir()).splitlines()
    (found,) = [json.loads(line) for line in lines if "ticket 7" in line]
    said = json.dumps(found)
    assert all(word in said for word in ("eve", "execute_locked", "3600.0", "operator"))


def test_a_mode_lasts_as_long_as_the_settings_say() -> None:
    settings = Settings.model_validate({"lock_sec": 77, "quarantine_sec": 99})
    client = TestClient(admin_app(MemoryStore(), authorize=_eve, settings=settings))
    for mode, seconds in (("execute_locked", 77), ("full_quarantine", 99)):
        answer = client.post(f"/subjects/{OTHER}", json={"mode": mode, "reason": "r"})
        assert answer.json()["seconds"] == seconds


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json; charset=utf-8", json.dumps(LIFT), 200),
        ("text/plain", json.dumps(LIFT), 415),
        ("application/x-www-form-urlencoded", json.dumps(LIFT), 415),
        ("", json.dumps(LIFT), 415),
        ("application/json", json.dumps({**LIFT, "more": "x" * MOST_BODY}), 413),
    ],
)
async def test_no_form_of_another_site_changes_anything(kind: str, body: str, status: int) -> None:
    answer = await Desk().ask("POST", f"/subjects/{KEY}", kind=kind, content=body)
    assert answer.status_code == status
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", f"/subjects/{KEY}", 405),
        ("DELETE", f"/subjects/{KEY}", 405),
        ("POST", "/subjects", 405),
        ("GET", "/subjects/%ED%A0%80", 404),
        ("GET", f"/subjects/{KEY}%7D", 404),
        ("GET", "/subjects/" + "a" * 5000, 404),
        ("GET", "/incidents/" + "a" * (MOST_INCIDENT + 1), 404),
        ("GET", "/incidents/nobody", 404),
        ("GET", "/elsewhere", 404),
        ("GET", "/subjects?limit=" + "9" * 5000, 422),
        ("GET", "/subjects?limit=-1", 200),
    ],
)
async def test_hostile_addresses_are_no_failures(method: str, path: str, status: int) -> None:
    answer = await Desk().ask(method, path)
    assert answer.status_code == status
    assert ("error" in answer.json()) is (status != 200)


class Stuck(MemoryStore):
    """A store that never answers an operator."""

    async def subjects(self, limit: int, /) -> Any:
        await asyncio.Event().wait()

    async def impose(self, *told: Any) -> Standing:
        await asyncio.sleep(0.1)
        raise OSError


async def test_nobody_waits_for_ever() -> None:
    async def hung(request: Request) -> str:
        await asyncio.Event().wait()
        return "eve"

    async def dripping() -> Any:
        yield b"{"
        await asyncio.Event().wait()

    assert (await Desk(hung, patience=0.02).ask("GET", "/subjects")).status_code == 403
    desk = Desk(store=Stuck(), patience=0.02)
    assert (await desk.ask("GET", "/subjects")).status_code == 503
    answer = await desk.ask("POST", f"/subjects/{KEY}", content=dripping())
    assert answer.status_code == 408


async def test_a_change_that_nobody_has_confirmed_is_on_record() -> None:
    """The store may have done it: whoever reads the trail must know."""
    desk = Desk(store=Stuck(), patience=0.02)
    wish = {"mode": "full_quarantine", "reason": "ticket 8"}
    assert (await desk.ask("POST", f"/subjects/{KEY}", json=wish)).status_code == 503
    await asyncio.sleep(0.2)
    (event,) = desk.observer.of(ModeChanged)
    assert (event.cause, event.after, event.reason) == (UNCONFIRMED, "full_quarantine", "ticket 8")


class Slow(MemoryStore):
    """A store that takes its time."""

    async def impose(self, *told: Any) -> Standing:
        await asyncio.sleep(0.05)
        return await super().impose(*told)


async def test_who_leaves_early_leaves_a_record() -> None:
    observer = RecordingObserver()
    subjects = Subjects(Slow(), observer)
    actor = "x" * 2 * MOST_ACTOR
    leaving = asyncio.create_task(
        subjects.set(KEY, "execute_locked", reason="r", seconds=9, actor=actor)
    )
    await asyncio.sleep(0.01)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    await asyncio.sleep(0.1)
    (event,) = observer.of(ModeChanged)
    assert (event.cause, event.seconds, len(event.actor)) == ("operator", 9, MOST_ACTOR)
    assert await subjects.find("") == ()
