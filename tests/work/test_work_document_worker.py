"""The worker itself: questions in, answers out, and nothing that a server would need."""

import inspect
import json
import resource
import runpy
import subprocess
import sys
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest

from abuse_gate.work.document_worker import ANSWER, READY, limit_resources, preload, question, serve
from abuse_gate.work.worker_process import COMMAND


def answers(raw: bytes) -> list[dict[str, Any]]:
    assert raw.startswith(READY)
    found, position = [], len(READY)
    while position < len(raw):
        (size,) = ANSWER.unpack(raw[position : position + ANSWER.size])
        position += ANSWER.size
        found.append(json.loads(raw[position : position + size]))
        position += size
    return found


def asked(*files: tuple[str, bytes]) -> list[dict[str, Any]]:
    sink = BytesIO()
    serve(BytesIO(b"".join(question(kind, data) + data for kind, data in files)), sink)
    return answers(sink.getvalue())


def test_questions_are_answered_in_their_order() -> None:
    first, second = asked(("html", b"<p>one</p>"), ("rtf", rb"{\rtf1 two}"))
    assert (first["shown"], second["shown"]) == ("one", "two")


def test_a_kind_that_nobody_knows_is_an_opaque_file() -> None:
    (answer,) = asked(("spell", b"x"))
    assert answer["flags"] == ["opaque_media_noninterpretable"]


def test_a_lone_surrogate_travels() -> None:
    (answer,) = asked(("rtf", rb"{\rtf1 \u55357?}"))
    assert answer["shown"] == "\ud83d"


def test_the_module_serves_when_it_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    sink = BytesIO()
    data = b"<p>hello</p>"
    source = BytesIO(question("html", data) + data)
    limit = resource.getrlimit(resource.RLIMIT_AS)[1]
    # The limits of this process must stay as they are, so the highest one is asked for.
    most = str(limit if limit != resource.RLIM_INFINITY else -1)
    monkeypatch.setattr(sys, "argv", ["worker", most])
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=source))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=sink))
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    runpy.run_path(inspect.getfile(serve), run_name="__main__")
    assert answers(sink.getvalue())[0]["shown"] == "hello"


def test_limits_are_set_and_never_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda name, value: told.append((name, value)))
    least = {resource.RLIMIT_CORE: (0, 0)}
    monkeypatch.setattr(resource, "getrlimit", lambda name: least.get(name, (0, -1)))
    limit_resources(1000)
    assert (resource.RLIMIT_AS, (1000, 1000)) in told
    assert resource.RLIMIT_CORE not in [name for name, _ in told]


def test_a_system_without_limits_is_served_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    limit_resources(1000)


def test_a_worker_without_its_parsers_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "abuse_gate.reading.documents.pdf", None)
    preload()


def test_a_worker_imports_no_server_no_engine_and_no_settings() -> None:
    script = (
        "import sys, abuse_gate.work.document_worker as w; w.preload();"
        "bad = {'starlette', 'hyperscan', 'pydantic', 'asyncio', 'httpx2'};"
        "print(sorted(bad & set(sys.modules)))"
    )
    done = subprocess.run([COMMAND[0], "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
