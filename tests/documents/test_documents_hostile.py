"""Files that are made to hurt: each leaves a flag, and none takes more than its share."""

from typing import Any

import pytest

from abuse_gate.model.extract import UploadKind
from abuse_gate.reading.documents.kinds import kinds_of
from abuse_gate.reading.documents.open import open_document
from abuse_gate.reading.documents.report import Limits
from tests.documents import pdf_objects, pdfs
from tests.documents.corpus import ATTACK, HARMLESS
from tests.documents.hostile import HOSTILE, archive, content_bomb, million_objects

# These are ended by a deadline or a memory limit, which only a worker process has.
FOR_WORKERS = (million_objects, content_bomb)


@pytest.mark.parametrize(
    "name", [name for name, (make, _) in HOSTILE.items() if make not in FOR_WORKERS]
)
def test_a_hostile_file_leaves_a_flag(name: str) -> None:
    make, flag = HOSTILE[name]
    data = make()
    assert len(data) < 10 * 1024 * 1024
    report = open_document(kinds_of(data)[0], data)
    assert report.flags
    assert flag is None or flag in report.flags
    assert sum(map(len, report.shown)) <= report.limits.max_chars


def test_three_hundred_pages_are_read_to_the_end() -> None:
    def last(canvas: Any, words: str) -> None:
        canvas.drawString(20, 300, words if canvas.getPageNumber() == 300 else HARMLESS)

    report = open_document("pdf", pdfs.drawn(last, ATTACK, pages=300))
    assert report.meta["pages"] == 300
    assert ATTACK in report.shown[-1]
    assert not report.flags


LIMITED: dict[str, tuple[UploadKind, bytes, Limits]] = {
    "pages": ("pdf", pdfs.drawn(pages=3), Limits(max_pages=2)),
    "objects": ("pdf", pdfs.drawn(pages=3), Limits(max_objects=1)),
    "characters": ("zip", archive({"a.txt": b"words " * 100}), Limits(max_chars=50)),
    "entries": ("zip", archive({"a": b"1", "b": b"2", "c": b"3"}), Limits(max_entries=2)),
    "inflated": ("zip", archive({"a.txt": b"words " * 100}), Limits(max_inflated=100)),
    "attachment": ("pdf", pdf_objects.attachment(HARMLESS), Limits(max_inflated=4)),
}


@pytest.mark.parametrize("name", LIMITED)
def test_every_limit_leaves_a_flag(name: str) -> None:
    kind, data, limits = LIMITED[name]
    assert "truncated" in open_document(kind, data, limits).flags
    assert "truncated" not in open_document(kind, data).flags
