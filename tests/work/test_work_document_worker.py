"""The worker itself: questions in, answers out, and nothing that a server would need."""

import json
import subprocess
from io import BytesIO
from typing import Any

from abuse_gate.work.document_worker import ANSWER, READY, limit_resources, preload, question, serve
from abuse_gate.work.worker_process import COMMAND


def answers(raw: bytes) -> list[dict[str, Any]]:
    assert raw.startswith(READY)
    found, position = list[dict[str, Any]](), len(READY)
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


class System:
    """A system whose limits are written down and not set."""

    RLIM_INFINITY = -1
    RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_CORE = range(3)

    def __init__(self) -> None:
        self.told: list[tuple[int, tuple[int, int]]] = []

    def getrlimit(self, name: int) -> tuple[int, int]:
        return (0, 0) if name == self.RLIMIT_CORE else (0, -1)

    def setrlimit(self, name: int, value: tuple[int, int]) -> None:
        self.told.append((name, value))


def test_limits_are_set_and_never_raised() -> None:
    system = System()
    limit_resources(1000, system)
    assert system.told == [(System.RLIMIT_AS, (1000, 1000)), (System.RLIMIT_FSIZE, (0, 0))]


def test_a_system_without_limits_is_served_too() -> None:
    limit_resources(1000, None)


def test_a_worker_without_its_parsers_starts() -> None:
    preload("abuse_gate.no_such_parser")
    preload()


def test_a_worker_imports_no_server_no_engine_and_no_settings() -> None:
    script = (
        "import sys, abuse_gate.work.document_worker as w; w.preload();"
        "bad = {'starlette', 'hyperscan', 'pydantic', 'asyncio', 'httpx2'};"
        "print(sorted(bad & set(sys.modules)))"
    )
    done = subprocess.run([COMMAND[0], "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
