"""The contract kit can fail: each way of breaking the contract is caught by a test of it."""

import asyncio
import json
import logging
import ssl
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import httpx2
import pytest

from abuse_gate.contract import VerifierAdapter
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.testing import AdapterContract, ProviderContract

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Careless:
    """Asks the provider, and is careless in one way or another."""

    name = "careless"

    def __init__(self, url: str, key: str) -> None:
        self.url = f"{url}/judge"
        self.key = key
        self.more_tries = 0
        self.follow = False
        self.headers: dict[str, str] = {}

    async def assess(self, payload: Mapping[str, Any]) -> Any:
        text = str(payload.get("prompt_text")).encode("utf-8", "replace")
        async with httpx2.AsyncClient(
            trust_env=False, verify=NO_TLS, follow_redirects=self.follow, headers=self.headers
        ) as client:
            answer = await client.post(self.url, content=text)
            for _ in range(self.more_tries):
                answer = await client.post(self.url, content=text)
        return self.read(answer, text)

    def read(self, answer: httpx2.Response, text: bytes) -> Any:
        return json.loads(answer.content)["answers"][0]["verdict"]


class ShoutsVerdicts(Careless):
    def read(self, answer: httpx2.Response, text: bytes) -> Any:
        return "SAFE"


class AlwaysSafe(Careless):
    async def assess(self, payload: Mapping[str, Any]) -> Any:
        return "safe"


class ErrorsAreClean(Careless):
    """The fault of the field: whatever goes wrong is read as nothing found."""

    async def assess(self, payload: Mapping[str, Any]) -> Any:
        try:
            return await super().assess(payload)
        except Exception:
            return "safe"


class SwallowsErrors(Careless):
    async def assess(self, payload: Mapping[str, Any]) -> Any:
        try:
            async with asyncio.timeout(0.01):
                return await super().assess(payload)
        except Exception:
            return "unclear"


class LogsPrompts(Careless):
    def read(self, answer: httpx2.Response, text: bytes) -> Any:
        logging.getLogger("careless.sdk").debug("asked about %s", text)
        return super().read(answer, text)


class ShowsItsKey(Careless):
    def __repr__(self) -> str:
        return f"ShowsItsKey({self.key})"


class QuotesTheProvider(Careless):
    def read(self, answer: httpx2.Response, text: bytes) -> Any:
        if answer.status_code != 200:
            raise ValueError(answer.text)
        return super().read(answer, text)


class PutsItsKeyIntoTheAddress(Careless):
    def __init__(self, url: str, key: str) -> None:
        super().__init__(url, key)
        self.url = f"{self.url}?key={key}"


class PutsItsKeyIntoAnOddHeader(Careless):
    def __init__(self, url: str, key: str) -> None:
        super().__init__(url, key)
        self.headers = {"x-debug": key}


class RetriesByItself(Careless):
    def __init__(self, url: str, key: str) -> None:
        super().__init__(url, key)
        self.more_tries = 3


class FollowsRedirects(Careless):
    def __init__(self, url: str, key: str) -> None:
        super().__init__(url, key)
        self.follow = True


class IgnoresCancellation(Careless):
    async def assess(self, payload: Mapping[str, Any]) -> Any:
        asked = asyncio.ensure_future(super().assess(payload))
        try:
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            await asyncio.wait({asked})
            return "safe"


class BelongsToOneLoop(Careless):
    def __init__(self, url: str, key: str) -> None:
        super().__init__(url, key)
        self._loop: asyncio.AbstractEventLoop | None = None

    async def assess(self, payload: Mapping[str, Any]) -> Any:
        loop = asyncio.get_running_loop()
        self._loop = self._loop or loop
        if self._loop is not loop:
            raise RuntimeError
        return await super().assess(payload)


def contract(
    kind: Callable[[str, str], VerifierAdapter], *names: str, exact: bool = False
) -> ProviderContract:
    class Contract(ProviderContract):
        modes: ClassVar[tuple[str, ...]] = names or ProviderContract.modes
        short_seconds: ClassVar[float] = 0.1
        budget_seconds: ClassVar[float] = 2.0
        exact_reasons: ClassVar[bool] = exact

        def make_adapter(self, url: str) -> VerifierAdapter:
            return kind(url, self.key)

    return Contract()


BROKEN: tuple[tuple[type[Careless], str, str], ...] = (
    (ShoutsVerdicts, "test_answers_with_one_of_three_words", "no verdict"),
    (BelongsToOneLoop, "test_serves_one_event_loop_after_another", "then"),
    (AlwaysSafe, "test_says_what_the_provider_said", "said unsafe"),
    (AlwaysSafe, "test_a_timeout_is_unclear", "safe from a silent provider"),
    (SwallowsErrors, "test_a_timeout_is_unclear", "not model_unclear"),
    (SwallowsErrors, "test_errors_are_counted_by_reason", "counted as"),
    (LogsPrompts, "test_tells_nobody_of_a_prompt_or_a_key", "the prompt"),
    (ShowsItsKey, "test_tells_nobody_of_a_prompt_or_a_key", "the key"),
    (QuotesTheProvider, "test_tells_nobody_even_when_it_fails", "the prompt"),
    (PutsItsKeyIntoTheAddress, "test_keys_travel_in_their_headers_alone", "the key"),
    (PutsItsKeyIntoAnOddHeader, "test_keys_travel_in_their_headers_alone", "key"),
    (IgnoresCancellation, "test_giving_up_ends_the_call", "went on after"),
)


@pytest.mark.parametrize(("kind", "test", "line"), BROKEN)
def test_a_broken_adapter_fails_the_test_of_its_law(
    kind: type[Careless], test: str, line: str
) -> None:
    with pytest.raises(AssertionError, match=line):
        getattr(contract(kind, "status_401", "status_500"), test)()


FAULTS: tuple[tuple[type[Careless], str, str], ...] = (
    (ErrorsAreClean, "html", "safe, which nobody said"),
    (ErrorsAreClean, "status_500", "answered safe"),
    (Careless, "answers_twice", "answered safe"),
    (RetriesByItself, "status_500", "asked 4 times"),
    (FollowsRedirects, "status_307", "followed a redirect"),
    (SwallowsErrors, "latency_short", "answered unclear"),
)


@pytest.mark.parametrize(("kind", "mode", "line"), FAULTS)
def test_a_broken_adapter_fails_in_the_fault_that_shows_it(
    kind: type[Careless], mode: str, line: str
) -> None:
    with pytest.raises(AssertionError, match=f"{mode}: {line}"):
        contract(kind, mode).test_bears_every_fault()


def test_reasons_are_exact_only_where_an_adapter_promises_it() -> None:
    contract(SwallowsErrors, "status_401").test_bears_every_fault()
    with pytest.raises(AssertionError, match="model_unclear"):
        contract(SwallowsErrors, "status_401", exact=True).test_bears_every_fault()


def test_an_adapter_that_cannot_be_cancelled_may_say_so() -> None:
    class Contract(ProviderContract):
        cancellable: ClassVar[bool] = False

    Contract().test_giving_up_ends_the_call()


def test_a_contract_needs_an_adapter() -> None:
    with pytest.raises(NotImplementedError):
        AdapterContract().test_answers_with_one_of_three_words()


def test_a_sync_adapter_is_held_to_the_same_contract() -> None:
    class Sync:
        def assess(self, payload: Mapping[str, Any]) -> Verdict:
            return "unclear"

        def aclose(self) -> None:
            """Closing may be sync as well."""

    class Contract(AdapterContract):
        def make_adapter(self, url: str) -> VerifierAdapter:
            return Sync()

    Contract().test_answers_with_one_of_three_words()
    Contract().test_counts_and_times_every_question()


def test_an_assessment_passes_as_an_answer() -> None:
    class Rich:
        async def assess(self, payload: Mapping[str, Any]) -> Assessment:
            return Assessment("safe", "model_safe", source="rich")

    class Contract(AdapterContract):
        def make_adapter(self, url: str) -> VerifierAdapter:
            return Rich()

    Contract().test_counts_and_times_every_question()
