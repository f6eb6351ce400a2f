"""Every way of hiding is found, apart from what is shown; what only looks like hiding is not."""

import pytest

from abuse_gate.reading.documents.kinds import kinds_of
from abuse_gate.reading.documents.open import open_document
from abuse_gate.rules.structure import SEVERITIES
from tests.documents.corpus import (
    ATTACK,
    BESIDE,
    HIDDEN,
    PICTURES,
    SEEN,
    SHOWN_AFTER_ALL,
    Case,
)


@pytest.mark.parametrize("case", [*HIDDEN, *SEEN, *PICTURES], ids=lambda case: case.label)
def test_a_file_is_what_its_bytes_say(case: Case) -> None:
    assert kinds_of(case.make(ATTACK)) == [case.kind]


@pytest.mark.parametrize(
    "case", [case for case in HIDDEN if case.label not in SHOWN_AFTER_ALL], ids=lambda c: c.label
)
def test_hidden_words_are_found_and_named(case: Case) -> None:
    report = open_document(case.kind, case.make(ATTACK))
    assert ATTACK in "\n".join(report.hidden)
    assert not report.flags
    fired = f"{case.kind}:hidden" in report.hits
    assert fired == (case.label not in BESIDE), report.hits
    assert set(report.hits) <= set(SEVERITIES)
    if fired and case.kind not in {"rtf", "pdf"}:
        assert report.meta["spans_count"] >= 1


@pytest.mark.parametrize("case", SEEN, ids=lambda case: case.label)
def test_words_that_everybody_sees_are_not_called_hidden(case: Case) -> None:
    report = open_document(case.kind, case.make(ATTACK))
    assert ATTACK in "\n".join(report.shown)
    assert ATTACK not in "\n".join(report.hidden)
    assert f"{case.kind}:hidden" not in report.hits
    assert not report.flags


@pytest.mark.parametrize("case", PICTURES, ids=lambda case: case.label)
def test_words_beside_pixels_are_read_and_the_pixels_stay_opaque(case: Case) -> None:
    report = open_document(case.kind, case.make(ATTACK))
    assert ATTACK in "\n".join([*report.hidden, *report.shown])
    assert report.flags == {"opaque_media_noninterpretable"}
    assert report.meta["bytes"] > 0
    assert set(report.hits) <= set(SEVERITIES)
