"""Many questions at once to providers that fail at random, each answer traced to its request."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from abuse_gate.contract import VerifierAdapter
from abuse_gate.model.verdict import UNASKED_REASONS, Assessment
from abuse_gate.testing import MODES, FaultyProvider, LoopNoise, RecordedRequest, RecordingObserver
from abuse_gate.testing.contract_faults import OVERDRAFT, UNASKED
from abuse_gate.testing.contract_kit import PAYLOAD, aclose
from abuse_gate.verify.guard import Guard, GuardLimits

Maker = Callable[[str], VerifierAdapter]

BUDGET_SECONDS = 2.0
AT_ONCE = 4
# A fault before the body is read leaves nothing by which a request could be told from another, and
# "first this, then that" has no meaning among questions that overlap.
TRACEABLE = tuple(
    name
    for name, mode in MODES.items()
    if mode.stage == "request" and name != UNASKED and not name.startswith("first_")
)


@dataclass
class Tally:
    """What a campaign found."""

    calls: int = 0
    wrong: list[str] = field(default_factory=list[str])
    answers: Counter[str] = field(default_factory=Counter[str])
    worst: float = 0.0
    worst_beside_noise: float = 0.0


def judged(
    marker: str, answer: Assessment, requests: list[RecordedRequest], allowed: float
) -> Iterator[str]:
    """Every law that one answer breaks."""
    if len(requests) > 2:
        yield f"{marker}: asked {len(requests)} times"
    if answer.elapsed_ms / 1000 > allowed:
        yield f"{marker}: took {answer.elapsed_ms:.0f} ms"
    if answer.verdict == "safe" and "safe" not in {request.said for request in requests[-1:]}:
        yield f"{marker}: safe, which nobody said"
    # A busy machine may let any answer come too late, and none of them other than it was.
    late = answer.reason in ("timeout", "connection")
    mode = requests[-1].mode if requests else ""
    if requests and not late and not MODES[mode].allows(answer.verdict, answer.reason):
        yield f"{marker}: {answer.verdict} ({answer.reason}) in mode {mode}"
    if answer.verdict == "unclear" and answer.reason not in UNASKED_REASONS | {"model_unclear"}:
        yield f"{marker}: unclear for no known reason: {answer.reason}"


async def campaign(make: Maker, calls: int, seed: int, noise: LoopNoise, tally: Tally) -> None:
    """Random modes, several questions at a time, one adapter and one pool for all of them."""
    chance = random.Random(seed)
    script = [chance.choice(TRACEABLE) for _ in range(2 * calls)]
    limits = GuardLimits(timeout_seconds=BUDGET_SECONDS)
    async with FaultyProvider([*script, "safe"]) as provider:
        adapter = await asyncio.to_thread(make, provider.url)
        free = asyncio.Semaphore(AT_ONCE)

        async def question(number: int) -> None:
            marker = f"question-{seed}-{number:06d}."
            guard = Guard(adapter, "campaign", limits, RecordingObserver())
            async with free:
                mark = noise.mark()
                answer = await guard.assess({**PAYLOAD, "prompt_text": marker})
                lost = await noise.since(mark)
            mine = [one for one in provider.requests if marker in repr(one.json)]
            for one in mine:
                provider.requests.remove(one)
            tally.calls += 1
            tally.answers[f"{answer.verdict} {answer.reason}"] += 1
            seconds = answer.elapsed_ms / 1000
            tally.worst = max(tally.worst, seconds / BUDGET_SECONDS)
            tally.worst_beside_noise = max(
                tally.worst_beside_noise, (seconds - lost) / BUDGET_SECONDS
            )
            allowed = BUDGET_SECONDS * (1 + OVERDRAFT) + lost
            tally.wrong.extend(judged(marker, answer, mine, allowed))

        outcomes = await asyncio.gather(
            *(question(number) for number in range(calls)), return_exceptions=True
        )
        tally.wrong += [repr(one) for one in outcomes if one is not None]
        tally.wrong += [f"followed {stray.mode}" for stray in provider.strays]
        await aclose(adapter)


async def test_no_answer_is_safe_unless_its_own_request_was_answered_so(
    makers: Mapping[str, Maker], soak: bool, report: Callable[[str, str], None]
) -> None:
    """0 exceptions, 0 unsaid `safe`, 0 second retries, and an end within budget and noise."""
    calls = 10_000 if soak else 300
    tally, problems = Tally(), list[str]()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: problems.append(str(context["message"])))
    async with LoopNoise() as noise:
        share = -(-calls // len(makers))
        await asyncio.gather(
            *(
                campaign(make, share, seed, noise, tally)
                for seed, make in enumerate(makers.values())
            )
        )
        lag = noise.percentile(0.99)
    report(
        f"{tally.calls} calls under faults",
        f"worst elapsed {tally.worst:.3f} of the budget ({tally.worst_beside_noise:.3f} without "
        f"scheduling noise), loop lag p99 {lag * 1000:.1f} ms",
    )
    assert tally.wrong == []
    assert problems == []
    assert tally.calls >= calls
    # The campaign itself went as meant: providers were heard, and providers failed.
    assert tally.answers["safe model_safe"]
    assert tally.answers["unclear bad_reply"]
    assert 0 < tally.answers["unclear timeout"] < calls / 2
