"""Whatever is done to a trail is found, and said with its place."""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from abuse_gate.telemetry.audit.chain import START, Chain, Head, parse
from abuse_gate.telemetry.audit.report import Report
from tests.audit import verified as reading
from tests.audit.trails import PUBLIC, written

SOAK = bool(os.environ.get("SOAK"))
TAMPERINGS = 1000 if SOAK else 100


def verified(files: list[Path], *heads: Head, key: str = PUBLIC) -> Report:
    return reading.verified(files, *heads, key=key)


@pytest.fixture(scope="module")
def trail(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Head]:
    (path,), head = written(tmp_path_factory.mktemp("trail"))
    return path.read_bytes(), head


def test_an_untouched_trail_is_intact(tmp_path: Path) -> None:
    files, head = written(tmp_path)
    report = verified(files, head)
    assert report.intact
    assert (report.first, report.last, report.decisions) == (1, head.number, 20)
    assert (report.sealed, report.unsealed, report.lost) == (head.number, 0, 0)
    assert report.signed == 5
    assert report.notes == []


def test_segments_are_one_chain(tmp_path: Path) -> None:
    files, head = written(tmp_path, 40, max_bytes=5000)
    assert len(files) > 3
    assert verified(files, head).intact
    middle = verified(files[1:], head)
    assert middle.intact
    assert "begins with record" in middle.notes[0]
    without = verified([*files[:1], *files[2:]], head)
    assert "missing before this line" in without.findings[0].what


Change = Callable[[list[bytes]], None]


def _edit(lines: list[bytes]) -> None:
    lines[3] = lines[3].replace(b'"block"', b'"allow"')


def _swap(lines: list[bytes]) -> None:
    lines[4], lines[5] = lines[5], lines[4]


def _forge(lines: list[bytes]) -> None:
    """Writes everything anew from one record on, as somebody without the key must."""
    rewritten = rechained([parse(line) for line in lines], changed=4)
    lines[:] = rewritten


def _rewrite(lines: list[bytes]) -> None:
    """One record written anew with the right hash, and nothing after it."""
    record = parse(lines[3])
    alone = Chain("0" * 16)
    alone.head = Head("0" * 16, record["n"] - 1, record["prev"])
    lines[3] = alone.line("decision", "now", {"decision": "allow"}).rstrip(b"\n")


def rechained(records: list[dict[str, object]], changed: int) -> list[bytes]:
    anew = Chain(str(records[0]["chain"]))
    lines: list[bytes] = []
    for number, record in enumerate(records):
        fields = {k: v for k, v in record.items() if k not in {"n", "prev", "hash", "kind", "at"}}
        if number == changed:
            fields["decision"] = "allow"
        lines.append(anew.line(str(record["kind"]), str(record["at"]), fields).rstrip(b"\n"))
    return lines


NAMED: dict[str, tuple[Change, int, str]] = {
    "an edit": (_edit, 4, "was edited"),
    "a deletion": (lambda lines: lines.__delitem__(6), 8, "record 7 is missing"),
    "two deletions": (lambda lines: lines.__delitem__(slice(6, 8)), 9, "records 7 to 8 are"),
    "a swap": (_swap, 6, "record 5 is missing"),
    "a copy": (lambda lines: lines.insert(5, lines[4]), 5, "out of order"),
    "rubbish": (lambda lines: lines.insert(5, b"rubbish"), 6, "does not end with a hash"),
    "a forgery": (_forge, 9, "not signed with the key"),
    "a record written anew": (_rewrite, 5, "does not continue the record before it"),
    "no opening": (lambda lines: lines.__delitem__(0), 2, "does not begin with an opening"),
}


@pytest.mark.parametrize("name", NAMED)
def test_the_report_says_which_record(trail: tuple[bytes, Head], tmp_path: Path, name: str) -> None:
    change, number, what = NAMED[name]
    lines = trail[0].splitlines()
    change(lines)
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    report = verified([path])
    assert not report.intact
    assert report.findings[0].number == number
    assert what in report.findings[0].what
    assert str(report.findings[0]).startswith(f"{path}:")


def test_a_cut_end_is_found_with_a_head_and_said_without(
    trail: tuple[bytes, Head], tmp_path: Path
) -> None:
    data, head = trail
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b"".join(data.splitlines(keepends=True)[:-4]))
    without = verified([path])
    assert without.intact
    assert any("cut-off end could not be noticed" in note for note in without.notes)
    assert "the end was cut off" in verified([path], head).findings[0].what
    other = Head(head.chain, 3, "0" * 64)
    assert "another record" in verified([path], other).findings[0].what


def test_a_torn_last_line_is_said_and_no_crime(trail: tuple[bytes, Head], tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(trail[0][:-150])
    report = verified([path])
    assert report.intact
    assert any("torn" in note for note in report.notes)
    second = tmp_path / "second.jsonl"
    second.write_bytes(trail[0])
    assert "cut short in the middle" in verified([path, second]).findings[0].what


def test_without_a_key_the_report_says_what_that_is_worth(tmp_path: Path) -> None:
    unsigned, head = written(tmp_path, signed=False)
    assert any("not signed" in note for note in verified(unsigned, head, key="").notes)
    assert "no signature" in verified(unsigned, head).findings[0].what


def test_the_key_of_the_files_is_only_their_own_word(tmp_path: Path) -> None:
    files, head = written(tmp_path)
    report = verified(files, head, key="")
    assert report.intact
    assert any("--key" in note for note in report.notes)


def test_a_first_record_has_no_predecessor(tmp_path: Path) -> None:
    anew = Chain("0" * 16)
    anew.head = Head("0" * 16, 0, "1" * 64)
    path = tmp_path / "audit.jsonl"
    path.write_bytes(anew.line("open", "now", {"chain": "0" * 16}))
    assert START not in path.read_text()
    assert "names a predecessor" in verified([path]).findings[0].what


def test_a_file_of_another_chain_is_found(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (one,), _ = written(tmp_path / "a")
    (two,), _ = written(tmp_path / "b")
    assert any("another chain" in f.what for f in verified([one, two]).findings)


def tamper(data: bytes, chance: random.Random) -> bytes:
    """One random thing that somebody could do to a file."""
    lines = data.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    match chance.randrange(8):
        case 0:
            where = chance.randrange(len(data))
            return (
                data[:where] + bytes([data[where] ^ (1 << chance.randrange(8))]) + data[where + 1 :]
            )
        case 1:
            del lines[at]
        case 2:
            lines.insert(at, lines[chance.randrange(len(lines))])
        case 3:
            other = (at + 1 + chance.randrange(len(lines) - 1)) % len(lines)
            lines[at], lines[other] = lines[other], lines[at]
        case 4:
            lines = lines[: max(1, at)]
        case 5:
            parsed = [parse(line.rstrip(b"\n")) for line in lines]
            return b"\n".join(rechained(parsed, changed=at)) + b"\n"
        case 6:
            where = chance.randrange(len(data))
            return data[:where] + bytes(chance.choices(range(32, 127), k=3)) + data[where:]
        case _:
            return data[: chance.randrange(len(data))]
    return b"".join(lines)


def test_random_tamperings_are_all_found(trail: tuple[bytes, Head], tmp_path: Path) -> None:
    data, head = trail
    path = tmp_path / "audit.jsonl"
    missed: list[int] = []
    for seed in range(TAMPERINGS):
        changed = tamper(data, random.Random(seed))
        path.write_bytes(changed)
        if changed != data and verified([path], head).intact:
            missed.append(seed)
    assert missed == []
    assert json.loads(data.splitlines()[1])["kind"] == "decision"
