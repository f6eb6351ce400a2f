"""The engine's three functions: what compiles, what matches, and what is refused by name."""

from threading import Thread

import pytest

from abuse_gate.rules.engine import PatternError, blame, compile_patterns, new_scratch, scan

MATCHES: list[tuple[list[str], bytes, list[int]]] = [
    (["alpha", "beta"], b"beta before alpha", [0, 1]),
    (["alpha", "beta"], b"BETA", [1]),
    (["a.{0,5}b"], b"a\n\nb", [0]),
    (["x"], b"xxxxxxxx", [0]),
    (["alpha"], b"", []),
    (["alpha"], b"gamma", []),
    ([], b"anything at all, nothing included", []),
    ([], b"", []),
    (["ärger"], "viel ärger".encode(), [0]),
    (["a\\x00b"], b"a\x00b", [0]),
]

REFUSED: list[tuple[list[str], int]] = [
    (["fine", "(open"], 1),
    (["x*"], 0),
    ([""], 0),
    (["fine", "fine too", "(?<=a)b"], 2),
    ([r"(a)\1"], 0),
    (["fine", "a\x00b"], 1),
]


@pytest.mark.parametrize(("patterns", "data", "expected"), MATCHES)
def test_matches_are_sorted_unique_caseless_and_cross_lines(
    patterns: list[str], data: bytes, expected: list[int]
) -> None:
    database = compile_patterns(patterns)
    assert scan(database, new_scratch(database), data) == expected


@pytest.mark.parametrize(("patterns", "index"), REFUSED)
def test_a_refused_pattern_is_named_by_its_index(patterns: list[str], index: int) -> None:
    with pytest.raises(PatternError) as caught:
        compile_patterns(patterns)
    assert caught.value.index == index
    assert caught.value.why
    assert str(caught.value).startswith(f"pattern {index}: ")


def test_an_error_of_the_whole_set_has_no_index() -> None:
    blamed = blame([b"fine", b"fine too"], "Too large.")
    assert (blamed.index, str(blamed)) == (-1, "all patterns: Too large")


def test_two_threads_with_a_scratch_each_share_one_database() -> None:
    database = compile_patterns(["needle", "a.{0,80}z"])
    data = b"hay " * 20_000 + b"needle"
    results: list[list[int]] = []

    def work() -> None:
        scratch = new_scratch(database)
        results.extend(scan(database, scratch, data) for _ in range(20))

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Every gap between an "a" and a "z" is hay without a z, so the needle is the only match.
    assert results == [[0]] * 80
