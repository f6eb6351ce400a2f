"""Whatever file a text holds, the cheap questions that are asked first do not pass it over."""

import base64
import json

import pytest

from abuse_gate.reading.embedded import (
    SHORTEST_RUN,
    files_within,
    may_hold_a_file,
    may_hold_files,
    names_a_file,
)

PDF = base64.b64encode(b"%PDF-1.7 " + b"words " * 60).decode()
WRAPPED = "\r\n".join(PDF[at : at + 20] for at in range(0, len(PDF), 20))
PROSE = "five words stand here now "

HOLDING = [
    *(PROSE * n + "x" * shift + " " + PDF for n in range(5) for shift in (0, 7, 50, 99)),
    PROSE + WRAPPED + " " + PROSE,
    PROSE + f"data:application/pdf;base64,{PDF[:40]} " + PROSE,
    PROSE + f"DATA:application/pdf;bAsE64,{PDF[:40]} " + PROSE,
]
BEGUN = "JVBERi is how it begins. " + PROSE * 20
EMPTY = ["", PROSE * 40, PDF[: SHORTEST_RUN - 1], "x" * 400, BEGUN]


@pytest.mark.parametrize("text", HOLDING)
def test_no_file_is_passed_over(text: str) -> None:
    assert list(files_within(text))
    assert may_hold_a_file(text)
    for body in (json.dumps({"text": text}), json.dumps({"text": text}, separators=(",", ":"))):
        assert may_hold_files(body.encode())


@pytest.mark.parametrize("text", EMPTY)
def test_nothing_is_found_where_nothing_is(text: str) -> None:
    assert list(files_within(text)) == []


def test_ordinary_prose_is_not_looked_at_closely() -> None:
    assert not names_a_file(BEGUN)
    assert not may_hold_files(json.dumps({"text": PROSE * 40}).encode())
    assert names_a_file(PROSE * 20 + "spelled \\u0041")
