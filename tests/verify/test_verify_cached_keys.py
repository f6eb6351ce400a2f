"""What a remembered verdict depends on: whose it is, how strictly it was judged, what was new."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from abuse_gate.model.caller import Caller
from abuse_gate.model.extract import Extract, Segment
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import Assessment, Verdict
from abuse_gate.stores.verdicts import MemoryVerdicts
from abuse_gate.testing import RecordingObserver
from abuse_gate.testing.asgi import Header
from abuse_gate.verify.cached import Inquiry, VerdictCache
from abuse_gate.verify.turns import WINDOW, Digests, narrowed, turns_of
from tests.asgi.test_asgi_strikes import NOTICE, Door
from tests.verify.remembering import ALICE, BAD, BOB, Chat

INNOCENT = "Then tell me a nice long story about cats."
GREETING = "Hello! I am the shop's assistant. How can I help you today?"
ANONYMOUS: Header = (b"accept", b"*/*")


def _index(body: bytes) -> int | None:
    found: int | None = json.loads(body)["error"].get("message_index")
    return found


async def test_of_several_new_messages_none_is_blamed_alone() -> None:
    chat = Chat()
    refused = await chat.send([BAD, "No, I will not do that.", INNOCENT])
    assert (refused.status, _index(refused.body)) == (403, None)
    assert (await chat.send([INNOCENT])).status == 200


async def test_what_was_condemned_together_stays_so_for_its_caller_as_it_stands() -> None:
    chat = Chat()
    talk = ["hello", "hi", BAD]
    for _ in range(3):
        refused = await chat.send(talk)
        assert (refused.status, _index(refused.body)) == (403, None)
        talk += ["I cannot do that.", INNOCENT]
    assert len(chat.judge.shown) == 1
    assert (await chat.send(talk[:2] + talk[4:])).status == 200
    asked = len(chat.judge.shown)
    assert (await chat.send(talk, BOB)).status == 403
    assert len(chat.judge.shown) == asked + 1


async def test_what_was_asked_over_more_than_a_window_is_found_again_only_as_a_whole() -> None:
    chat = Chat()
    talk = [BAD, *(f"message number {n}" for n in range(WINDOW + 2))]
    for said, asked in ((talk, 1), (talk, 1), ([*talk, "one more"], 2)):
        assert (await chat.send(said)).status == 403
        assert len(chat.judge.shown) == asked


async def test_a_lone_assistants_message_is_nobodys_to_drop() -> None:
    chat = Chat()
    assert (await chat.send(["hello there, how are you?"])).status == 200
    refused = await chat.send(["hello there, how are you?", BAD])
    assert (refused.status, _index(refused.body)) == (403, None)


@pytest.mark.parametrize(("header", "guilty"), [(ALICE, True), (ANONYMOUS, False)])
async def test_guilt_is_kept_for_credentials_and_not_for_addresses(
    header: Header, guilty: bool
) -> None:
    """Behind one address there may be many."""
    chat = Chat()
    blamed = "and the second half: elephant. Now join them."
    first = ["Remember the first half: purple", GREETING]
    assert (await chat.send(first, header)).status == 200
    assert (await chat.send([*first, blamed], header)).status == 403
    again = await chat.send(["Where is my parcel?", GREETING, blamed], header)
    assert again.status == (403 if guilty else 200)


class Strictly:
    """Condemns everything where it is told to be strict."""

    async def assess(self, payload: Mapping[str, Any]) -> Verdict:
        return "unsafe" if payload["policy_context"]["block_mode"] == "strict" else "safe"


async def test_who_is_locked_is_not_served_what_others_were_told() -> None:
    door = Door(adapter=Strictly(), verdict_cache="memory")
    for number in range(3):
        await door.attack(number, ALICE)
    question = {"messages": [{"role": "user", "content": "Something about garden chemistry"}]}
    assert (await door.ask(question, BOB, client=("9.9.9.9", 1))).status == 200
    locked = await door.ask(question, ALICE)
    assert (locked.status, locked.headers[b"x-guardrail-mode"]) == (403, b"execute_locked")


@pytest.mark.parametrize(
    ("names", "asked"), [(("Acme-Corp", " acme_corp"), 1), (("acme", "acme2"), 2)]
)
async def test_a_tenant_is_the_same_however_it_is_spelt(names: tuple[str, str], asked: int) -> None:
    def tenant(scope: Any) -> str:
        return str(dict(scope["headers"])[b"x-verified"].decode())

    chat = Chat(tenant=tenant)
    for name in names:
        await chat.send(["a question"], (b"x-verified", name.encode()))
    assert len(chat.judge.shown) == asked


@pytest.mark.parametrize("name", [b"x-request-id", b"cookie", b"x-forwarded-for"])
async def test_an_id_in_a_header_does_not_make_another_question(name: bytes) -> None:
    chat = Chat()
    for number in range(4):
        header = (name, b"sid=%d" % (7**number))
        assert (await chat.send(["a question"], ALICE, header)).status == 200
    assert len(chat.judge.shown) == 1


async def test_a_header_in_which_a_rule_found_something_is_part_of_the_question() -> None:
    chat = Chat()
    for number in range(2):
        header = (b"x-note", f"{NOTICE} {number}".encode())
        assert (await chat.send(["a question"], ALICE, header)).status == 200
    await chat.send(["a question"], ALICE)
    assert len(chat.judge.shown) == 3


def _pieces(turns: int, each: int) -> Extract:
    return Extract(
        tuple(Segment("a", "user", "untrusted", turn=n) for n in range(turns) for _ in range(each))
    )


class Counted(tuple[Segment, ...]):
    """Pieces that count how often somebody goes through them."""

    gone_through = 0

    def __iter__(self) -> Iterator[Segment]:
        Counted.gone_through += 1
        return super().__iter__()

    def __contains__(self, piece: object) -> bool:
        return any(each is piece for each in self)


@pytest.mark.parametrize(("turns", "each"), [(4, 16), (64, 1)])
def test_the_pieces_are_gone_through_once_however_many_messages_they_make(
    turns: int, each: int
) -> None:
    pieces = Counted(_pieces(turns, each).segments)
    known = [
        replace(turn, segments=Counted(turn.segments))
        for turn in turns_of(Extract(pieces), Digests(b"k"))
    ]
    Counted.gone_through = 0
    assert narrowed(Extract(pieces), known, range(turns)).segments == tuple(pieces)
    assert Counted.gone_through <= 2


@pytest.mark.parametrize(("each", "beside"), [(1, False), (200, True)])
async def test_a_large_conversation_is_worked_through_beside_the_loop(
    each: int, beside: bool
) -> None:
    async def payload(part: Extract) -> Payload:
        return Payload({"policy_context": {}, "prompt_text": str(part.chars)}, ())

    async def put(_: Payload) -> Assessment:
        return Assessment("safe", "model_safe")

    cache = VerdictCache(MemoryVerdicts(60), b"k", RecordingObserver())
    inquiry = Inquiry(_pieces(100, each), payload, "judge", "m", "1", Caller("key-a", "addr-b"))
    asking = asyncio.ensure_future(cache.assess(inquiry, put))
    turns = 0
    while not asking.done():
        turns += 1
        await asyncio.sleep(0)
    assert (turns > 30) is beside
