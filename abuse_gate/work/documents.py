"""The pool of document workers: bounded, self-healing, and never on an event loop.

A thread for each worker does the waiting, so that one pool serves every event loop of a process
and starting a process never holds one up. asyncio's own subprocesses belong to one loop and start
on it. A worker that hangs, crashes or is killed costs one upload; the next one gets a new worker.
"""

import asyncio
import atexit
import logging
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from abuse_gate.model.extract import Upload
from abuse_gate.work.jobs import Answer, Job, Line, parsed
from abuse_gate.work.worker_process import WorkerFailed, WorkerProcess

_log = logging.getLogger("abuse_gate")

PARSERS: Final = ("pypdf", "pypdfium2")


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How much the workers may take."""

    workers: int = 2
    waiting: int = 256
    seconds: float = 5.0
    memory_bytes: int = 768 * 1024 * 1024
    idle_seconds: float = 60.0
    start_seconds: float = 30.0


class DocumentPool:
    """Opens uploads in worker processes; made at the first upload, ended when idle."""

    def __init__(
        self,
        limits: PoolLimits | None = None,
        start: Callable[[int], WorkerProcess] = WorkerProcess,
    ) -> None:
        self.limits = limits or PoolLimits()
        self._start = start
        self._lock = threading.Lock()
        self._jobs = Line(self.limits.waiting)
        self._threads = 0
        self._idle = 0
        self._workers: set[WorkerProcess] = set()
        _POOLS.add(self)

    async def open(self, upload: Upload, owner: str = "") -> Answer:
        """What a worker made of an upload, or the reason why there is nothing.

        Owners take turns. One that stops waiting gives up its place in the line at once; a worker
        that is at its file already finishes it, within the deadline, and serves the next.
        """
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[Answer] = loop.create_future()

        def settle(answer: Answer) -> None:
            def on_loop() -> None:
                if not waiter.done():
                    waiter.set_result(answer)

            try:
                loop.call_soon_threadsafe(on_loop)
            except RuntimeError:
                # The loop is closed: nobody is left who waits.
                return

        # Whoever stands in line may wait as long again as the work itself may take.
        job = Job(upload, time.monotonic() + 2 * self.limits.seconds, settle, owner)
        if not self._accept(job):
            return "saturated"
        try:
            return await waiter
        finally:
            job.dropped.set()

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that are running now."""
        with self._lock:
            return tuple(worker.pid for worker in self._workers)

    def close(self) -> None:
        """End every worker; a later upload starts anew."""
        with self._lock:
            threads, self._threads = self._threads, 0
            jobs, self._jobs = self._jobs, Line(self.limits.waiting)
            for worker in self._workers:
                worker.kill()
        jobs.dismiss(threads)

    def forget(self) -> None:
        """After a fork: neither the threads nor the workers are ours."""
        for worker in self._workers:
            worker.let_go()
        self._lock = threading.Lock()
        self._jobs = Line(self.limits.waiting)
        self._threads = self._idle = 0
        self._workers = set()

    def _accept(self, job: Job) -> bool:
        with self._lock:
            if not self._jobs.put(job):
                return False
            if self._threads < self.limits.workers and len(self._jobs) > self._idle:
                self._threads += 1
                threading.Thread(
                    target=self._work, args=(self._jobs,), name="abuse-gate-document", daemon=True
                ).start()
            return True

    def _work(self, jobs: Line) -> None:
        """One thread's life: a worker of its own, as long as there is work for it."""
        worker: WorkerProcess | None = None
        try:
            while True:
                job = self._next(jobs)
                if job is None:
                    return
                worker = self._do(job, worker)
        finally:
            self._retire(worker)

    def _next(self, jobs: Line) -> Job | None:
        with self._lock:
            self._idle += 1
        try:
            return jobs.get(timeout=self.limits.idle_seconds)
        except queue.Empty:
            return self._leave(jobs)
        finally:
            with self._lock:
                self._idle -= 1

    def _leave(self, jobs: Line) -> Job | None:
        """A job that came in the last moment, or the end of an idle thread."""
        with self._lock:
            job = jobs.get(0) if len(jobs) else None
            self._threads -= job is None and jobs is self._jobs
            return job

    def _do(self, job: Job, worker: WorkerProcess | None) -> WorkerProcess | None:
        """Settle one job; returns the worker if it is still alive."""
        if job.dropped.is_set():
            return worker
        if time.monotonic() >= job.expires:
            job.settle("saturated")
            return worker
        try:
            worker = self._fit(worker) or self._hire()
            reply = worker.ask(job.upload.kind, job.upload.data, self.limits.seconds)
        except WorkerFailed as failed:
            _log.warning("abuse-gate: a document worker failed: %s; it is replaced", failed.reason)
            self._retire(worker)
            job.settle(failed.reason)
            return None
        except Exception as error:  # noqa: BLE001 - no process to be had: our side is full
            _log.warning("abuse-gate: no document worker: %s", type(error).__name__)
            job.settle("saturated")
            return None
        job.settle(parsed(reply))
        return worker

    def _fit(self, worker: WorkerProcess | None) -> WorkerProcess | None:
        """The worker, unless it was ended while it had nothing to do."""
        if worker is None or worker.alive:
            return worker
        self._retire(worker)
        return None

    def _hire(self) -> WorkerProcess:
        worker = self._start(self.limits.memory_bytes)
        worker.wait_ready(self.limits.start_seconds)
        with self._lock:
            self._workers.add(worker)
        return worker

    def _retire(self, worker: WorkerProcess | None) -> None:
        if worker is None:
            return
        with self._lock:
            self._workers.discard(worker)
        worker.end()


def missing_parsers() -> tuple[str, ...]:
    """The parsers of the `documents` extra that are not installed."""
    return tuple(name for name in PARSERS if find_spec(name) is None)


_POOLS: "weakref.WeakSet[DocumentPool]" = weakref.WeakSet()


def close_pools(pools: Iterable[DocumentPool] = _POOLS) -> None:
    """At the end of the process: no worker outlives it."""
    for pool in list(pools):
        pool.close()


def forget_pools(pools: Iterable[DocumentPool] = _POOLS) -> None:
    """In a forked child: its parent's workers are not its own."""
    for pool in list(pools):
        pool.forget()


atexit.register(close_pools)
os.register_at_fork(after_in_child=forget_pools)
