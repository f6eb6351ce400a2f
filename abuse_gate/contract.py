"""The seams of the house: adapters, judges, observers, and the errors with a name.

Exception
├── ConfigError            a setting is wrong; the message names it and the cure
└── ProviderError          what provider code may raise; only the guard catches it
    ├── ProviderTimeout        no answer in time
    ├── ProviderConnection     could not connect, or the connection broke
    ├── ProviderUnavailable    5xx, 529
    ├── ProviderRateLimited    429, with the wait the provider asked for
    ├── ProviderMisconfigured  401, 403, 404, other 4xx, 3xx
    ├── ProviderBadReply       an answer that is not an answer
    ├── ProviderRefused        the model declined to judge
    └── ProviderSaturated      our own pool or bulkhead is full
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, runtime_checkable

from abuse_gate.model.events import Event
from abuse_gate.model.verdict import Assessment, Usage, Verdict


class ConfigError(Exception):
    """A setting is wrong: one line that names the variable, the problem and the cure."""


class ProviderError(Exception):
    """A verifier could not answer. Raised with no message: texts of providers may quote prompts.

    `status` is the HTTP status where there was one; it goes on record.
    """

    status: int | None = None


class ProviderTimeout(ProviderError):
    """No answer in time."""


class ProviderConnection(ProviderError):
    """The provider could not be reached, or the connection broke."""


class ProviderUnavailable(ProviderError):
    """The provider answered 5xx."""


class ProviderRateLimited(ProviderError):
    """The provider answered 429; `retry_after` is the wait in seconds it asked for, if any."""

    def __init__(self, retry_after: float | None = None) -> None:
        super().__init__()
        self.retry_after = retry_after


class ProviderMisconfigured(ProviderError):
    """The provider rejects our key, our address or our request: no retry will help."""


class ProviderBadReply(ProviderError):
    """The answer is not one of the shapes that the adapter knows."""


class ProviderRefused(ProviderError):
    """The model declined to judge."""


class ProviderSaturated(ProviderError):
    """Our own side is full; the provider has done nothing wrong."""


@runtime_checkable
class VerifierAdapter(Protocol):
    """The production contract: a payload in, one of three words out.

    Three spellings are legal and told apart at construction: this sync method, an `async def`
    that returns a bare verdict, and one that returns an `Assessment`.
    """

    def assess(
        self, payload: Mapping[str, Any], /
    ) -> Verdict | Assessment | Awaitable[Verdict | Assessment]:
        """The verdict on a payload; never raises."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Reply:
    """A judge's words as they came, and what they cost; whoever asked reads them strictly."""

    text: str
    usage: Usage | None = None


JudgeAnswer = Reply | str | bool | Mapping[str, Any]


@runtime_checkable
class Judge(Protocol):
    """Answers one question about an action or a prompt, by `payload["question"]["kind"]`:

    `triage` wants exactly `{"suspicious": true | false}`; where the question is `plain`, YES or
    NO. `supervisor` wants exactly `{"verdict": "CONTINUE" | "REORIENT" | "PAUSE", "correction":
    string | null}`. As text, or as the value itself; awaited or not. Anything else escalates.
    """

    def ask(self, payload: Mapping[str, Any], /) -> JudgeAnswer | Awaitable[JudgeAnswer]:
        """The answer; may raise the ProviderError family."""
        ...


JudgeFunction = Callable[[Mapping[str, Any]], JudgeAnswer | Awaitable[JudgeAnswer]]


class Observer(Protocol):
    """Takes frozen, content-free records; whatever it raises is counted and not passed on.

    One that has a `close()` is closed, in a thread, when the app's lifespan ends; one that has a
    `step` is a StepObserver. One whose `hears_passes()` is false need not be told of requests in
    which there is nothing at all, and where no observer wants them those cost the least.
    """

    def record(self, event: Event, /) -> None:
        """Takes one event; returns soon, for it is called on the event loop."""
        ...


Fact = str | int | float | bool
"""What may be said of a step: codes, names of ours, sizes and times."""


class StepNotes(Protocol):
    """Takes what becomes known of a step while it lasts."""

    def note(self, **facts: Fact) -> None:
        """Codes and numbers; never text of a request."""
        ...


@runtime_checkable
class StepObserver(Protocol):
    """An observer that is there while a tier or an attempt is under way, and current in it."""

    def step(self, name: str, /, **facts: Fact) -> AbstractContextManager[StepNotes]:
        """Entered before a step of that name, left after it, whatever it raised."""
        ...


Stepping = Callable[..., AbstractContextManager[StepNotes]]


class _Unseen:
    """Nobody watches this step."""

    def note(self, **facts: Fact) -> None:
        """Forgets it."""


_UNSEEN: Final = nullcontext(_Unseen())


def _unseen(_name: str, /, **_facts: Fact) -> AbstractContextManager[StepNotes]:
    return _UNSEEN


def stepping(observer: object) -> Stepping:
    """How steps are announced to an observer; to one that has no `step`, not at all."""
    return observer.step if isinstance(observer, StepObserver) else _unseen


SecretGetter = Callable[[str], Awaitable[str | None]]


async def no_secret(_name: str, /) -> str | None:
    """Knows no secret."""
    return None


class SecretProvider(Protocol):
    """Where keys come from: the environment, a vault, a file that is rotated."""

    async def secret(self, name: str, /) -> str | None:
        """The secret of that name, or None when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class AdapterConfig:
    """All that an adapter may know of its deployment, so that no adapter reads the environment."""

    name: str
    timeout_ms: int
    tenant: str | None = None
    model: str | None = None
    endpoint: str | None = None
    api_version: str | None = None
    data_residency: str | None = None
    # A tenant with an endpoint or a region of its own: nothing but its own key may go there.
    pinned: bool = False
    thresholds: Mapping[str, float] = field(default_factory=dict[str, float])
    # Asked for at every call, so that a key can be rotated without a restart.
    secret: SecretGetter = field(default=no_secret, repr=False)


AdapterFactory = Callable[[AdapterConfig], VerifierAdapter]
JudgeFactory = Callable[[AdapterConfig], Judge]
