"""Start-up under `python -m uvicorn`: a wrong setting is one line and no traceback."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from tests.e2e.house import HEADERS
from tests.e2e.serving import wait_until

APP = """
import logging
from fastapi import FastAPI, Request
from abuse_gate import AbuseGateMiddleware

logging.basicConfig(level=logging.INFO, format="%(name)s %(levelname)s %(message)s")
app = FastAPI()
app.add_middleware(AbuseGateMiddleware)

@app.post("/chat")
async def chat(request: Request):
    return {"length": len(await request.body())}
"""
PACK = "[[rule]]\nid = 'mine.word'\nseverity = 60\npattern = '(open'\n"
STARTUP_FAILURE = 3
SECRET = "sk-very-private-4711"  # a made-up key that must not be shown
ADAPTERS = {
    "acme": """
        class Acme:
            async def assess(self, payload):
                return "unsafe" if "forbidden" in payload["prompt_text"] else "safe"

        def build(config):
            return Acme()
        """,
    "needy": """
        import a_module_that_nobody_has

        def build(config):
            return None
        """,
    "broken": """
        import os

        def build(config):
            raise RuntimeError("cannot use " + os.environ["ACME_API_KEY"])
        """,
    "hollow": """
        def build(config):
            return object()
        """,
}


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with an app, its plug-ins, and an environment to run it in."""

    folder: Path

    def environment(self, settings: Mapping[str, str]) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return {**kept, "PYTHONPATH": str(self.folder), **settings}

    def start(
        self, settings: Mapping[str, str], *flags: str, lifespan: str = "auto"
    ) -> subprocess.Popen[str]:
        served = ["-m", "uvicorn", "served_app:app", "--port", "0", "--lifespan", lifespan]
        command = [sys.executable, *flags, *served]
        with (self.folder / "stderr.txt").open("w") as stderr:
            return subprocess.Popen(
                command,
                cwd=self.folder,
                env=self.environment(settings),
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                text=True,
            )

    def fail(self, settings: Mapping[str, str], *flags: str) -> str:
        """Everything that a start which must fail has said."""
        server = self.start(settings, *flags)
        try:
            assert server.wait(60) == STARTUP_FAILURE
        finally:
            server.kill()
        return self.said()

    def said(self) -> str:
        return (self.folder / "stderr.txt").read_text()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "served_app.py").write_text(APP)
    (tmp_path / "gate.toml").write_text("[abuse_gate]\nrule_packs = ['etc/mine.toml']\n")
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "mine.toml").write_text(PACK)
    for name, source in ADAPTERS.items():
        module = f"adapter_of_{name}"
        lines = (line.removeprefix(" " * 8) for line in source.splitlines())
        (tmp_path / f"{module}.py").write_text("\n".join(lines))
        info = tmp_path / f"abuse_gate_{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: abuse-gate-{name}\nVersion: 1.0\n"
        )
        (info / "entry_points.txt").write_text(f"[abuse_gate.adapters]\n{name} = {module}:build\n")
    return Place(tmp_path)


def teaching_line(said: str, *words: str) -> str:
    """The one line with all these words, where there is no traceback around it."""
    assert "Traceback" not in said
    lines = [line for line in said.splitlines() if all(word in line for word in words)]
    assert len(lines) == 1, said
    return lines[0]


WRONG = [
    ({"VERIFIER_ADAPTER": "opnai"}, ("VERIFIER_ADAPTER", "opnai", "openai")),
    ({"ABUSE_GATE_MODE": "enforcee"}, ("ABUSE_GATE_MODE", "enforcee", "enforce, monitor")),
    ({"ABUSE_GATE_ON_UNCLER": "block"}, ("ABUSE_GATE_ON_UNCLER", "ABUSE_GATE_ON_UNCLEAR")),
    ({"VERIFIER_ADAPTER": "openai"}, ("VERIFIER_ADAPTER", "needs a key; set OPENAI_API_KEY")),
    ({"VERIFIER_ADAPTER": "needy"}, ("a_module_that_nobody_has", "pip install")),
    ({"VERIFIER_ADAPTER": "broken"}, ("VERIFIER_ADAPTER=broken", "RuntimeError")),
    ({"VERIFIER_ADAPTER": "hollow"}, ("hollow", "assess(payload)")),
    ({"ABUSE_GATE_CONFIG": "gate.toml"}, ("abuse-gate: etc/mine.toml", "mine.word", "use plain")),
]


@pytest.mark.parametrize(("settings", "words"), WRONG, ids=[words[1] for _, words in WRONG])
def test_a_wrong_setting_is_one_teaching_line(
    place: Place, settings: dict[str, str], words: tuple[str, ...]
) -> None:
    said = place.fail({**settings, "ACME_API_KEY": SECRET})
    teaching_line(said, *words)
    assert SECRET not in said


def test_bad_toml_is_one_teaching_line(place: Place) -> None:
    config = place.folder / "gate.toml"
    config.write_text("[abuse_gate\nmode = 'enforce'\n")
    said = place.fail({"ABUSE_GATE_CONFIG": str(config)})
    teaching_line(said, "gate.toml", "line 1")


def test_a_wrong_setting_is_an_error_under_optimisation_too(place: Place) -> None:
    said = place.fail({"ABUSE_GATE_MODE": "enforcee"}, "-O")
    teaching_line(said, "ABUSE_GATE_MODE", "enforcee")


def _port(said: str) -> int:
    return int(said.partition("running on http://127.0.0.1:")[2].split()[0])


def test_without_a_lifespan_every_request_is_refused_and_the_line_is_said_once(
    place: Place,
) -> None:
    server = place.start({"ABUSE_GATE_MODE": "enforcee"}, lifespan="off")
    try:
        assert wait_until(lambda: "running on" in place.said()), place.said()
        url = f"http://127.0.0.1:{_port(place.said())}/chat"
        answers = [httpx2.post(url, json={"q": "hello"}, trust_env=False) for _ in range(2)]
    finally:
        server.terminate()
        server.wait(20)
    assert [answer.status_code for answer in answers] == [503, 503]
    assert all(name in answers[0].headers for name in HEADERS)
    assert "enforcee" not in answers[0].text
    teaching_line(place.said(), "ABUSE_GATE_MODE", "enforcee")


def test_a_third_partys_adapter_works_and_the_start_is_announced(place: Place) -> None:
    server = place.start({"VERIFIER_ADAPTER": "acme"})
    try:
        assert wait_until(lambda: "running on" in place.said()), place.said()
        url = f"http://127.0.0.1:{_port(place.said())}/chat"
        fine = httpx2.post(url, json={"q": "hello"}, trust_env=False)
        refused = httpx2.post(url, json={"q": "the forbidden word"}, trust_env=False)
    finally:
        server.terminate()
        server.wait(20)
    assert (fine.status_code, refused.status_code) == (200, 403)
    line = teaching_line(place.said(), "abuse_gate INFO", "rules")
    assert "acme" in line
    assert "websockets are not gated" in line
