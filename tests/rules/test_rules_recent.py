"""The window: the latest foreign texts whole, the rest in one, and no text gets trusted by age."""

from typing import Final

import pytest

from abuse_gate.model.extract import Extract, Segment, Trust
from abuse_gate.rules.provenance import MOST_SUSPECTS, suspects
from abuse_gate.rules.recent import Window, recent

USER: Final = Segment("do it", "user", "vetted")


def tool(number: int, trust: Trust = "untrusted", size: int = 10) -> Segment:
    return Segment(f"t{number}".ljust(size, "."), "tool", trust)


def page(number: int, trust: Trust = "untrusted") -> Segment:
    return Segment(f"d{number}", "document", trust)


def test_what_fits_the_window_is_shown_as_it_is() -> None:
    extract = Extract((USER, tool(1), page(2), tool(3)))
    seen = recent(extract, Window(messages=3, chars=100))
    assert seen.extract == extract
    # A payload lists tool results first, then documents.
    assert seen.places == {1: 0, 3: 1, 2: 2}


@pytest.mark.parametrize(("messages", "chars"), [(2, 1000), (30, 25)])
def test_what_is_older_is_summed_up_first(messages: int, chars: int) -> None:
    extract = Extract((tool(1), USER, tool(2), tool(3), tool(4)))
    seen = recent(extract, Window(messages, chars))
    texts = [segment.text for segment in seen.extract.segments]
    assert texts == [f"{tool(1).text}\n{tool(2).text}", USER.text, tool(3).text, tool(4).text]
    assert seen.places == {0: 0, 2: 0, 3: 1, 4: 2}


def test_each_sort_has_a_summary_of_its_own() -> None:
    extract = Extract((tool(1), page(2), page(3), tool(4), tool(5)))
    seen = recent(extract, Window(messages=1))
    assert [segment.origin for segment in seen.extract.segments] == ["document", "tool", "tool"]
    assert seen.places == {0: 0, 3: 0, 4: 1, 1: 2, 2: 2}


TRUSTS: Final[list[tuple[list[Trust], Trust]]] = [
    (["trusted", "trusted"], "trusted"),
    (["trusted", "vetted"], "vetted"),
    (["vetted", "untrusted", "trusted"], "untrusted"),
]


@pytest.mark.parametrize(("trusts", "summary"), TRUSTS)
def test_a_summary_is_as_trusted_as_its_least_trusted_part(
    trusts: list[Trust], summary: Trust
) -> None:
    old = [tool(number, trust) for number, trust in enumerate(trusts)]
    seen = recent(Extract((*old, tool(9, "trusted"))), Window(messages=1))
    assert seen.extract.segments[0].trust == summary


def test_the_very_latest_is_shown_however_long_it_is() -> None:
    seen = recent(Extract((tool(1), tool(2, size=5000))), Window(messages=5, chars=1000))
    assert [len(segment.text) for segment in seen.extract.segments] == [10, 5000]


def test_suspected_blocks_are_shown_before_others_and_a_large_one_hides_no_other() -> None:
    extract = Extract((tool(1), tool(2, size=900), tool(3), tool(4), tool(5)))
    seen = recent(extract, Window(messages=3, chars=100), suspected=(0, 1))
    texts = [segment.text for segment in seen.extract.segments]
    assert texts == ["\n".join((tool(2, size=900).text, tool(3).text)), *texts[1:]]
    assert texts[1:] == [tool(1).text, tool(4).text, tool(5).text]
    assert seen.segments == {0: 1, 1: 0, 2: 0, 3: 2, 4: 3}
    assert seen.kept == {1, 2, 3}


def test_raw_markup_is_in_no_summary_and_takes_no_place() -> None:
    raw = page(2)._replace(markup=True)
    seen = recent(Extract((page(1), raw, page(3), page(4))), Window(messages=1), suspected=(1,))
    texts = [segment.text for segment in seen.extract.segments]
    assert texts == [f"{page(1).text}\n{page(3).text}", raw.text, page(4).text]
    assert seen.places == {0: 0, 2: 0, 3: 1}


def test_the_blocks_that_rules_mark_are_named_up_to_a_bound() -> None:
    many = tuple(tool(number) for number in range(2 * MOST_SUSPECTS))
    trusted = Segment("t1", "tool", "trusted")
    named = suspects(Extract((trusted, *many)), lambda segment: segment.text.startswith("t1"))
    assert named[0] == 2
    assert len(named) == 11
    assert len(suspects(Extract(many), lambda _segment: True)) == MOST_SUSPECTS
    assert suspects(Extract(many), lambda _segment: False) == ()
