"""The contract of an adapter that asks a provider: every fault mode, and what must come of it."""

import asyncio
from typing import ClassVar, Final

from abuse_gate.contract import VerifierAdapter
from abuse_gate.model.events import Verified
from abuse_gate.model.verdict import UNASKED_REASONS, Assessment, Verdict
from abuse_gate.testing.adapters import RecordingObserver
from abuse_gate.testing.contract_kit import PAYLOAD, AdapterContract, aclose, expect
from abuse_gate.testing.contract_watch import LoopNoise, everything_logged, until, within
from abuse_gate.testing.faults import MODES, FaultyProvider
from abuse_gate.testing.faults_law import Mode

# Leaves an answer behind on the connection, so it comes last: whom that may reach is a law of its
# own, which most HTTP clients do not keep.
UNASKED: Final = "unsolicited_second_answer"
# A budget may be overdrawn by this share and by what the loop itself was late.
OVERDRAFT: Final = 0.05
# The first attempt and the one retry.
MOST_ATTEMPTS: Final = 2
# The headers that a key may travel in.
KEY_HEADERS: Final = frozenset({"authorization", "api-key", "x-api-key"})
# One of each kind is enough for the failures that are looked at one by one.
ERRORS: Final = ("status_500", "status_401", "reset_after_request", "html", "limited_none")


class ProviderContract(AdapterContract):
    """What holds for an adapter over a provider that may do anything at all."""

    #: The modes to go through; leave out what your provider's protocol cannot express.
    modes: ClassVar[tuple[str, ...]] = tuple(sorted(MODES, key=UNASKED.__eq__))
    #: The budget of a question whose provider is slow on purpose.
    short_seconds: ClassVar[float] = 0.3
    #: Whether `unclear` must also come with the reason that the table of modes names. An adapter
    #: gets there by raising the ProviderError family, and only then are its errors counted by kind.
    exact_reasons: ClassVar[bool] = True
    #: Whether giving up on a question ends the provider's call; a sync adapter cannot promise it.
    cancellable: ClassVar[bool] = True

    def test_says_what_the_provider_said(self) -> None:
        """A clean answer is safe and a flagged one is unsafe."""
        words: tuple[Verdict, ...] = ("safe", "unsafe")
        for word in words:
            heard = self.run(self._faced(word))[0].verdict
            expect(heard == word, f"the provider said {word}, the adapter {heard}")

    def test_bears_every_fault(self) -> None:
        """No exception, no word that was not said, one retry at most, and an end in time."""
        wrong = self.run(self._campaign())
        expect(not wrong, "\n".join(wrong))

    def test_a_timeout_is_unclear(self) -> None:
        """A provider that says nothing makes no verdict, and costs no more than the budget."""
        answer, provider = self.run(self._faced("hang_after_request"))
        expect(answer.verdict == "unclear", f"{answer.verdict} from a silent provider")
        expect(answer.reason == "timeout", f"a timeout is not {answer.reason}")
        expect(len(provider.requests) <= MOST_ATTEMPTS, "asked more than twice")

    def test_errors_are_counted_by_reason(self) -> None:
        """Every failure is one record with a reason that says that nobody was asked in earnest."""
        for mode in ERRORS:
            observer = RecordingObserver()
            answer, _ = self.run(self._faced(mode, observer))
            (event,) = observer.of(Verified)
            counted = event.reason in UNASKED_REASONS and event.reason == answer.reason
            expect(counted, _miscounted(mode, event.reason, answer.reason))

    def test_tells_nobody_even_when_it_fails(self) -> None:
        """The same secrecy in every failure, of a provider that quotes the prompt and the key."""
        quick = [name for name in self.modes if "timeout" not in MODES[name].reasons]
        with everything_logged() as heard:
            told = self.run(self.told(quick))
        self.expect_silence([*heard.lines, *told])

    def test_keys_travel_in_their_headers_alone(self) -> None:
        """The key is in no address, no body and no other header."""
        _, provider = self.run(self._faced("safe"))
        for request in provider.requests:
            others = {k: v for k, v in request.headers.items() if k not in KEY_HEADERS}
            outside = f"{request.path} {request.json!r} {others!r}"
            expect(self.key not in outside, "the key is outside of its header")

    def test_giving_up_ends_the_call(self) -> None:
        """A question that is cancelled is cancelled at the provider too."""
        if self.cancellable:
            self.run(self._given_up())

    async def _faced(
        self, mode: str, observer: RecordingObserver | None = None
    ) -> tuple[Assessment, FaultyProvider]:
        """One question to a provider in a mode."""
        seen = observer or RecordingObserver()
        async with FaultyProvider(mode) as provider:
            adapter = await self.built(provider.url)
            guard = self.guard(adapter, seen, seconds=self._seconds(MODES[mode]))
            try:
                return await guard.assess(PAYLOAD), provider
            finally:
                await aclose(adapter)

    async def _campaign(self) -> list[str]:
        """One adapter through all modes in turn: what a mode leaves behind hits the next one."""
        wrong: list[str] = []
        async with FaultyProvider() as provider, LoopNoise() as noise:
            adapter = await self.built(provider.url)
            for name in self.modes:
                wrong += await self._question(name, adapter, provider, noise)
            await aclose(adapter)
        return wrong

    async def _question(
        self, name: str, adapter: VerifierAdapter, provider: FaultyProvider, noise: LoopNoise
    ) -> list[str]:
        mode, seconds, mark = MODES[name], self._seconds(MODES[name]), noise.mark()
        provider.mode = name
        provider.requests.clear()
        answer = await self.guard(adapter, RecordingObserver(), seconds=seconds).assess(PAYLOAD)
        most = seconds * (1 + OVERDRAFT) + await noise.since(mark)
        said = {request.said for request in provider.requests}
        laws = {
            f"answered {answer.verdict} ({answer.reason})": self._allowed(mode, answer),
            "safe, which nobody said": answer.verdict != "safe" or "safe" in said,
            f"asked {len(provider.requests)} times": len(provider.requests) <= MOST_ATTEMPTS,
            "followed a redirect": not provider.strays,
            f"took {answer.elapsed_ms / 1000 / seconds:.2f} of its budget": (
                answer.elapsed_ms / 1000 <= most
            ),
        }
        return [f"{name}: {law}" for law, holds in laws.items() if not holds]

    def _allowed(self, mode: Mode, answer: Assessment) -> bool:
        if self.exact_reasons or answer.verdict != "unclear":
            return mode.allows(answer.verdict, answer.reason)
        return not mode.heard

    def _seconds(self, mode: Mode) -> float:
        return self.short_seconds if "timeout" in mode.reasons else self.budget_seconds

    async def _given_up(self) -> None:
        async with FaultyProvider("hang_after_request") as provider:
            adapter = await self.built(provider.url)
            guard = self.guard(adapter, RecordingObserver())
            question = asyncio.ensure_future(guard.assess(PAYLOAD))
            await until(lambda: any(request.body_size for request in provider.requests))
            question.cancel()
            await asyncio.gather(question, return_exceptions=True)
            expect(question.cancelled(), "the cancellation did not pass through")
            ended = await within(
                self.budget_seconds, lambda: not provider.open_connections and not guard.in_flight
            )
            await aclose(adapter)
        expect(ended, "the provider's call went on after the question was given up")


def _miscounted(mode: str, counted: str, answered: str) -> str:
    """What was recorded, and what would have been right."""
    known = ", ".join(sorted(UNASKED_REASONS))
    return f"{mode}: counted as {counted}, answered {answered}; expected the same, one of {known}"
