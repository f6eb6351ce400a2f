"""Uploads on their way to a worker: the line they stand in, and what an answer may be."""

import json
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from abuse_gate.model.extract import Upload
from abuse_gate.work.worker_process import Failure

Answer = dict[str, Any] | Failure


@dataclass(slots=True, repr=False)
class Job:
    """One upload on its way; `expires` bounds the wait for a worker and the work together."""

    upload: Upload
    expires: float
    settle: Callable[[Answer], None]
    dropped: threading.Event = field(default_factory=threading.Event)


Jobs = queue.Queue[Job | None]


def dismiss(jobs: Jobs, threads: int) -> None:
    """Tell every thread to end, in front of nobody: who still waits is told that we are full."""
    while True:
        try:
            job = jobs.get_nowait()
        except queue.Empty:
            break
        if job is not None:
            job.settle("saturated")
    for _ in range(threads):
        jobs.put(None)


def parsed(reply: bytes) -> Answer:
    """A worker's answer, or what is wrong with it."""
    try:
        answer: object = json.loads(reply)
    except ValueError:
        return "bad_reply"
    return cast("dict[str, Any]", answer) if isinstance(answer, dict) else "bad_reply"
