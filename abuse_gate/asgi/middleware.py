"""The middleware: what Starlette and FastAPI build, and where a wrong setting is said in time.

The way of a request itself is the doorman's.
"""

import logging
import traceback
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from starlette.types import ASGIApp, Receive, Scope, Send

from abuse_gate.asgi.callers import SubjectResolver, TenantResolver
from abuse_gate.asgi.doorman import Doorman, OnRefuse
from abuse_gate.asgi.lifespan import (
    Ending,
    announce,
    fail_startup,
    has_websockets,
    wraps_another,
)
from abuse_gate.asgi.refusals import unconfigured
from abuse_gate.asgi.respond import HeaderSend, send_refusal
from abuse_gate.asgi.scopes import full_path, keep_decision
from abuse_gate.contract import (
    ConfigError,
    Judge,
    JudgeFunction,
    Observer,
    SecretProvider,
    VerifierAdapter,
)
from abuse_gate.reading.dialect import dialect_before_body
from abuse_gate.remembering import Kept
from abuse_gate.settings import Settings, settings_from_env
from abuse_gate.store_contract import Store
from abuse_gate.telemetry.audit.files import AuditSink
from abuse_gate.telemetry.pauses import OnPause
from abuse_gate.verify.guard import Guard
from abuse_gate.wiring import Judges, Telemetry, build_gate
from abuse_gate.work.documents import missing_parsers

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

_log = logging.getLogger("abuse_gate")

# This function, our constructor, a subclass's or two, and Starlette.
_NEAR_FRAMES: Final = 6


class AbuseGateMiddleware:
    """One line in front of an app: `app.add_middleware(AbuseGateMiddleware)`.

    Every setting may be given as a keyword argument and then wins over the environment.
    """

    def __init__(  # noqa: PLR0913 - all of it is public, and by name
        self,
        app: ASGIApp,
        /,
        *,
        settings: Settings | None = None,
        adapter: VerifierAdapter | Guard | None = None,
        observer: Observer | None = None,
        on_refuse: OnRefuse | None = None,
        tenant: TenantResolver | None = None,
        subject: SubjectResolver | None = None,
        store: Store | None = None,
        secrets: SecretProvider | None = None,
        triage: Judge | JudgeFunction | None = None,
        supervisor: Judge | JudgeFunction | None = None,
        on_pause: OnPause | None = None,
        tracer_provider: "TracerProvider | None" = None,
        meter_provider: "MeterProvider | None" = None,
        audit: AuditSink | None = None,
        **overrides: Any,
    ) -> None:
        self.app = app
        self._doorman: Doorman | None = None
        self._config_error = ""
        self._announced = False
        try:
            _check_hooks(observer, on_refuse)
            judges = Judges(triage, supervisor, on_pause)
            chosen = _settings(settings, overrides)
            telemetry = Telemetry(tracer_provider, meter_provider, audit)
            kept = Kept(store, names_users=subject is not None)
            gate = build_gate(
                chosen, adapter, observer, secrets, judges, telemetry=telemetry, kept=kept
            )
        except ConfigError as error:
            if not _stacked_by_starlette():
                raise
            self._config_error = str(error)
        else:
            self._doorman = Doorman(app, gate, on_refuse, tenant, subject)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Gate HTTP; say at start-up what is in force; let everything else pass untouched."""
        kind = scope["type"]
        if kind not in ("http", "lifespan"):
            await self.app(scope, receive, send)
        elif self._doorman is None:
            await self._unconfigured(scope, receive, send)
        else:
            if not self._announced:
                self._announce(self._doorman)
            run = self._doorman if kind == "http" else self._lifespan
            await run(scope, receive, send)

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The app's own lifespan, untouched, between our start and our end."""
        gate = cast("Doorman", self._doorman).gate
        await gate.start()
        ending = Ending(gate, send)
        try:
            await self.app(scope, receive, ending)
        finally:
            # For an app that never says its last word.
            await ending.close()

    def _announce(self, doorman: Doorman) -> None:
        self._announced = True
        announce(
            doorman.gate,
            twice=wraps_another(self.app, AbuseGateMiddleware),
            sockets=has_websockets(self.app),
            missing=missing_parsers(),
        )

    async def _unconfigured(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await fail_startup(self._config_error, receive, send)
            return
        if not self._announced:
            self._announced = True
            _log.error("abuse-gate: every request is refused: %s", self._config_error)
        dialect = dialect_before_body(full_path(scope), scope["headers"])
        refusal = unconfigured(dialect)
        keep_decision(scope, refusal.decision)
        await send_refusal(refusal, HeaderSend(send, scope, refusal.decision, "full"))


def _check_hooks(observer: object, on_refuse: object) -> None:
    if observer is not None and not callable(getattr(observer, "record", None)):
        raise ConfigError("observer: needs a method record(event); see the Observer protocol")
    if on_refuse is not None and not callable(on_refuse):
        raise ConfigError("on_refuse: needs a function (scope, refusal) that returns a response")


def _settings(settings: Settings | None, overrides: Mapping[str, Any]) -> Settings:
    if settings is None:
        return settings_from_env(**overrides)
    if overrides:
        raise ConfigError(
            f"{', '.join(sorted(overrides))}: given beside settings=; "
            "put it into the settings, or leave settings= out"
        )
    return settings


def _stacked_by_starlette() -> bool:
    """Whether Starlette is building its stack, which it does inside the first ASGI call.

    An exception there leaves the server running and answering 500, so it must be kept; anywhere
    else it reaches the person who wrote the line. Only the caller's name tells the two apart.
    """
    names = (entry.name for entry in traceback.extract_stack(limit=_NEAR_FRAMES))
    return "build_middleware_stack" in names
