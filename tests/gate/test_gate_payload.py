"""What a verifier may see, and what becomes of our own defects."""

import gzip
import json
import logging
import threading
from typing import Any, Final

import pytest

from abuse_gate.gate import Gate
from abuse_gate.inspection import Inspection
from abuse_gate.model.extract import Extract
from abuse_gate.model.payload import Payload
from abuse_gate.reading.request import RawRequest
from abuse_gate.rules.book import RuleBook
from abuse_gate.rules.findings import CLEAN, Enough, Findings, never
from abuse_gate.settings import RoutePolicy, Settings
from abuse_gate.testing import ScriptedAdapter
from abuse_gate.work.scanner import INLINE_SIZE, Scanner
from tests.gate.standing import ATTACK, BENIGN, NOTICE, gate, pending, posted, prompt

pytestmark = pytest.mark.usefixtures("scanner")

CANARY: Final = "canary-5b1e-heron"
CONTRACT_KEYS: Final = {"prompt_text", "modalities", "policy_context", "ingress_flags", "debug"}


async def payload_of(request: RawRequest, policy: RoutePolicy | None = None) -> Any:
    adapter = ScriptedAdapter("safe")
    await gate(adapter).review(request, policy or RoutePolicy(plan="paranoid"))
    (payload,) = adapter.payloads
    return payload


@pytest.mark.parametrize(
    "request_",
    [
        prompt(BENIGN),
        prompt(NOTICE),
        prompt("\ud800 lone"),
        pending("bash", {"cmd": "ls"}, result=ATTACK),
        posted(b"\xff\xfe{"),
    ],
    ids=["benign", "notice", "surrogate", "call", "malformed"],
)
async def test_a_payload_has_the_contracts_keys_and_is_json(request_: RawRequest) -> None:
    payload = await payload_of(request_)
    assert set(payload) >= CONTRACT_KEYS
    assert json.loads(json.dumps(dict(payload)).encode("utf-8")) == dict(payload)
    assert set(payload["policy_context"]) == {"pii_ruleset", "block_mode", "override_mode"}
    shapes = {frozenset(source) for source in payload["debug"]["sources"]}
    assert shapes <= {frozenset({"type", "rule_hits", "meta"})}


async def test_the_policy_is_part_of_the_payload() -> None:
    strict = await payload_of(prompt(BENIGN), RoutePolicy(plan="paranoid", on_unclear="block"))
    plain = await payload_of(prompt(BENIGN), RoutePolicy(plan="standard"))
    assert strict["policy_context"] == {
        "pii_ruleset": "default",
        "block_mode": "strict",
        "override_mode": "block",
    }
    assert plain["policy_context"]["block_mode"] == "baseline"


async def test_tier_one_hits_travel_with_the_payload_as_ids() -> None:
    payload = await payload_of(prompt(NOTICE))
    assert "override.leave_the_task" in payload["debug"]["sources"][0]["rule_hits"]
    assert "override.leave_the_task" in {hit.rule for hit in payload.hits}


async def test_a_rule_switched_off_for_the_route_is_not_in_the_payload() -> None:
    policy = RoutePolicy(disabled_rules=frozenset({"override.leave_the_task"}))
    payload = await payload_of(prompt(NOTICE), policy)
    assert "override.leave_the_task" not in json.dumps(dict(payload))


async def test_a_key_in_the_prompt_never_reaches_the_adapter() -> None:
    key = "sk-proj-" + "A1b2C3d4E5f6G7h8" * 3
    payload = await payload_of(prompt(f"my key is {key}, is that fine?"))
    assert key not in json.dumps(dict(payload))


class BrokenScanner(Scanner):
    """A scanner with a defect that quotes the request."""

    def scan_briefly(self, extract: Extract, enough: Enough = never) -> Findings | None:
        return CLEAN if not extract.segments else None

    def scan(self, extract: Extract, enough: Enough = never) -> Findings:
        raise ValueError(f"{CANARY} in {extract.segments[0].text}")


async def test_a_defect_of_ours_is_a_flag_and_one_line_with_the_type_alone(
    scanner: Scanner, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        decision = await gate(scanner=BrokenScanner(scanner.book)).review(
            posted({"messages": [{"role": "user", "content": CANARY}]}, path="/v1/messages"),
            RoutePolicy(),
        )
    assert decision.verdict == "unclear"
    assert decision.flags == {"malformed", "scan_budget"}
    assert (decision.decision, decision.status) == ("clarify", 422)
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.getMessage() for record in errors] == [
        "abuse-gate: inspect failed with ValueError; please report it"
    ]
    assert errors[0].exc_info is None
    assert CANARY not in caplog.text


async def test_a_request_that_we_failed_to_read_keeps_its_dialect_and_asks_nobody(
    scanner: Scanner,
) -> None:
    adapter = ScriptedAdapter("safe")
    broken = gate(adapter, scanner=BrokenScanner(scanner.book))
    inspection = await broken.inspect(
        posted({"a": "b"}, path="/v1/chat/completions"), RoutePolicy(plan="paranoid")
    )
    assert inspection.extract.dialect == "openai"
    assert inspection.extract.body_bytes == len(json.dumps({"a": "b"}))
    assert not inspection.ask
    assert adapter.payloads == []


async def test_a_defect_in_the_redaction_is_unclear_and_nobody_is_asked(
    caplog: pytest.LogCaptureFixture,
) -> None:
    adapter = ScriptedAdapter("safe")
    judge = gate(adapter)
    inspection = await judge.inspect(prompt(BENIGN), RoutePolicy())
    # Not a sequence of segments: what a reader with a defect might hand over.
    segments: Any = (CANARY,)
    broken = inspection._replace(extract=inspection.extract._replace(segments=segments))
    assessment = await judge.verify(broken, RoutePolicy())
    assert (assessment.verdict, assessment.reason) == ("unclear", "internal_error")
    assert adapter.payloads == []
    assert "redact failed with AttributeError" in caplog.text
    assert CANARY not in caplog.text


class ThreadNoting(Scanner):
    """Notes in which threads it looks and scans."""

    def __init__(self, book: RuleBook) -> None:
        super().__init__(book)
        self.threads: list[tuple[str, str]] = []

    def scan_briefly(self, extract: Extract, enough: Enough = never) -> Findings | None:
        self.threads.append(("look", threading.current_thread().name.partition("_")[0]))
        return super().scan_briefly(extract, enough)

    def scan(self, extract: Extract, enough: Enough = never) -> Findings:
        self.threads.append(("scan", threading.current_thread().name.partition("_")[0]))
        return super().scan(extract, enough)


HERE, THERE = ("look", "MainThread"), ("scan", "abuse-gate-scan")
# Never behind what is large.
BESIDE = ("scan", "abuse-gate-small")


async def _threads_of(scanner: Scanner, request: RawRequest) -> set[tuple[str, str]]:
    noting = ThreadNoting(scanner.book)
    await gate(scanner=noting).review(request, RoutePolicy())
    return set(noting.threads)


async def test_a_large_body_is_read_beside_the_loop_and_a_small_clean_one_is_not(
    scanner: Scanner,
) -> None:
    assert await _threads_of(scanner, prompt("word " * 10)) == {HERE}
    assert await _threads_of(scanner, prompt("word " * INLINE_SIZE)) == {THERE}


@pytest.mark.parametrize("text", ["a%20b " * 800, "a\u200bb " * 300])
async def test_whatever_may_take_long_is_scanned_beside_the_loop(
    scanner: Scanner, text: str
) -> None:
    """A kilobyte may hide more than a megabyte says: what it costs shows only when it is done."""
    assert await _threads_of(scanner, prompt(text)) == {HERE, BESIDE}
    assert await _threads_of(scanner, prompt(text[:12])) == {HERE}


async def test_a_small_body_that_inflates_to_a_large_one_is_read_beside_the_loop(
    scanner: Scanner,
) -> None:
    plain = json.dumps({"text": "word " * INLINE_SIZE}).encode()
    packed = posted(gzip.compress(plain), headers=[(b"content-encoding", b"gzip")])
    assert len(packed.body) < INLINE_SIZE < len(plain)
    assert await _threads_of(scanner, packed) == {THERE}


async def test_a_long_path_is_read_beside_the_loop(scanner: Scanner) -> None:
    """A path comes decoded, and its characters may be the dear ones."""
    short, long = (RawRequest("/" + "\u0f73" * size, b"", [], b"") for size in (10, 7000))
    assert await _threads_of(scanner, short) == {HERE}
    assert await _threads_of(scanner, long) == {THERE}


class NotingGate(Gate):
    """Notes in which thread a payload is made."""

    made_in = ""

    def payload(self, inspection: Inspection, policy: RoutePolicy) -> Payload:
        self.made_in = threading.current_thread().name.partition("_")[0]
        return super().payload(inspection, policy)


async def test_a_large_payload_is_made_beside_the_loop() -> None:
    """Finding secrets in a megabyte takes as long as scanning it."""
    judge = gate(ScriptedAdapter("safe"), kind=NotingGate)
    decision = await judge.review(prompt("word " * (INLINE_SIZE // 10)), RoutePolicy())
    assert decision.verdict == "safe"
    assert isinstance(judge, NotingGate)
    assert judge.made_in == "abuse-gate-small"


async def test_a_payload_is_as_large_as_its_text_however_small_the_body_was() -> None:
    plain = json.dumps({"text": "word " * INLINE_SIZE}).encode()
    packed = posted(gzip.compress(plain), headers=[(b"content-encoding", b"gzip")])
    judge = gate(ScriptedAdapter("safe"), kind=NotingGate)
    await judge.review(packed, RoutePolicy())
    assert isinstance(judge, NotingGate)
    assert judge.made_in == "abuse-gate-scan"


async def test_no_text_in_the_repr_of_anything_on_the_way() -> None:
    judge, policy = gate(settings=Settings()), RoutePolicy()
    inspection = await judge.inspect(prompt(CANARY), policy)
    decision = judge.conclude(inspection, policy, await judge.verify(inspection, policy))
    shown = (inspection, inspection.extract, judge.payload(inspection, policy), decision)
    assert CANARY not in repr(shown)


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        (RawRequest("/", b"", [], b""), 0),
        (RawRequest("/v1/items/42", b"", [(b"x-trace", b"abc"), (b"cookie", b"a=b")], b""), 0),
        (RawRequest("/ask/what is this", b"", [], b""), 1),
        (RawRequest("/ask", b"q=hello", [], b""), 1),
        (RawRequest("/ask", b"", [], b"hello"), 1),
    ],
)
async def test_nobody_is_asked_about_nothing(request_: RawRequest, asked: int) -> None:
    adapter = ScriptedAdapter("safe")
    decision = await gate(adapter).review(request_, RoutePolicy())
    assert decision.verdict == "safe"
    assert len(adapter.payloads) == asked
