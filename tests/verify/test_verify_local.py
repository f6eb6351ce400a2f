"""The verifier that is always there: any mapping of the contract's shape, and our own Payload."""

import threading
from typing import Any, Final

import pytest

from abuse_gate.deciding.score import Thresholds
from abuse_gate.model.hit import Hit, Place
from abuse_gate.model.payload import Payload
from abuse_gate.model.verdict import Verdict
from abuse_gate.rules.findings import Enough, Findings, never
from abuse_gate.verify.local import LocalRuleAdapter, texts_of
from abuse_gate.work.scanner import Scanner
from tests.gate.standing import ATTACK, BENIGN, NOTICE, PIPE

RULE: Final = "override.leave_the_task"


@pytest.fixture
def local(scanner: Scanner) -> LocalRuleAdapter:
    return LocalRuleAdapter(scanner)


REASON: Final[dict[Verdict, str]] = {"safe": "rules_clean", "unsafe": "rules_block"}
SHAPE: Final[dict[str, Any]] = {
    "prompt_text": BENIGN,
    "modalities": ["text"],
    "debug": {"sources": []},
}
PLAIN: Final[list[tuple[str, dict[str, Any], Verdict, str | None]]] = [
    ("benign", {"prompt_text": BENIGN}, "safe", None),
    ("notice", {"prompt_text": NOTICE}, "unclear", "rules_notice"),
    ("attack", {"prompt_text": ATTACK}, "unsafe", None),
    ("full shape", SHAPE, "safe", None),
    ("empty prompt", {"prompt_text": ""}, "safe", None),
    ("no prompt", {}, "unclear", "flags"),
    ("prompt of bytes", {"prompt_text": b"x"}, "unclear", "flags"),
    ("prompt is None", {"prompt_text": None}, "unclear", "flags"),
    ("flagged", {**SHAPE, "ingress_flags": ["truncated"]}, "unclear", "flags"),
    ("no flags", {**SHAPE, "ingress_flags": []}, "safe", None),
    ("flagged attack", {"prompt_text": ATTACK, "ingress_flags": ["x"]}, "unsafe", None),
    ("in the context", {**SHAPE, "context": [{"text": ATTACK}]}, "unsafe", None),
    ("in a call", {**SHAPE, "tool_calls": [{"arguments": {"c": PIPE}}]}, "unsafe", None),
    ("in a tuple", {**SHAPE, "context": ((ATTACK,),)}, "unsafe", None),
    ("numbers", {**SHAPE, "context": [1, 2.5, None, True]}, "safe", None),
    ("elsewhere", {**SHAPE, "policy_context": {"note": ATTACK}}, "safe", None),
]


@pytest.mark.parametrize(
    ("payload", "verdict", "reason"), [row[1:] for row in PLAIN], ids=[row[0] for row in PLAIN]
)
async def test_a_plain_mapping(
    local: LocalRuleAdapter, payload: dict[str, Any], verdict: Verdict, reason: str | None
) -> None:
    rich = await local.judge(payload)
    assert (rich.verdict, rich.source) == (verdict, "local")
    assert rich.reason == (reason or REASON[verdict])
    assert local.examine(payload) == rich
    assert local.assess(payload) == verdict


def test_the_contracts_method_returns_the_bare_word(local: LocalRuleAdapter) -> None:
    assert type(local.assess({"prompt_text": ATTACK})) is str


OURS: Final[list[tuple[int, list[str], Verdict, str]]] = [
    (0, [], "safe", "rules_clean"),
    (50, [], "safe", "below_threshold"),
    (60, [], "unclear", "rules_notice"),
    (100, [], "unsafe", "rules_block"),
    (0, ["malformed"], "unclear", "flags"),
    (100, ["malformed"], "unsafe", "rules_block"),
]


@pytest.mark.parametrize(("severity", "flags", "verdict", "reason"), OURS)
async def test_our_own_payload_is_scored_by_the_hits_it_carries(
    local: LocalRuleAdapter, severity: int, flags: list[str], verdict: Verdict, reason: str
) -> None:
    hits = (Hit("r", "f", severity, "caller"),) if severity else ()
    payload = Payload({"prompt_text": ATTACK, "ingress_flags": flags}, hits)
    rich = await local.judge(payload)
    assert (rich.verdict, rich.reason, rich.hits) == (verdict, reason, hits)
    assert local.examine(payload) == rich


def test_rules_are_weighed_as_the_operator_wants(scanner: Scanner) -> None:
    def said(**wishes: Any) -> Verdict:
        return LocalRuleAdapter(scanner, **wishes).assess({"prompt_text": NOTICE})

    assert said() == "unclear"
    assert said(disabled=frozenset({RULE})) == "safe"
    assert said(overrides={RULE: 100}) == "unsafe"
    assert said(thresholds=Thresholds(block=60, notice=10)) == "unsafe"


def test_the_order_of_the_texts_is_that_of_the_contract() -> None:
    payload = {"tool_calls": ["d"], "prompt_text": "a", "context": [{"text": "c"}]}
    assert texts_of(payload) == (["a", "c", "d"], True)


def test_a_deep_mapping_is_walked_without_recursion() -> None:
    deep: Any = ATTACK
    for _ in range(20_000):
        deep = [deep]
    assert texts_of({"prompt_text": "", "context": deep}) == (["", ATTACK], True)


def test_a_mapping_that_contains_itself_ends_and_is_not_complete(local: LocalRuleAdapter) -> None:
    cycle: dict[str, Any] = {"text": "x"}
    cycle["again"] = [cycle]
    payload = {"prompt_text": BENIGN, "context": cycle}
    assert texts_of(payload)[1] is False
    assert local.assess(payload) == "unclear"


def test_a_mapping_too_large_to_walk_is_not_complete() -> None:
    assert texts_of({"prompt_text": "", "context": ["x"] * 99_990})[1] is True
    assert texts_of({"prompt_text": "", "context": ["x"] * 100_010})[1] is False


def test_an_attack_is_found_however_much_is_left_unwalked(local: LocalRuleAdapter) -> None:
    assert local.assess({"prompt_text": ATTACK, "context": ["x"] * 200_000}) == "unsafe"


def test_more_text_than_the_scan_takes_is_not_safe(local: LocalRuleAdapter) -> None:
    assert local.assess({"prompt_text": "word " * 1_000_000}) == "unclear"


class NotingScanner(Scanner):
    """Notes in which thread it scans."""

    thread = ""

    def scan_text(self, text: str, place: Place = "caller", enough: Enough = never) -> Findings:
        self.thread = threading.current_thread().name.partition("_")[0]
        return super().scan_text(text, place)


async def test_a_text_is_scanned_beside_the_loop(scanner: Scanner) -> None:
    noting = NotingScanner(scanner.book)
    await LocalRuleAdapter(noting).judge({"prompt_text": "x"})
    assert noting.thread == "abuse-gate-small"


def test_without_a_scanner_it_brings_the_shipped_rules() -> None:
    assert LocalRuleAdapter().assess({"prompt_text": ATTACK}) == "unsafe"
