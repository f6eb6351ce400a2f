"""A simulated day of mixed agent traffic: where checks end, and what each path adds.

`python -m benchmarks.day` prints the share of each tier and the added time of each path beside the
table of the source document. Judges are scripted and take the time of a small and of a capable
model; the gate, its rules and its guards are the real ones. Shares depend on the mix below.
"""

import argparse
import asyncio
import logging
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from abuse_gate import Block, Context, Gate, Judges, Settings, build_gate
from benchmarks.corpus.benign import benign_texts
from benchmarks.corpus.payloads import PAYLOADS

# Seconds: the document speaks of about 100 ms and 2 s.
SMALL_MODEL: Final = 0.1
CAPABLE_MODEL: Final = 1.9
# How many checks are under way at once, so that a day fits into a minute.
AT_ONCE: Final = 40

# The scenarios of the document, its overhead, and how often each comes in our day.
PATHS: Final[Mapping[str, tuple[str, float]]] = {
    "no untrusted content": ("~0ms", 0.34),
    "untrusted + low-risk tool": ("~0ms", 0.30),
    "untrusted + high-risk, no flags": ("~1ms", 0.17),
    "untrusted + suspicious pattern": ("~100ms", 0.14),
    "triage says suspicious": ("~2s", 0.05),
}
PARANOID: Final = "paranoid mode"
DOCUMENT: Final[Mapping[str, str]] = {"static": "80%", "triage": "15%", "supervisor": "5%"}

# Ordinary words that look suspicious to a pattern.
LOOKALIKES: Final = (
    "Set the variable API_KEY before the first start; it is rotated every month.",
    "The password of the demo account is printed on the badge.",
    "To start, run main() in the module; the token comes from the vault.",
)


@dataclass(frozen=True, slots=True)
class Check:
    """One action of the day."""

    path: str
    tool: str
    arguments: dict[str, str]
    context: tuple[Block, ...]


def day(actions: int, seed: int = 6) -> list[Check]:
    """The actions of a day in a random order, mixed as the table says."""
    chooser = random.Random(seed)
    pages = [text for text in benign_texts() if len(text) < 2000]
    attacks = [payload.attack for payload in PAYLOADS]
    names, weights = list(PATHS), [weight for _, weight in PATHS.values()]
    return [
        _check(name, chooser, pages, attacks) for name in chooser.choices(names, weights, k=actions)
    ]


def _check(
    path: str, chooser: random.Random, pages: Sequence[str], attacks: Sequence[str]
) -> Check:
    page = Block(chooser.choice(PLAIN_PAGES))
    note = {"path": "notes.md", "text": chooser.choice(PLAIN_PAGES)}
    if path == "no untrusted content":
        own = Block(chooser.choice(pages), "vetted", "user")
        return Check(path, "bash", {"command": "make test"}, (own,))
    if path == "untrusted + low-risk tool":
        return Check(path, chooser.choice(("read", "grep", "glob")), note, (page,))
    if path == "untrusted + high-risk, no flags":
        return Check(path, "write", note, (page,))
    if path == "untrusted + suspicious pattern":
        return Check(path, "write", note, (page, Block(chooser.choice(LOOKALIKES))))
    order = chooser.choice(attacks)
    return Check(path, "bash", {"command": order[:200]}, (Block(f"{page.text} {order}"),))


PLAIN_PAGES: Final = (
    "Release 4.2: faster start-up, two fixed memory leaks, a new search box.",
    "The museum opens at ten; on Mondays it stays closed.",
    "Light rain in the morning, dry from noon, wind from the west.",
    "The recipe needs flour, water, salt and a night of patience.",
)


@dataclass(frozen=True, slots=True)
class Models:
    """Both judges; `pace` makes them slower or faster than the document's."""

    pace: float = 1.0

    async def small(self, payload: Mapping[str, Any]) -> bool:
        """Suspicious when a command shares its text with what was read."""
        await asyncio.sleep(SMALL_MODEL * self.pace)
        is_command = payload["tool_calls"][0]["name"] == "bash"
        return bool(is_command and payload["question"]["suspected"])

    async def capable(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Stops what the small model found, and lets everything else go on."""
        await asyncio.sleep(CAPABLE_MODEL * self.pace)
        found = payload["question"]["trail"][-1]["reason"] == "triage_suspicious"
        return {"verdict": "PAUSE" if found else "CONTINUE", "correction": None}


def agents_gate(models: Models, **settings: Any) -> Gate:
    """A gate with both models behind it, and room for everybody."""
    chosen = Settings.model_validate({"max_in_flight": 1000, **settings})
    return build_gate(chosen, judges=Judges(models.small, models.capable))


async def live(gate: Gate, checks: Sequence[Check]) -> dict[str, list[float]]:
    """The day, with some checks under way at once; the milliseconds that each path added."""
    room = asyncio.Semaphore(AT_ONCE)
    added: dict[str, list[float]] = defaultdict(list)

    async def one(check: Check) -> None:
        async with room:
            started = time.perf_counter()
            await gate.check_action(
                check.tool, check.arguments, context=Context(check.context), goal="Do the task."
            )
            added[check.path].append((time.perf_counter() - started) * 1000)

    await asyncio.gather(*map(one, checks))
    return added


async def alone(gate: Gate, checks: Sequence[Check]) -> dict[str, list[float]]:
    """One check after the other: what a path adds when nobody else is waiting."""
    added: dict[str, list[float]] = defaultdict(list)
    for check in checks:
        started = time.perf_counter()
        await gate.check_action(
            check.tool, check.arguments, context=Context(check.context), goal="Do the task."
        )
        added[check.path].append((time.perf_counter() - started) * 1000)
    return added


def few_of_each(checks: Sequence[Check], most: int) -> list[Check]:
    """At most that many checks of each path."""
    left = Counter(dict.fromkeys(PATHS, most))
    chosen: list[Check] = []
    for check in checks:
        if left[check.path] > 0:
            left[check.path] -= 1
            chosen.append(check)
    return chosen


def report(ended: Mapping[str, int], added: Mapping[str, list[float]]) -> list[str]:
    """The lines that are printed."""
    total = sum(ended.values())
    lines = [f"\n== a day of {total} agent actions: where they ended"]
    for tier, share in DOCUMENT.items():
        lines.append(f"{tier:12} {ended.get(tier, 0) / total:6.1%}   document {share}")
    lines.append("\n== added by each path (median, one at a time; models 100 ms and 1.9 s)")
    expected = {**{name: words for name, (words, _) in PATHS.items()}, PARANOID: "~2s per action"}
    for name, words in expected.items():
        lines.append(f"{name:34} {median(added[name]):8.1f} ms   document {words}")
    return lines


async def measured(checks: Sequence[Check], samples: int, pace: float = 1.0) -> list[str]:
    """The whole of it: the day, then each path by itself."""
    models = Models(pace)
    gate = agents_gate(models)
    await live(gate, checks)
    ended = gate.tiers.ended
    few = few_of_each(checks, samples)
    added = await alone(gate, few)
    quiet = [check for check in few if check.path == "untrusted + low-risk tool"][:1]
    paranoid = await alone(agents_gate(models, plan="paranoid"), quiet)
    return report(ended, {**added, PARANOID: paranoid[quiet[0].path]})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the day."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=2000)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--pace", type=float, default=1.0)
    options = parser.parse_args(arguments)
    logging.getLogger("abuse_gate").setLevel(logging.CRITICAL)
    lines = asyncio.run(measured(day(options.actions), options.samples, options.pace))
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
