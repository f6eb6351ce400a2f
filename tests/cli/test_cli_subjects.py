"""`abuse-gate subjects` against a real server, as an operator types it."""

import argparse
import asyncio
import json
import re
from pathlib import Path

import pytest

from abuse_gate.cli import subjects
from abuse_gate.cli.main import main
from abuse_gate.contract import ConfigError
from abuse_gate.deciding.ladder import Ladder
from abuse_gate.model.standing import Offence
from abuse_gate.stores.link import connect
from abuse_gate.stores.redis import RedisStore
from tests.stores.conftest import one_server, server
from tests.stores.servers import Server

__all__ = ["one_server", "server"]

KEY = "key-" + "1" * 32
OTHER = "key-" + "2" * 32


def _run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    subjects.register(parser)
    given = parser.parse_args(words)
    return int(given.run(given))


@pytest.fixture
def known(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server that knows one quarantined subject."""
    monkeypatch.setenv("ABUSE_GATE_REDIS_URL", server.url)

    async def strike() -> None:
        store = RedisStore(lambda: connect(server.url, 5.0))
        ladder = Ladder(lock_at=1, quarantine_at=1)
        await store.record_unsafe([(KEY, ladder)], Offence(("m",)), "incident1")
        await store.aclose()

    asyncio.run(strike())
    return server


def test_an_operator_finds_looks_and_lifts(
    known: Server, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert _run("find", "incident1") == 0
    assert capsys.readouterr().out == f"{KEY}\n"
    assert _run("list") == 0
    assert re.fullmatch(KEY + r"  full_quarantine  21\d{3} s  strikes=1\n", capsys.readouterr().out)
    assert _run("show", KEY) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["id"], shown["incidents"]) == (KEY, ["incident1"])
    assert _run("lift", KEY, "--reason", "it was our own test") == 0
    assert _run("list") == 0
    assert f"{KEY}  normal  -  strikes=0" in capsys.readouterr().out
    assert _run("set", OTHER, "execute_locked", "--seconds", "60", "--reason", "ticket 7") == 0
    assert capsys.readouterr().out == f"{OTHER}: execute_locked for 60 s\n"
    assert f"{KEY}: full_quarantine -> normal (operator)" in caplog.text
    record = next(r for r in caplog.records if OTHER in r.getMessage())
    told = vars(record)["abuse_gate"]
    assert (told["reason"], bool(told["actor"])) == ("ticket 7", True)


def test_an_operators_change_stands_in_the_audit_trail(
    known: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ABUSE_GATE_AUDIT_PATH", str(tmp_path / "audit.log"))
    assert _run("lift", KEY, "--reason", "our own test") == 0
    trail = "".join(path.read_text("utf-8") for path in tmp_path.iterdir())
    records = [json.loads(line) for line in trail.splitlines() if "our own test" in line]
    assert len(records) == 1
    assert "full_quarantine" in json.dumps(records[0])
    assert main(["audit", "verify", str(tmp_path / "audit.log")]) == 0
    assert main(["subjects", "list"]) == 0


def test_nothing_found_is_said(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ABUSE_GATE_REDIS_URL", server.url)
    assert _run("list") == 1
    for words in (("show", "x"), ("find", "x"), ("lift", KEY, "--reason", "r")):
        assert _run(*words) == 1
        assert capsys.readouterr() == ("", f"{words[1]}: not found\n")
    assert _run("find", "\x1b[2J") == 1
    assert capsys.readouterr().err == "\\x1b[2J: not found\n"
    assert _run("list") == 1


def test_a_mode_lasts_as_long_as_configured_unless_somebody_says_otherwise(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ABUSE_GATE_REDIS_URL", server.url)
    monkeypatch.setenv("ABUSE_GATE_LOCK_SEC", "77")
    monkeypatch.setenv("ABUSE_GATE_QUARANTINE_SEC", "99")
    for words, seconds in (
        (("execute_locked",), 77),
        (("full_quarantine",), 99),
        (("full_quarantine", "--seconds", "5"), 5),
    ):
        assert _run("set", OTHER, *words, "--reason", "r") == 0
        assert capsys.readouterr().out == f"{OTHER}: {words[0]} for {seconds} s\n"


def test_nothing_out_of_the_store_moves_a_terminal(
    known: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    async def spoil() -> None:
        store = RedisStore(lambda: connect(known.url, 5.0))
        await store.note(["key-\x1b]0;owned\x07\nkey-fake  normal"], "incident2")
        await store.aclose()

    asyncio.run(spoil())
    assert _run("find", "incident2") == 0
    assert _run("list") == 0
    shown = capsys.readouterr().out
    assert shown.count("\n") == 3
    assert shown.replace("\n", "").isprintable()


def test_what_cannot_be_done_is_one_line(known: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="needs a subject and a reason"):
        _run("lift", KEY, "--reason", "  ")
    with pytest.raises(ConfigError, match="a subject is user-, key- or addr-"):
        _run("set", "key-\x1b[2J", "execute_locked", "--reason", "r")
    with pytest.raises(ConfigError, match="one line of printable text"):
        _run("lift", KEY, "--reason", "x\udcff")
    with pytest.raises(ConfigError, match="between 0 and"):
        _run("set", KEY, "execute_locked", "--seconds", "0", "--reason", "r")
    monkeypatch.setenv("ABUSE_GATE_REDIS_URL", "redis://:canary@127.0.0.1:1")
    with pytest.raises(ConfigError, match="does not answer: ConnectionError") as caught:
        _run("list")
    assert "canary" not in str(caught.value)
    monkeypatch.delenv("ABUSE_GATE_REDIS_URL")
    with pytest.raises(ConfigError, match="ABUSE_GATE_REDIS_URL: not set"):
        _run("list")


def test_an_operator_without_a_name_is_nobody() -> None:
    def nameless() -> str:
        raise KeyError("uid not found: 4711")

    assert subjects.operator(nameless) == ""
