"""The operators' app: nobody without a name, every change with a reason and on record."""

from typing import Any

import httpx2
import pytest
from starlette.requests import Request

from abuse_gate.asgi.admin import PATIENCE, admin_app
from abuse_gate.contract import ConfigError
from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.events import ModeChanged
from abuse_gate.model.standing import Offence
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.operators import Subjects
from abuse_gate.testing import RecordingObserver

KEY = "key-" + "1" * 32
OTHER = "key-" + "2" * 32


def _named(request: Request) -> str | None:
    return request.headers.get("x-operator")


async def _later(request: Request) -> str | None:
    return _named(request)


def _broken(request: Request) -> str | None:
    raise KeyError("canary")


def _true(request: Request) -> Any:
    return True


def _nameless(request: Request) -> str:
    return ""


class Desk:
    """The app with one quarantined subject, and a client of it."""

    def __init__(
        self, authorize: Any = _named, store: Any = None, patience: float = PATIENCE
    ) -> None:
        self.observer = RecordingObserver()
        self.store = MemoryStore() if store is None else store
        if store is None:
            ladder = Ladder(quarantine_at=1, lock_at=1)
            self.store.strike(KEY, ladder, Offence(("m",)), "incident1")
        self.app = admin_app(
            self.store, authorize=authorize, observer=self.observer, patience=patience
        )

    async def ask(
        self,
        method: str,
        path: str,
        operator: str = "eve",
        kind: str = "application/json",
        **more: Any,
    ) -> httpx2.Response:
        transport = httpx2.ASGITransport(app=self.app)
        headers = {"x-operator": operator} if operator else {}
        headers |= {"content-type": kind}
        async with httpx2.AsyncClient(transport=transport, base_url="http://admin") as client:
            return await client.request(method, path, headers=headers, **more)


@pytest.mark.parametrize("hook", [None, "", 7])
def test_it_refuses_to_exist_without_a_hook(hook: Any) -> None:
    with pytest.raises(ConfigError, match="anybody could lift a quarantine"):
        admin_app(MemoryStore(), authorize=hook)


@pytest.mark.parametrize("path", ["/subjects", f"/subjects/{KEY}", "/incidents/incident1"])
@pytest.mark.parametrize("authorize", [_named, _later, _broken, _true, _nameless])
async def test_nobody_without_a_name_sees_or_changes_anything(path: str, authorize: Any) -> None:
    desk = Desk(authorize)
    assert (await desk.ask("GET", path, operator="")).status_code == 403
    wish = {"mode": "normal", "reason": "please"}
    assert (await desk.ask("POST", f"/subjects/{KEY}", "", json=wish)).status_code == 403
    assert desk.store.peek(KEY).mode == "full_quarantine"


async def test_an_operator_looks_finds_and_changes() -> None:
    desk = Desk(_later)
    (listed,) = (await desk.ask("GET", "/subjects?limit=5")).json()["subjects"]
    shown = (await desk.ask("GET", f"/subjects/{KEY}")).json()
    assert listed == shown
    assert (shown["mode"], shown["strikes"], shown["incidents"]) == (
        "full_quarantine",
        1,
        ["incident1"],
    )
    assert (await desk.ask("GET", "/incidents/incident1")).json() == {"subjects": [KEY]}
    assert (await desk.ask("GET", "/subjects/nobody")).status_code == 404
    lifted = await desk.ask(
        "POST", f"/subjects/{KEY}", json={"mode": "normal", "reason": "our own test"}
    )
    assert lifted.json()["mode"] == "normal"
    locked = await desk.ask(
        "POST",
        f"/subjects/{OTHER}",
        json={"mode": "execute_locked", "seconds": 60, "reason": "ticket 7"},
    )
    assert locked.json() == {"id": OTHER, "mode": "execute_locked", "seconds": 60, "strikes": 0}
    assert [
        (e.subject, e.before, e.after, e.cause, e.reason, e.actor)
        for e in desk.observer.of(ModeChanged)
    ] == [
        (KEY, "full_quarantine", "normal", "operator", "our own test", "eve"),
        (OTHER, "normal", "execute_locked", "operator", "ticket 7", "eve"),
    ]


WRONG: list[bytes] = [
    b"",
    b"[]",
    b"{",
    b'{"mode": "normal"}',
    b'{"mode": "normal", "reason": " "}',
    b'{"mode": "normal", "reason": "x\\ud800"}',
    b'{"mode": "normal", "reason": "two\\nlines"}',
    b'{"mode": "monitor", "reason": "r"}',
    b'{"mode": "execute_locked", "reason": "r", "seconds": -1}',
    b'{"mode": "execute_locked", "reason": "r", "seconds": 1e12}',
    b'{"mode": "execute_locked", "reason": "r", "seconds": "soon"}',
    b'{"mode": "execute_locked", "reason": "r", "seconds": true}',
    b'{"mode": "execute_locked", "reason": "r", "seconds": NaN}',
    b'{"mode": "execute_locked", "reason": "r", "seconds": -Infinity}',
    b'{"mode": "execute_locked", "reason": "r", "seconds": -1%s}' % (b"0" * 400),
    b'{"mode": ["normal"], "reason": "r"}',
    b'{"mode": "normal", "reason": {"r": 1}}',
    b"[" * 9000,
    b"\xff\xfe",
]


@pytest.mark.parametrize("body", WRONG)
async def test_a_change_that_makes_no_sense_is_refused(body: bytes) -> None:
    desk = Desk()
    answer = await desk.ask("POST", f"/subjects/{KEY}", content=body)
    assert answer.status_code == 422
    assert desk.store.peek(KEY).mode == "full_quarantine"
    assert (await desk.ask("GET", "/subjects?limit=many")).status_code == 422


@pytest.mark.parametrize(
    ("path", "mode", "status"),
    [
        ("/subjects/key-mistyped", "normal", 422),
        (f"/subjects/{OTHER}", "normal", 404),
        ("/subjects/key-222222", "execute_locked", 404),
        ("/subjects/key-11111", "normal", 422),
        ("/subjects/key-%1B%5B2J", "execute_locked", 422),
        (f"/subjects/{KEY}%0A{OTHER}", "normal", 422),
    ],
)
async def test_a_subject_that_nobody_can_be_is_refused(path: str, mode: str, status: int) -> None:
    desk = Desk()
    wish = {"mode": mode, "reason": "r"}
    assert (await desk.ask("POST", path, json=wish)).status_code == status
    assert not desk.observer.of(ModeChanged)
    assert [subject.id for subject in await desk.store.subjects(9)] == [KEY]


class Away:
    """A store that does not answer."""

    async def subjects(self, limit: int) -> list[Any]:
        raise OSError("canary")


async def test_a_store_that_is_away_is_said(caplog: pytest.LogCaptureFixture) -> None:
    answer = await Desk(store=Away()).ask("GET", "/subjects")
    assert answer.status_code == 503
    assert "canary" not in answer.text + caplog.text


async def test_subjects_work_without_anybody_watching(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    subjects = Subjects(store)
    standing = await subjects.set(KEY, "full_quarantine", reason="r")
    assert round(standing.seconds) == 21_600
    with pytest.raises(ValueError, match="one of execute_locked"):
        await subjects.set(KEY, "normal", reason="r")
    assert (await subjects.lift(KEY, reason="r")).mode == "normal"
    assert f"subject {KEY}: full_quarantine -> normal (operator)" in caplog.text
    assert [subject.note for subject in await subjects.list()] == ["r"]
