"""What an operator at a terminal relies on: a change that is missed when it is gone, names that are
checked, pipes that close, and no wait for what a command does not need.
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from abuse_gate import redis_store
from abuse_gate.cli.main import main
from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.standing import Offence
from abuse_gate.stores.memory import MemoryStore
from abuse_gate.stores.operators import Subjects, UnknownSubjectError, WrongChangeError
from abuse_gate.telemetry.audit.chain import heads_in
from tests.stores.conftest import one_server, server
from tests.stores.servers import Server

__all__ = ["one_server", "server"]

KEY = "key-" + "ab" * 16
NEAR = "key-" + "ab" * 15 + "cd"
USER = "monitor-user-" + "12" * 16
INCIDENT = "0123456789abcdef" * 2
CLI = (sys.executable, "-m", "abuse_gate.cli")


def remembered(*names: str) -> MemoryStore:
    store = MemoryStore()
    for number, name in enumerate(names):
        incident = f"{INCIDENT[:-1]}{number}"
        store.strike(name, Ladder(), Offence((name,)), incident)
    return store


def test_a_change_that_is_deleted_from_the_trail_is_missed(
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    trail, kept, log = tmp_path / "trail", tmp_path / "operators.log", tmp_path / "app.log"
    trail.mkdir()
    monkeypatch.setenv("ABUSE_GATE_REDIS_URL", server.url)
    monkeypatch.setenv("ABUSE_GATE_AUDIT_PATH", str(trail / "audit.jsonl"))
    texts: list[str] = []
    for words in (("set", KEY, "execute_locked"), ("lift", KEY)):
        assert main(["subjects", *words, "--reason", "ticket 7"]) == 0
        texts.append(capfd.readouterr().err)
        assert [head for head in heads_in(texts[-1]) if head.at]
        assert "audit head " in texts[-1]
    log.write_text(texts[0])
    kept.write_text(texts[1])
    verify = ["audit", "verify", str(trail), "--heads", str(log), "--heads", str(kept)]
    assert main(verify) == 0
    (gone,) = [path for path in trail.iterdir() if '"after":"normal"' in path.read_text()]
    gone.unlink()
    assert main(verify) == 1
    assert "nothing of it is left" in capfd.readouterr().out


def test_whoever_only_looks_needs_no_trail(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ABUSE_GATE_REDIS_URL", server.url)
    monkeypatch.setenv("ABUSE_GATE_AUDIT_PATH", str(tmp_path / "nowhere" / "audit.jsonl"))
    assert main(["subjects", "list"]) == 1
    assert main(["subjects", "show", KEY]) == 1
    assert main(["subjects", "lift", KEY, "--reason", "ticket 7"]) == 2


NONSENSE = ("bogus", "", "key-", "key-12345", "key-xyzxyz", f"{KEY}0", f"KEY{KEY[3:]}", KEY[4:])


@pytest.mark.parametrize("name", NONSENSE)
async def test_a_name_that_nobody_has_is_refused_with_the_cure(name: str) -> None:
    store = remembered(KEY)
    subjects = Subjects(store)
    with pytest.raises(WrongChangeError, match="a subject"):
        await subjects.set(name, "execute_locked", reason="r")
    with pytest.raises(WrongChangeError, match="a subject"):
        await subjects.lift(name, reason="r")
    assert await subjects.show(name) is None
    assert [each.id for each in await store.subjects(9)] == [KEY]


async def test_a_beginning_is_enough_for_one_that_is_remembered() -> None:
    subjects = Subjects(remembered(KEY, USER))
    assert await subjects.named("key-ababab") == KEY
    shown = await subjects.show("monitor-user-121212")
    assert shown is not None
    assert shown.id == USER
    await subjects.set("key-ababab", "execute_locked", reason="r")
    assert [each.id for each in await subjects.list() if each.standing.mode != "normal"] == [KEY]
    # One that is written out may be new, a beginning may not.
    assert (await subjects.set(NEAR, "execute_locked", reason="r")).mode == "execute_locked"
    with pytest.raises(WrongChangeError, match=f"begins several subjects: {KEY}, {NEAR}"):
        await subjects.show("key-ababab")
    with pytest.raises(UnknownSubjectError):
        await subjects.lift("key-000000", reason="r")
    assert await subjects.show("key-000000") is None


async def test_a_beginning_is_enough_for_an_incident() -> None:
    subjects = Subjects(remembered(KEY, USER))
    assert await subjects.find(f"{INCIDENT[:-1]}0") == [KEY]
    assert await Subjects(remembered(KEY)).find(INCIDENT[:6]) == [KEY]
    with pytest.raises(WrongChangeError, match="begins several incidents"):
        await subjects.find(INCIDENT[:6])
    for other in ("ffffff", INCIDENT[:5], "nothing"):
        assert not await subjects.find(other)


def test_a_wrong_name_is_a_wrong_question(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ABUSE_GATE_REDIS_URL", server.url)
    assert main(["subjects", "set", "bogus", "execute_locked", "--reason", "r"]) == 2
    assert "a subject is user-, key- or addr- and 32 digits" in capsys.readouterr().err
    assert main(["subjects", "set", KEY, "execute_locked", "--seconds", "9", "--reason", "r"]) == 0
    assert main(["subjects", "lift", KEY[:10], "--reason", "r"]) == 0
    assert f"{KEY}: normal" in capsys.readouterr().out
    assert main(["subjects", "list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "id": KEY,
        "mode": "normal",
        "seconds": 0,
        "strikes": 0,
        "incidents": [],
        "note": "r",
    }


def test_a_pipe_that_closes_ends_a_list_quietly(server: Server) -> None:
    async def fill() -> None:
        store = redis_store(server.url, store_timeout_ms=5000)
        await store.note([f"key-{number:032x}" for number in range(400)], INCIDENT)
        await store.aclose()

    asyncio.run(fill())
    environment = {**os.environ, "ABUSE_GATE_REDIS_URL": server.url}
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [*CLI, "subjects", "list", "--limit", "400"],
        env=environment,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")


# Whatever takes long to import, and whom it is needed by.
HEAVY = ("hyperscan", "opentelemetry", "pydantic", "starlette", "redis", "cryptography")
LIGHT: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("--version",), HEAVY),
    (("--help",), HEAVY),
    (("incidents", "--help"), ("hyperscan", "opentelemetry", "starlette", "redis")),
    (("check", "--help"), ("starlette", "redis")),
)


@pytest.mark.parametrize(("words", "spared"), LIGHT)
def test_a_command_imports_what_it_needs(words: tuple[str, ...], spared: tuple[str, ...]) -> None:
    timed = (sys.executable, "-X", "importtime", *CLI[1:], *words)
    ended = subprocess.run(timed, capture_output=True, text=True, check=True)
    assert "abuse_gate.cli.main" in ended.stderr
    imported = {
        line.rsplit("|", 1)[-1].strip().partition(".")[0] for line in ended.stderr.splitlines()
    }
    assert not imported & set(spared)
