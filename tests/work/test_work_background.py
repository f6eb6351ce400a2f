"""A loop of our own for callers that have none."""

import asyncio
import os
import threading
from collections.abc import Callable

import pytest

from abuse_gate.work.background import Background


async def thread_name() -> str:
    await asyncio.sleep(0)
    return threading.current_thread().name


def test_all_callers_share_one_loop_in_one_thread() -> None:
    background = Background()
    assert {background.run(thread_name()) for _ in range(3)} == {"abuse-gate-background"}


def test_what_the_work_raises_reaches_the_caller() -> None:
    async def failing() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        Background().run(failing())


def test_a_thread_that_cannot_be_started_is_tried_again() -> None:
    tries: list[int] = []

    def start(target: Callable[[], None]) -> None:
        tries.append(1)
        if len(tries) == 1:
            raise RuntimeError("can't start new thread")
        threading.Thread(target=target, daemon=True).start()

    background = Background(start)
    with pytest.raises(RuntimeError, match="start new thread"):
        background.run(thread_name())
    assert background.run(asyncio.wait_for(thread_name(), 10))
    assert len(tries) == 2


async def test_an_event_loop_is_not_blocked() -> None:
    with pytest.raises(RuntimeError, match="event loop is running"):
        Background().run(thread_name())


def test_what_a_fork_leaves_behind_is_forgotten() -> None:
    background = Background()
    background.run(thread_name())
    background.forget()
    assert background.run(thread_name()) == "abuse-gate-background"


def test_after_a_fork_the_child_makes_its_own() -> None:
    background = Background()
    background.run(thread_name())
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        name = ""
        try:
            name = background.run(asyncio.wait_for(thread_name(), 10))
        finally:
            os._exit(0 if name == "abuse-gate-background" else 1)
    assert os.waitpid(child, 0)[1] == 0
