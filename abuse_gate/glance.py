"""The short way of what is plainly clean: nobody is to be asked, nobody to be told, nothing kept.

Says of a request that the long way would let it pass without a word, or says nothing at all. Makes
no extract, no inspection and no record, which is why it is there.
"""

from collections.abc import Callable
from typing import Final, get_args

from abuse_gate.deciding.planner import Plan, first_tier
from abuse_gate.deciding.score import Thresholds
from abuse_gate.deciding.static import judge_prompt
from abuse_gate.model.decision import Decision
from abuse_gate.reading.head import Head
from abuse_gate.reading.plain import plain_texts
from abuse_gate.recorder import Recorder
from abuse_gate.rules.sift import plain_bytes
from abuse_gate.settings import RoutePolicy
from abuse_gate.verify.tiered import Tiered
from abuse_gate.work.incidents import INCIDENT_IDS
from abuse_gate.work.recall import BLOCK, Recall
from abuse_gate.work.scanner import INLINE_SIZE, Scanner

# What stands for a request in which the rules found nothing.
_CLEAN: Final = judge_prompt((), Thresholds(), beside_a_call=False)


class Glance:
    """One for a gate; of a request it holds nothing but digests."""

    def __init__(self, scanner: Scanner, tiers: Tiered, recorder: Recorder) -> None:
        self._scanner = scanner
        self._recall = Recall()
        self._tiers = tiers
        self._is_heard = recorder.hears_passes
        there = tiers.available["prompt"]
        plans = (plan for plan in get_args(Plan) if not first_tier(plan, _CLEAN.finding, there))
        self._unasked: frozenset[Plan] = frozenset(plans)
        # The last policy that was found to be so: nearly always there is but one.
        self._known: RoutePolicy | None = None

    def applies(self, policy: RoutePolicy) -> bool:
        """Whether a clean request under this policy is nobody's business but the app's."""
        if policy is not self._known:
            if not self._is_unwatched(policy):
                return False
            self._known = policy
        try:
            return not self._is_heard()
        except Exception:  # noqa: BLE001 - an observer's defect: it will be told, and said to fail
            return False

    def _is_unwatched(self, policy: RoutePolicy) -> bool:
        return (
            policy.plan in self._unasked
            and policy.mode == "enforce"
            and policy.wire_roles == "claimed"
            and not policy.locked
        )

    def cleared(
        self, path: str, head: Head, body: bytes, sender: Callable[[], bytes]
    ) -> Decision | None:
        """The decision on a whole JSON body without a query, if it is plainly clean.

        What the same sender has said before is not looked at again.
        """
        if len(body) + head.size > INLINE_SIZE:
            return None
        try:
            if not self._is_clean(path, body, sender()):
                return None
            if head.spoken and not self._clears_words(head):
                return None
        except Exception:  # noqa: BLE001 - a defect of ours: the long way will meet and report it
            return None
        self._tiers.cleared()
        return Decision("allow", None, "normal", INCIDENT_IDS.draw(), _CLEAN.assessment)

    def _is_clean(self, path: str, body: bytes, who: bytes) -> bool:
        recall = self._recall
        whole = recall.request(who, path, body)
        if recall.knows(whole):
            return True
        texts = plain_texts(path, body)
        if texts is None:
            return False
        for text in texts:
            if not self._clears(text, who):
                return False
        recall.keep((whole,))
        return True

    def _clears(self, text: str, who: bytes) -> bool:
        """Whether a text is clear as far as it is new."""
        data = plain_bytes(text)
        if data is None:
            return False
        if len(data) <= BLOCK:
            # As much would be looked at if some of it were known.
            return self._scanner.clears(data)
        trail = self._recall.trail(who, data)
        blocks = self._recall.known(trail)
        if not self._scanner.clears(data, blocks * BLOCK):
            return False
        self._recall.keep(trail[blocks:])
        return True

    def _clears_words(self, head: Head) -> bool:
        words = head.words()
        return words is not None and self._scanner.clears(words.encode())
