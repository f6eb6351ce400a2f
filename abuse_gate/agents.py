"""The same gate for agents inside the app: check an action before it is taken.

Asks the gate about what the app describes and says CONTINUE, REORIENT or PAUSE. Knows no ASGI.
"""

import hmac
import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Self, get_args

from abuse_gate.contract import (
    ConfigError,
    Judge,
    JudgeFunction,
    Observer,
    SecretProvider,
    VerifierAdapter,
)
from abuse_gate.gate import Gate as CoreGate
from abuse_gate.inspector import report_defect
from abuse_gate.model.caller import Caller
from abuse_gate.model.context import Block, as_block
from abuse_gate.model.decision import Action, Decision
from abuse_gate.model.extract import Extract
from abuse_gate.model.verdict import Step, Verdict
from abuse_gate.reading.action import read_action, unread_action
from abuse_gate.reading.objects import Bounds, is_small
from abuse_gate.reading.token import token_key, write_token
from abuse_gate.settings import Plan, Settings, describe, settings_from_env
from abuse_gate.telemetry.pauses import OnPause
from abuse_gate.verify.guard import Guard
from abuse_gate.wiring import NO_JUDGES, NO_TELEMETRY, Judges, Telemetry, gate_of
from abuse_gate.work.background import BACKGROUND
from abuse_gate.work.scanner import INLINE_SIZE, beside_the_loop

_log = logging.getLogger("abuse_gate")

Outcome = Literal["CONTINUE", "REORIENT", "PAUSE"]
OUTCOMES: Final[Mapping[Action, Outcome]] = {
    "allow": "CONTINUE",
    "clarify": "REORIENT",
    "block": "PAUSE",
}
TOKEN_SECONDS: Final = 300
# What is read of a description before it is put off to a thread.
INLINE: Final = Bounds(nodes=2_000, chars=INLINE_SIZE)


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What to do with an action; `correction` is a supervisor's advice to the agent, if any."""

    outcome: Outcome
    decision: Decision
    # A model's words; they may quote what it read.
    correction: str | None = field(default=None, repr=False)

    @property
    def verdict(self) -> Verdict:
        """The contract's word for this action."""
        return self.decision.verdict

    @property
    def incident_id(self) -> str:
        """The id under which this check is on record."""
        return self.decision.incident_id

    @property
    def trail(self) -> tuple[Step, ...]:
        """The tiers that were asked, with reasons, times and costs."""
        return self.decision.assessment.trail


class ActionStopped(Exception):
    """A guarded tool was not run; `result` says why. The message holds no text of the agent's."""

    def __init__(self, result: ActionResult) -> None:
        super().__init__(f"{result.outcome}: incident {result.incident_id}")
        self.result = result

    def __reduce__(self) -> tuple[type["ActionStopped"], tuple[ActionResult]]:
        """Made anew out of its result, so that it crosses to other processes."""
        return ActionStopped, (self.result,)


class Gate(CoreGate):
    """A gate that agents can ask, beside everything that it does for requests."""

    # Whether the start is still to be said; the middleware has a line of its own.
    announces = False

    @classmethod
    def from_env(
        cls,
        adapter: VerifierAdapter | Guard | None = None,
        *,
        observer: Observer | None = None,
        secrets: SecretProvider | None = None,
        triage: Judge | JudgeFunction | None = None,
        supervisor: Judge | JudgeFunction | None = None,
        on_pause: OnPause | None = None,
        **overrides: Any,
    ) -> Self:
        """A gate whose settings come from the environment; keyword arguments win over it."""
        judges = Judges(triage, supervisor, on_pause)
        settings = settings_from_env(**overrides)
        gate = gate_of(cls, settings, adapter, observer, secrets, judges)
        gate.announces = True
        return gate

    async def start(self) -> None:
        """Let the verifiers make their clients; without a middleware say once what is in force."""
        if self.announces:
            self.announces = False
            _log.info(
                "abuse-gate: %s; %s; %d rules compiled in %.1f s",
                describe(self.settings),
                self.tiers.describe(),
                self.scanner.rule_count,
                self.scanner.compile_seconds,
            )
        await super().start()

    async def check_action(
        self,
        tool: str,
        arguments: Any = None,
        *,
        context: Iterable[Block | str] | None = (),
        goal: str = "",
        supervised: bool = False,
        plan: Plan | None = None,
        caller: Caller | None = None,
    ) -> ActionResult:
        """Whether an action may be taken, by the same tiers as a request; never raises.

        `context` is what the agent has read, a bare text counting as untrusted; `goal` is what it
        was asked to do. `supervised` asks tier 3 whatever the others say. What cannot be read of
        the arguments is `on_unread`'s to decide.
        """
        policy = self.routing.default
        policy = policy if plan is None else replace(policy, plan=_plan(plan))
        extract = await _described(tool, arguments, context, goal)
        who = caller or Caller()
        visit = self.recorder.action(who)
        work = self._inspector.examine(extract, policy, tiers=self.tiers.available)
        inspection = await self.recorder.timed(work, visit)
        with self.recorder.story(visit):
            judged = await self.judge(inspection, policy, who, supervised=supervised)
            await self.recorder.gather(visit, inspection, judged.assessment)
            decision = self.conclude(inspection, policy, judged.assessment, visit)
        # In monitor mode nothing is stopped; the decision says what would have been done.
        outcome = "CONTINUE" if decision.status is None else OUTCOMES[decision.decision]
        return ActionResult(outcome, decision, judged.correction)

    def check_action_sync(
        self,
        tool: str,
        arguments: Any = None,
        *,
        context: Iterable[Block | str] | None = (),
        goal: str = "",
        supervised: bool = False,
        plan: Plan | None = None,
        caller: Caller | None = None,
    ) -> ActionResult:
        """The same for code without an event loop; it blocks, and refuses to block one."""
        return BACKGROUND.run(
            self.check_action(
                tool,
                arguments,
                context=context,
                goal=goal,
                supervised=supervised,
                plan=plan,
                caller=caller,
            )
        )

    def context_token(self, context: Iterable[Block | str], *, seconds: int = TOKEN_SECONDS) -> str:
        """A signed, expiring, content-free token that tells the next service what to trust.

        Sent as `X-Abuse-Gate-Context`; both services need the same `ABUSE_GATE_SECRET`.
        """
        if self.settings.secret is None:
            raise ConfigError(
                "ABUSE_GATE_SECRET: is not set, so nobody could check a context token; "
                "set the same secret for every service, such as `openssl rand -hex 32` prints"
            )
        key = token_key(self.digest_key)
        segments = (as_block(block).segment for block in context)
        return write_token(key, segments, int(time.time()) + seconds)

    def caller(self, subject: str, tenant: str | None = None) -> Caller:
        """Whoever an action is taken for, as a digest; for fair shares and a tenant's own keys."""
        digest = hmac.digest(self.digest_key, b"subject\0" + subject.encode(), "sha256").hex()[:32]
        return Caller(subject=digest, tenant=tenant)


async def _described(tool: object, arguments: object, context: object, goal: object) -> Extract:
    """The action as it is described; a long description is read in a thread."""
    small = is_small((arguments, goal), INLINE)
    try:
        return await beside_the_loop(
            lambda: read_action(tool, arguments, context, goal), 0 if small else INLINE_SIZE + 1
        )
    except Exception as error:  # noqa: BLE001 - a defect of ours must not become the agent's
        report_defect("read", error)
        return unread_action()


def _plan(plan: Plan) -> Plan:
    """A plan; one that nobody knows is the strictest."""
    return plan if plan in get_args(Plan) else "paranoid"


def build_gate(
    settings: Settings,
    adapter: VerifierAdapter | Guard | None = None,
    observer: Observer | None = None,
    secrets: SecretProvider | None = None,
    judges: Judges = NO_JUDGES,
    *,
    telemetry: Telemetry = NO_TELEMETRY,
) -> Gate:
    """A gate out of settings; an adapter or a judge given by hand wins over the one they name."""
    return gate_of(Gate, settings, adapter, observer, secrets, judges, telemetry)


def gate_from_env(overrides: Mapping[str, Any] | None = None) -> Gate:
    """A gate whose every setting comes from the environment and the file that it names."""
    return Gate.from_env(**(overrides or {}))
