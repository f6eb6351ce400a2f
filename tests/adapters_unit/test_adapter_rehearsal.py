"""The first question costs its loop no more than the next: the SDK has been through it before."""

import json
import os
import subprocess
import sys

import pytest

from abuse_gate.verify.kit.rehearsal import rehearse

# In a process of its own, where nothing of the SDK has been used yet.
FIRST = """
import asyncio, importlib, json, sys
from abuse_gate.contract import AdapterConfig
from abuse_gate.testing import FaultyProvider

async def key(_name, /):
    return "k"

async def main(name, model):
    provider_module = importlib.import_module(f"abuse_gate_adapters.{name}")
    async with FaultyProvider() as provider:
        config = AdapterConfig(name, 9000, model=model, endpoint=provider.url, secret=key)
        adapter = provider_module.build(config)
        asked = len(provider.requests)
        before = set(sys.modules)
        answer = await adapter.assess({"prompt_text": "hello"})
        found = [answer.verdict, asked, sorted(set(sys.modules) - before)]
        await adapter.aclose()
    print(json.dumps(found))

asyncio.run(main(*json.loads(sys.argv[1])))
"""


# The one that imports most; the others when there is time.
FIRST_TO_TRY = [("openai", "responses/m")]
OTHERS = [("openai", None), ("openai", "m"), ("openai", "gpt-6-luna"), ("anthropic", "m")]
CHOSEN = [*FIRST_TO_TRY, *(OTHERS if os.environ.get("SOAK") else ())]


@pytest.mark.parametrize("chosen", CHOSEN, ids=str)
def test_the_first_question_imports_nothing(chosen: tuple[str, str | None]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST, json.dumps(chosen)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert json.loads(done.stdout) == ["safe", 0, []]


def test_a_rehearsal_is_held_once_for_each_kind_and_never_raises() -> None:
    held: list[str] = []

    async def fails() -> None:
        held.append("held")
        raise ValueError

    for _ in range(3):
        rehearse(("a kind", "of this test"), fails)
    assert held == ["held"]
