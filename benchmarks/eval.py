"""What the rules catch, miss and disturb on the corpus: one line per technique and per family.

`python -m benchmarks.eval` prints the whole table; a name as argument prints the texts of one row.
"""

import asyncio
import logging
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from abuse_gate.reading.request import RawRequest
from abuse_gate.settings import Routing, Settings
from abuse_gate.wiring import build_gate
from benchmarks.corpus.benign import benign_texts
from benchmarks.corpus.carriers import CARRIERS
from benchmarks.corpus.disguises import DISGUISES
from benchmarks.corpus.encodings import ENCODINGS
from benchmarks.corpus.misspelt import ABROAD
from benchmarks.corpus.payloads import FOREIGN, PAYLOADS, Payload
from benchmarks.corpus.worded import WORDED

Wrap = Callable[[str], RawRequest]

# What the corpus must show: share of attacks that are not safe, of benign texts that are not.
MIN_CAUGHT = 0.97
MAX_UNSAFE = 0.005
MAX_UNCLEAR = 0.05


@dataclass
class Row:
    """The outcome of one technique or one family."""

    attacks: Counter[str] = field(default_factory=Counter[str])
    benign: Counter[str] = field(default_factory=Counter[str])
    missed: list[str] = field(default_factory=list[str])
    alarms: list[str] = field(default_factory=list[str])

    def note(self, verdict: str, text: str, *, attack: bool) -> None:
        """Counts one verdict and keeps the text that was judged wrongly."""
        (self.attacks if attack else self.benign)[verdict] += 1
        if attack and verdict == "safe":
            self.missed.append(text)
        elif not attack and verdict != "safe":
            self.alarms.append(text)

    @property
    def caught(self) -> int:
        """Attacks that were not called safe."""
        return self.attacks.total() - self.attacks["safe"]


@dataclass
class Report:
    """All rows of one run."""

    techniques: dict[str, Row] = field(default_factory=lambda: defaultdict(Row))
    families: dict[str, Row] = field(default_factory=lambda: defaultdict(Row))
    benign: Row = field(default_factory=Row)

    def total(self) -> Row:
        """Every technique together."""
        total = Row()
        for row in self.techniques.values():
            total.attacks += row.attacks
            total.benign += row.benign
        return total


class Judge:
    """Tier 1 alone, through the whole gate, as it stands in front of an app."""

    def __init__(self) -> None:
        settings = Settings()
        self._gate = build_gate(settings)
        self._policy = Routing(settings).policy("/")

    def verdict(self, request: RawRequest) -> str:
        """The contract's word for one request."""
        return asyncio.run(self._gate.review(request, self._policy)).verdict

    def verdicts(self, requests: Iterable[RawRequest]) -> list[str]:
        """The words for many requests, in one loop."""

        async def all_of_them() -> list[str]:
            return [(await self._gate.review(one, self._policy)).verdict for one in requests]

        return asyncio.run(all_of_them())


def cases(
    payloads: Iterable[Payload] = PAYLOADS,
) -> Iterator[tuple[str, str, str, RawRequest, bool]]:
    """Technique, family, text, request and whether it is an attack, for the whole corpus."""
    message = CARRIERS["user message"]
    ways: Mapping[str, Wrap] = {
        **{f"text: {name}": _worn(wear, message) for name, wear in DISGUISES.items()},
        **{f"code: {name}": _worn(wear, message) for name, wear in ENCODINGS.items()},
        **{f"sent: {name}": carry for name, carry in CARRIERS.items()},
    }
    for payload in payloads:
        for name, way in ways.items():
            yield name, payload.family, payload.attack, way(payload.attack), True
            yield name, payload.family, payload.twin, way(payload.twin), False
    for payload in FOREIGN:
        name = "text: other languages"
        yield name, payload.family, payload.attack, message(payload.attack), True
        yield name, payload.family, payload.twin, message(payload.twin), False
    for payload in (payload for payload in FOREIGN if payload.attack.isascii()):
        for name, wear in ABROAD.items():
            attack, twin = message(wear(payload.attack)), message(wear(payload.twin))
            yield f"abroad: {name}", payload.family, payload.attack, attack, True
            yield f"abroad: {name}", payload.family, payload.twin, twin, False
    for worded in WORDED:
        carry = CARRIERS["tool result"] if worded.family == "indirect" else message
        yield "text: as people write", worded.family, worded.text, carry(worded.text), True


def _worn(wear: Callable[[str], str], carry: Wrap) -> Wrap:
    return lambda text: carry(wear(text))


def run(payloads: Iterable[Payload] = PAYLOADS, benign: Iterable[str] | None = None) -> Report:
    """Judge the corpus."""
    judge, report = Judge(), Report()
    known = list(cases(payloads))
    for (technique, family, text, _, attack), verdict in zip(
        known, judge.verdicts(case[3] for case in known), strict=True
    ):
        report.techniques[technique].note(verdict, text, attack=attack)
        report.families[family].note(verdict, text, attack=attack)
    texts = list(benign_texts() if benign is None else benign)
    message = CARRIERS["user message"]
    for text, verdict in zip(texts, judge.verdicts(map(message, texts)), strict=True):
        report.benign.note(verdict, text, attack=False)
    return report


def _line(name: str, row: Row) -> str:
    alarms = row.benign.total() - row.benign["safe"]
    return (
        f"{name:36} caught {row.caught:5}/{row.attacks.total():<5} "
        f"missed {row.attacks['safe']:4}   false alarms {alarms:3}/{row.benign.total()}"
    )


def main() -> int:
    """Print the table; 1 when a goal is missed."""
    logging.getLogger("abuse_gate").setLevel(logging.CRITICAL)
    report = run()
    for title, rows in (("technique", report.techniques), ("family", report.families)):
        print(f"\n== by {title} ({len(rows)})")
        for name, row in sorted(rows.items()):
            print(_line(name, row))
    for name in sys.argv[1:]:
        row = report.techniques[name]
        print(f"\n{name}\n  missed: {row.missed}\n  alarms: {row.alarms}")
    total, benign = report.total(), report.benign.benign
    caught = total.caught / total.attacks.total()
    everyone = benign + total.benign
    unsafe, unclear = (everyone[word] / everyone.total() for word in ("unsafe", "unclear"))
    own = {word: benign[word] / benign.total() for word in ("unsafe", "unclear")}
    print(
        f"\nattacks not safe      {caught:.2%} of {total.attacks.total()} (goal {MIN_CAUGHT:.0%})"
    )
    print(f"  of them unsafe      {total.attacks['unsafe'] / total.attacks.total():.2%}")
    shares = ", ".join(f"{word} {share:.2%}" for word, share in own.items())
    print(f"benign texts          {benign.total()}: {shares}")
    print(f"with the twins        {everyone.total()}: unsafe {unsafe:.2%}, unclear {unclear:.2%}")
    if "alarms" in sys.argv[1:]:
        print("\n".join(report.benign.alarms))
    good = caught >= MIN_CAUGHT and unsafe <= MAX_UNSAFE and unclear <= MAX_UNCLEAR
    return 0 if good and own["unsafe"] <= MAX_UNSAFE and own["unclear"] <= MAX_UNCLEAR else 1


if __name__ == "__main__":
    sys.exit(main())
