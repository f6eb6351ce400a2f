"""An archive that packs nothing is an archive, whatever lies open in it."""

import asyncio
import codecs

import pytest

from abuse_gate.gate import Gate
from abuse_gate.reading.documents.kinds import kinds_of
from tests.documents.corpus import ATTACK
from tests.documents.gates import multipart, review
from tests.documents.hostile import archive
from tests.documents.offices import document, properties
from tests.documents.pdfs import drawn, white
from tests.documents.rawoffice import sheet

MEMBERS = {
    "a.docx": document(),
    "a.xlsx": sheet("<row><c t='inlineStr'><is><t>one</t></is></c></row>"),
    "a.pdf": drawn(),
    "a.zip": archive({"b.docx": document()}, packed=False),
}


@pytest.mark.parametrize("name", MEMBERS)
def test_a_stored_member_is_no_disguise(name: str, opener: Gate) -> None:
    data = archive({name: MEMBERS[name]}, packed=False)
    assert kinds_of(data)[0] == "zip"
    decision = asyncio.run(review(opener, multipart(("a.zip", "application/zip", data))))
    assert not decision.flags
    assert decision.assessment.verdict == "safe"


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.pdf", drawn(white, ATTACK)), ("a.docx", properties(ATTACK))],
)
def test_a_stored_member_is_read(name: str, data: bytes, opener: Gate) -> None:
    stored = archive({name: data}, packed=False)
    decision = asyncio.run(review(opener, multipart(("a.zip", "application/zip", stored))))
    assert decision.assessment.verdict == "unsafe"


@pytest.mark.parametrize(
    "data",
    [
        archive({"a.txt": drawn()}, packed=True) + drawn()[:900],
        b"GIF89a" + drawn(),
        archive({"x" * 90: b"words"}, packed=False)[:125] + drawn(),
        drawn() + archive({"a.txt": b"words"}),
        codecs.BOM_UTF8 + drawn() + archive({"a.txt": b"words"}, packed=False),
    ],
)
def test_two_things_at_once_still_contradict(data: bytes, opener: Gate) -> None:
    decision = asyncio.run(review(opener, multipart(("a", "", data))))
    assert decision.flags
    assert decision.assessment.verdict != "safe"


@pytest.mark.parametrize("cut", [4, 10, 30])
def test_an_archive_without_its_end_is_told_by_what_is_there(cut: int) -> None:
    data = document()
    assert kinds_of(data[:-cut]) == ["docx"]
    assert kinds_of(data[: len(data) // 2]) == ["docx"]
