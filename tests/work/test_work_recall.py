"""What was clear is known again as far as it goes, to nobody but its sender, and not for ever."""

from abuse_gate.work.recall import BLOCK, MOST_KEPT, Recall

TEXT = b"".join(b"%7d " % number for number in range(1000))


def test_a_text_is_known_as_far_as_it_was_kept() -> None:
    recall = Recall()
    recall.keep(recall.trail(b"me", TEXT[: 3 * BLOCK]))
    assert recall.known(recall.trail(b"me", TEXT)) == 3
    assert recall.known(recall.trail(b"me", TEXT[: 3 * BLOCK])) == 3
    assert recall.known(recall.trail(b"me", TEXT[: 2 * BLOCK] + b"else")) == 2
    assert recall.known(recall.trail(b"me", b"else" + TEXT)) == 0
    assert recall.known(recall.trail(b"me", b"")) == 0


def test_a_short_end_is_known_as_that_end_alone() -> None:
    recall = Recall()
    recall.keep(recall.trail(b"me", TEXT[: BLOCK + 10]))
    assert recall.known(recall.trail(b"me", TEXT[: BLOCK + 10])) == 2
    assert recall.known(recall.trail(b"me", TEXT[: BLOCK + 11])) == 1


def test_nobody_knows_what_another_has_said() -> None:
    recall = Recall()
    recall.keep((recall.request(b"me", "/chat", TEXT), *recall.trail(b"me", TEXT)))
    assert recall.knows(recall.request(b"me", "/chat", TEXT))
    assert not recall.knows(recall.request(b"you", "/chat", TEXT))
    assert recall.known(recall.trail(b"you", TEXT)) == 0


def test_no_two_processes_make_the_same_digests() -> None:
    assert Recall().request(b"me", "/chat", TEXT) != Recall().request(b"me", "/chat", TEXT)


def test_what_is_one_thing_is_not_another() -> None:
    recall = Recall()
    texts = recall.trail(b"me", b"a"), recall.trail(b"m", b"ea"), recall.trail(b"", b"mea")
    requests = [
        recall.request(who, path, body)
        for who, path, body in [
            (b"me", "/a", b"b"),
            (b"m", "e/a", b"b"),
            (b"me", "/", b"ab"),
            (b"", "", b"me/ab"),
            (b"me", "\ud800", b"b"),
            (b"me", "?", b"b"),
        ]
    ]
    every = [*(text[0] for text in texts), *requests]
    assert len({*every}) == len(every)
    assert {len(digest) for digest in every} == {16}


def test_what_is_not_met_again_is_forgotten() -> None:
    recall = Recall()
    recall.keep([b"met", b"not met"])
    for number in range(MOST_KEPT):
        recall.keep([b"%d" % number])
    assert recall.knows(b"met")
    for number in range(MOST_KEPT):
        recall.keep([b"%d again" % number])
    assert recall.knows(b"met")
    assert not recall.knows(b"not met")


def test_no_more_is_kept_than_two_generations_however_often_it_is_met() -> None:
    recall, number = Recall(), 0
    met: list[bytes] = []
    for _ in range(4):
        for _ in range(MOST_KEPT):
            number += 1
            recall.keep([b"%d" % number])
            met.append(b"%d" % number)
        known = [digest for digest in met if recall.knows(digest)]
        assert MOST_KEPT <= len(known) <= 2 * MOST_KEPT
        kept = vars(recall)
        assert len(kept["_young"]) + len(kept["_old"]) <= 2 * MOST_KEPT
