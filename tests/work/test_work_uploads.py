"""Answers become segments, sources and flags, and no answer is trusted further than that."""

from typing import Any, get_args

import pytest

from abuse_gate.model.extract import MODALITY_OF, Extract, Flag, Segment, Upload, UploadKind
from abuse_gate.rules.structure import SEVERITIES
from abuse_gate.work.documents import DocumentPool, PoolLimits, missing_parsers
from abuse_gate.work.jobs import Answer
from abuse_gate.work.uploads import failure_of, open_uploads


class Scripted(DocumentPool):
    """A pool that answers from a list and starts no process."""

    def __init__(self, *answers: Any, seconds: float = 5.0) -> None:
        super().__init__(PoolLimits(seconds=seconds))
        self._answers = list(answers)

    async def open(self, upload: Upload, owner: str = "") -> Answer:
        answer: Answer = self._answers.pop(0)
        return answer


def waiting(*kinds: UploadKind) -> Extract:
    return Extract(
        segments=(Segment("hello", "user", "vetted"),),
        uploads=tuple(Upload(kind, b"12345") for kind in kinds),
    )


async def test_an_answer_becomes_segments_a_source_and_flags() -> None:
    answer = {
        "shown": "seen",
        "hidden": "unseen",
        "hits": {"pdf:hidden": 2},
        "meta": {"spans_count": 2},
        "flags": ["encrypted"],
    }
    found = await open_uploads(waiting("pdf"), Scripted(answer))
    assert [(part.text, part.origin, part.trust, part.source) for part in found.segments[1:]] == [
        ("seen", "document", "untrusted", 0),
        ("unseen", "document", "untrusted", 0),
    ]
    (source,) = found.sources
    assert (source.type, dict(source.meta)) == ("pdf", {"bytes": 5, "spans_count": 2})
    assert [(hit.rule, hit.count, hit.source) for hit in source.hits] == [("pdf:hidden", 2, 0)]
    assert found.flags == {"encrypted"}
    assert found.uploads == ()
    assert failure_of(found) is None


async def test_a_failure_is_a_flag_and_a_reason_of_its_upload_alone() -> None:
    found = await open_uploads(
        waiting("pdf", "docx"), Scripted("timeout", {"shown": "fine", "flags": []})
    )
    assert found.flags == {"document_unread"}
    assert found.sources[0].meta == {"bytes": 5, "reason": "timeout"}
    assert found.segments[-1].source == 1
    assert failure_of(found) == "document_timeout"


LIES: list[dict[str, Any]] = [
    {},
    {"shown": 3, "hidden": ["x"], "flags": "malformed"},
    {"hits": [1], "meta": "x", "flags": None},
    {"hits": {"made:up": 3, "pdf:hidden": "many", 4: 4}, "meta": {"a": 1.5, 3: 3}, "flags": [7]},
]


@pytest.mark.parametrize("lie", LIES)
async def test_an_answer_of_another_shape_adds_nothing_but_doubt(lie: dict[str, Any]) -> None:
    found = await open_uploads(waiting("pdf"), Scripted(lie))
    assert len(found.segments) == 1
    assert found.sources[0].hits == ()
    assert found.flags <= {"document_unread"}
    if not isinstance(lie.get("flags"), list):
        assert found.flags == {"document_unread"}


async def test_flags_that_we_do_not_know_are_not_taken_over() -> None:
    found = await open_uploads(waiting("pdf"), Scripted({"flags": ["made_up", "too_deep"]}))
    assert found.flags == {"too_deep"}


async def test_sound_and_film_are_not_opened() -> None:
    found = await open_uploads(waiting("audio", "video", "file"), Scripted())
    assert [source.type for source in found.sources] == ["audio", "video", "file"]
    assert all(source.meta == {"bytes": 5} for source in found.sources)
    assert not found.flags


async def test_a_request_of_many_files_ends_with_its_own_patience() -> None:
    found = await open_uploads(waiting("pdf"), Scripted(seconds=-1))
    assert found.sources[0].meta["reason"] == "timeout"


def test_every_kind_and_every_flag_has_its_place() -> None:
    assert set(MODALITY_OF) <= set(get_args(UploadKind))
    assert "document_unread" in get_args(Flag)
    assert all(0 <= severity <= 100 for severity in SEVERITIES.values())


def test_the_parsers_are_installed_here() -> None:
    assert missing_parsers() == ()


def test_reprs_show_sizes_only() -> None:
    extract = waiting("pdf")
    assert repr(extract.uploads[0]) == "Upload(pdf, 5 bytes)"
    assert "12345" not in repr(extract)


async def test_a_lie_in_the_names_of_sizes_stays_at_home() -> None:
    answer: dict[str, Any] = {
        "flags": [],
        "meta": {"a secret, spelt out": 1, "pages": 2, "x" * 30: 3},
    }
    opened = await open_uploads(waiting("pdf"), Scripted(answer))
    assert opened.sources[0].meta == {"bytes": 5, "pages": 2}


async def test_words_that_read_differently_as_a_whole_are_a_segment() -> None:
    opened = await open_uploads(waiting("docx"), Scripted({"flags": [], "mixed": "both"}))
    assert [segment.text for segment in opened.segments] == ["hello", "both"]
