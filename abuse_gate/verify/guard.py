"""The one adapter that makes another adapter total: breaker, deadline, retry, call, map errors.

"Never throws" is implemented here and nowhere else. Catches Exception, never BaseException.
"""

import asyncio
import contextlib
import logging
import math
import random
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Any

from abuse_gate.contract import Observer, ProviderRateLimited, ProviderTimeout, VerifierAdapter
from abuse_gate.deciding.breaker import Breaker, Outcome, Ticket
from abuse_gate.deciding.budget import attempt_seconds, pause_seconds, throttle_seconds
from abuse_gate.model.events import BreakerMoved, Event, Verified
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import Assessment, as_code
from abuse_gate.verify.failures import detail_of, failure_of
from abuse_gate.verify.lift import families, identity, lift, shown_model
from abuse_gate.verify.slots import Slots, swallow
from abuse_gate.verify.steps import stepped

_log = logging.getLogger("abuse_gate")


@dataclass(frozen=True, slots=True)
class GuardLimits:
    """How long, how often, how many at once."""

    timeout_seconds: float = 1.5
    max_retries: int = 1
    circuit_open_seconds: float = 60.0
    max_in_flight: int = 64
    subject_budget: int = 0


@dataclass(slots=True)
class _Call:
    """The state of one question on its way."""

    deadline: float
    subject: str = ""
    address: str = ""
    outcome: Outcome = "release"
    attempts: int = 0
    detail: str = ""


class Guard:
    """`async assess(mapping) -> Assessment` that never raises and ends within its budget."""

    def __init__(
        self,
        adapter: VerifierAdapter,
        name: str,
        limits: GuardLimits,
        observer: Observer,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
        slots: Slots | None = None,
    ) -> None:
        self.name = as_code(name)
        self.model = shown_model(adapter)
        self.identity = identity(adapter)
        self.limits = limits
        self.judges = families(adapter, self.name)
        self._adapter = adapter
        self._slots = slots or Slots(limits.max_in_flight, limits.subject_budget)
        self._jitter = jitter
        ask = lift(adapter, self.name, self._slots.threads)
        self._ask = stepped(ask, adapter, self.name, observer)
        self._observer = observer
        self._clock = clock
        self._breaker = Breaker(
            open_for=limits.circuit_open_seconds, lease=2 * limits.timeout_seconds
        )
        self._throttled_until = 0.0
        # One guard may serve several event loops, each in a thread of its own.
        self._lock = threading.Lock()

    @property
    def in_flight(self) -> int:
        """How many calls are under way, those nobody waits for any more included."""
        return self._slots.taken

    @property
    def is_open(self) -> bool:
        """Whether its circuit is anything but closed."""
        return self._breaker.phase != "closed"

    async def assess(
        self,
        payload: Mapping[str, Any],
        *,
        subject: str = "",
        address: str = "",
        within: float = math.inf,
    ) -> Assessment:
        """The adapter's word on a payload, or `unclear` with the reason why there is none.

        `subject` asks from `address`, both digests: see Slots for shares. `within` is what earlier
        tiers have left of the budget, in seconds.
        """
        started = self._clock()
        seconds = min(self.limits.timeout_seconds, within)
        if not attempt_seconds(seconds, seconds, 0):
            return self.refuse("budget_spent")
        call = _Call(started + seconds, subject, address)
        refused, ticket = self._admit(started, call)
        if ticket is None:
            return self._finish(_unclear(refused, self.name), call, started)
        try:
            answer = await self._attempts(payload, call)
        finally:
            self._settle(ticket, call.outcome)
        unseen = payload.unseen if isinstance(payload, Payload) else ()
        return self._finish(replace(answer, unseen=unseen), call, started)

    def refuse(self, reason: str) -> Assessment:
        """The record of a question that could not be put, and `unclear` for its answer."""
        now = self._clock()
        return self._finish(_unclear(reason, self.name), _Call(now), now)

    def sibling(self) -> "Guard":
        """Another guard of the same adapter and slots, with a breaker of its own."""
        return self.sibling_of(self._adapter)

    def sibling_of(self, adapter: VerifierAdapter) -> "Guard":
        """A guard of another adapter that shares the slots of this one."""
        clock, jitter = self._clock, self._jitter
        return Guard(adapter, self.name, self.limits, self._observer, clock, jitter, self._slots)

    async def start(self) -> None:
        """Let the adapter make its clients on the running loop, before the first request."""
        await self._lifecycle("start")

    async def aclose(self) -> None:
        """Let the adapter close what it holds on the running loop."""
        await self._lifecycle("aclose")

    async def _lifecycle(self, step: str) -> None:
        hook = getattr(self._adapter, step, None)
        if hook is None:
            return
        try:
            await hook()
        except Exception as error:  # noqa: BLE001 - an adapter that cannot start answers unclear later
            _log.warning("verifier %s: %s raised %s", self.name, step, type(error).__name__)

    def _admit(self, now: float, call: _Call) -> tuple[str, Ticket | None]:
        if now < self._throttled_until:
            return "rate_limited", None
        if not self._slots.admits(call.subject, now, call.address):
            return "saturated", None
        with self._lock:
            before = self._breaker
            self._breaker, ticket = before.admit(now)
        self._tell(before, self._breaker)
        return "breaker_open", ticket

    async def _attempts(self, payload: Mapping[str, Any], call: _Call) -> Assessment:
        answer = _unclear("budget_spent", self.name)
        for retries_left in range(self.limits.max_retries, -1, -1):
            left = call.deadline - self._clock()
            seconds = attempt_seconds(self.limits.timeout_seconds, left, retries_left)
            if not seconds or (call.attempts and not self._has_room(call)):
                return answer
            call.attempts += 1
            try:
                answer = await self._within(self._question(payload), seconds, call)
            except Exception as error:  # noqa: BLE001 - the one place that makes adapters total
                failure = failure_of(error)
                self._throttle(error)
                call.outcome, call.detail = failure.outcome, detail_of(error)
                answer = _unclear(failure.reason, self.name)
                if not failure.retry:
                    return answer
                if retries_left:
                    left = call.deadline - self._clock()
                    await asyncio.sleep(pause_seconds(left, self._jitter()))
            else:
                call.outcome, call.detail = "success", ""
                return self._in_time(answer, call)
        return answer

    def _has_room(self, call: _Call) -> bool:
        # The first attempt may hold its slot still, and others may have taken theirs meanwhile.
        return self._slots.has_room(call.subject, call.address)

    def _in_time(self, answer: Assessment, call: _Call) -> Assessment:
        # An adapter that held the loop answers after the deadline: too late to clear anything.
        late = answer.verdict == "safe" and self._clock() > call.deadline
        return _unclear("timeout", self.name) if late else answer

    async def _question(self, payload: Mapping[str, Any]) -> Assessment:
        return await self._ask(payload)

    async def _within(
        self, question: Coroutine[Any, Any, Assessment], seconds: float, call: _Call
    ) -> Assessment:
        """The answer in time, even from an adapter that does not let itself be cancelled."""
        task = asyncio.create_task(question)
        self._slots.enter(task, call.subject, call.address)
        task.add_done_callback(swallow)
        try:
            done, _ = await asyncio.wait({task}, timeout=seconds)
        finally:
            task.cancel()
        if not done:
            raise ProviderTimeout
        if task.cancelled() or not isinstance(task.exception(), Exception | None):
            raise RuntimeError  # nobody cancelled *us*: the adapter gave up on itself
        return task.result()

    def _throttle(self, error: Exception) -> None:
        if isinstance(error, ProviderRateLimited):
            wish: object = getattr(error, "retry_after", None)
            seconds = throttle_seconds(wish if isinstance(wish, int | float) else None)
            # A shorter wish that arrives later does not cut a longer one short.
            self._throttled_until = max(self._throttled_until, self._clock() + seconds)

    def _settle(self, ticket: Ticket, outcome: Outcome) -> None:
        with self._lock:
            before = self._breaker
            self._breaker = before.settle(ticket, outcome, self._clock())
        self._tell(before, self._breaker)

    def _tell(self, before: Breaker, after: Breaker) -> None:
        if before.phase != after.phase:
            self._record(BreakerMoved(self.name, before.phase, after.phase))

    def _finish(self, answer: Assessment, call: _Call, started: float) -> Assessment:
        elapsed = (self._clock() - started) * 1000
        told = (elapsed, call.attempts, call.detail)
        self._record(Verified(self.name, answer.verdict, answer.reason, *told))
        return replace(answer, elapsed_ms=elapsed)

    def _record(self, event: Event) -> None:
        # Observers of the house are total already.
        with contextlib.suppress(Exception):
            self._observer.record(event)


def _unclear(reason: str, source: str) -> Assessment:
    return Assessment("unclear", reason, source=source)
