"""The corpus through the whole gate: a slice in every run, all of it with SOAK=1."""

import logging
import os

import pytest

from benchmarks.corpus.benign import benign_texts
from benchmarks.corpus.carriers import CARRIERS
from benchmarks.corpus.disguises import DISGUISES
from benchmarks.corpus.encodings import ENCODINGS
from benchmarks.corpus.payloads import PAYLOADS
from benchmarks.eval import MAX_UNCLEAR, MAX_UNSAFE, MIN_CAUGHT, Report, run

SOAK = bool(os.environ.get("SOAK"))


@pytest.fixture(scope="session")
def report() -> Report:
    log = logging.getLogger("abuse_gate")
    level = log.level
    log.setLevel(logging.CRITICAL)
    # A third of the payloads and an eighth of the ordinary texts.
    found = run() if SOAK else run(PAYLOADS[::3], benign_texts()[::8])
    log.setLevel(level)
    return found


def test_the_corpus_is_as_large_as_it_says() -> None:
    assert len(DISGUISES) >= 60
    assert len(CARRIERS) >= 50
    assert len(ENCODINGS) >= 50
    assert len(benign_texts()) >= 2_000


def test_no_technique_leaves_a_text_as_it_was() -> None:
    text = PAYLOADS[0].attack
    worn = {name: wear(text) for name, wear in {**DISGUISES, **ENCODINGS}.items()}
    assert [name for name, found in worn.items() if found == text] == ["plain"]
    assert len(set(worn.values())) == len(worn)


def test_hardly_an_attack_is_safe(report: Report) -> None:
    total = report.total()
    assert total.caught / total.attacks.total() >= MIN_CAUGHT


def test_no_technique_hides_most_attacks(report: Report) -> None:
    blind = [
        name for name, row in report.techniques.items() if row.caught * 2 < row.attacks.total()
    ]
    assert blind == []


def test_ordinary_people_are_left_alone(report: Report) -> None:
    everyone = report.benign.benign + report.total().benign
    assert everyone["unsafe"] / everyone.total() <= MAX_UNSAFE
    assert everyone["unclear"] / everyone.total() <= MAX_UNCLEAR
