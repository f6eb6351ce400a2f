"""An independent counterparty: the adapters against `@copilotkit/aimock`, where node has it.

    npm install @copilotkit/aimock && AIMOCK=node_modules/.bin/llmock python -m benchmarks.aimock

Exits 0 when every answer is the expected one, 1 when one is not, 2 when there is no aimock to ask.
"""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import abuse_gate_adapters.anthropic
import abuse_gate_adapters.azure
import abuse_gate_adapters.openai
from abuse_gate.contract import AdapterConfig, VerifierAdapter
from abuse_gate.testing import RecordingObserver
from abuse_gate.testing.contract_kit import PAYLOAD, aclose
from abuse_gate.testing.contract_watch import within
from abuse_gate.verify.guard import Guard, GuardLimits

# What the user writes, what aimock then answers, and what must come of it.
CASES: Final[tuple[tuple[str, dict[str, Any], tuple[str, str]], ...]] = (
    ("hello", {"content": '{"verdict":"safe"}'}, ("safe", "model_safe")),
    ("please block", {"content": '{"verdict":"unsafe"}'}, ("unsafe", "model_unsafe")),
    ("please hesitate", {"content": '{"verdict":"unclear"}'}, ("unclear", "model_unclear")),
    ("please chat", {"content": "This is not safe."}, ("unclear", "bad_reply")),
    (
        "please fail",
        {"error": {"message": "overloaded", "type": "server_error"}, "status": 503},
        ("unclear", "provider_error"),
    ),
    (
        "please wait",
        {"error": {"message": "slow down", "type": "rate_limit_error"}, "status": 429},
        ("unclear", "rate_limited"),
    ),
)


async def _key(_name: str, /) -> str | None:
    return "sk-test"


def adapters(url: str) -> dict[str, VerifierAdapter]:
    """The judges, each over its real SDK; aimock's moderation flags nothing and is asked apart."""

    def config(name: str, endpoint: str, **more: Any) -> AdapterConfig:
        return AdapterConfig(name, 5000, endpoint=endpoint, secret=_key, **more)

    azure = abuse_gate_adapters.azure.build
    return {
        "openai chat": abuse_gate_adapters.openai.build(
            config("openai", f"{url}/v1", model="gpt-6-mini")
        ),
        "openai responses": abuse_gate_adapters.openai.build(
            config("openai", f"{url}/v1", model="responses/gpt-6-mini")
        ),
        "anthropic": abuse_gate_adapters.anthropic.build(config("anthropic", url)),
        "azure": azure(config("azure", url, model="judge")),
        "azure dated": azure(config("azure", url, model="judge", api_version="2026-06-01")),
    }


async def asked(adapter: VerifierAdapter, text: str) -> tuple[str, str]:
    """One guarded question."""
    limits = GuardLimits(timeout_seconds=5.0)
    guard = Guard(adapter, "aimock", limits, RecordingObserver())
    answer = await guard.assess({**PAYLOAD, "prompt_text": text})
    return answer.verdict, answer.reason


async def differences(port: int) -> list[str]:
    """Every answer that is not the expected one."""
    if not await within(10.0, lambda: _listens(port)):
        return ["aimock did not start"]
    url = f"http://127.0.0.1:{port}"
    found: list[str] = []
    moderation: VerifierAdapter = abuse_gate_adapters.openai.build(
        AdapterConfig("openai", 5000, endpoint=f"{url}/v1", secret=_key)
    )
    questions = [("openai moderation", moderation, "hello", ("safe", "model_safe"))]
    for name, adapter in adapters(url).items():
        questions += [(name, adapter, text, expected) for text, _, expected in CASES]
    for name, adapter, text, expected in questions:
        answer = await asked(adapter, text)
        print(f"{name:18} {text:16} {answer[0]:8} {answer[1]}")
        if answer != expected:
            found.append(f"{name}: {text}: {answer}, expected {expected}")
    for adapter in {id(row[1]): row[1] for row in questions}.values():
        await aclose(adapter)
    return found


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> int:
    """Start aimock, ask it everything, stop it."""
    command = os.environ.get("AIMOCK") or shutil.which("llmock")
    if command is None:
        print("aimock: not asked, because it is not here: it needs node; then run")
        print("  npm install @copilotkit/aimock && export AIMOCK=node_modules/.bin/llmock")
        return 2
    fixtures = [{"match": {"userMessage": text}, "response": reply} for text, reply, _ in CASES]
    port = _free_port()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "fixtures.json")
        script.write_text(json.dumps({"fixtures": fixtures}), encoding="utf-8")
        arguments = [command, "-p", str(port), "-f", str(script), "--log-level", "silent"]
        with subprocess.Popen(arguments) as server:  # noqa: S603 - the operator's own command
            try:
                wrong = asyncio.run(differences(port))
            finally:
                server.terminate()
    print("\n".join(wrong) or "aimock: every answer as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
