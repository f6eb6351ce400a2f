"""What a caller is reproached with: the digests of its own messages that made a request unsafe.

One message strikes once, however often it is sent again inside a growing conversation. Runs only
for requests that are unsafe already, so that it may look at every message once more.
"""

import hmac
from collections.abc import Sequence
from typing import Final

from abuse_gate.deciding.blame import caller_is_condemned, is_callers, only_the_caller
from abuse_gate.deciding.ladder import MOST_PREFIXES
from abuse_gate.deciding.score import Thresholds, condemning
from abuse_gate.inspection import Inspection
from abuse_gate.model.extract import PLACE_OF, Segment
from abuse_gate.model.standing import Offence
from abuse_gate.settings import RoutePolicy
from abuse_gate.work.scanner import Scanner

# Messages that are looked at one by one; of a longer request the whole is one message.
MOST_MESSAGES: Final = 256
_DIGITS: Final = 20


class Offences:
    """One for a gate; holds nothing of any request."""

    def __init__(self, scanner: Scanner, thresholds: Thresholds, key: bytes) -> None:
        self._scanner = scanner
        self._thresholds = thresholds
        self._key = key

    def of(
        self, inspection: Inspection, policy: RoutePolicy, turn: int | None = None
    ) -> Offence | None:
        """The offence of an unsafe request; None when the caller is not to blame for it.

        `turn` is the message that a verifier has condemned, where it was asked about one.
        """
        extract = inspection.extract
        own = [part for part in extract.segments if is_callers(part)]
        if caller_is_condemned(inspection.hits, self._thresholds):
            marks = self._condemned(own, policy)
            return Offence(marks) if marks else self._grown(own)
        if not own or not only_the_caller(extract):
            return None
        blamed = [part for part in own if part.turn == turn and turn is not None]
        return self._grown(blamed or own)

    def _condemned(self, segments: Sequence[Segment], policy: RoutePolicy) -> tuple[str, ...]:
        """The messages that are unsafe by themselves."""
        if len(segments) > MOST_MESSAGES:
            return ()
        texts = dict.fromkeys(part.text for part in segments)
        return tuple(self._digest(b"", text) for text in texts if self._is_unsafe(text, policy))

    def _is_unsafe(self, text: str, policy: RoutePolicy) -> bool:
        is_unsafe = condemning(self._thresholds, policy.disabled_rules, policy.severity_overrides)
        return is_unsafe(self._scanner.scan_text(text, enough=is_unsafe).hits)

    def _grown(self, segments: Sequence[Segment]) -> Offence:
        """The conversation as a whole, and every conversation that it may have grown from."""
        said = [part for part in segments if PLACE_OF[part.origin] == "caller"] or segments
        turns = [part for part in said if part.turn is not None] or said
        chain = ""
        links: list[str] = []
        for part in turns:
            chain = self._digest(chain.encode(), part.text)
            links.append(chain)
        return Offence((links[-1],), tuple(links[-MOST_PREFIXES - 1 : -1]))

    def _digest(self, before: bytes, text: str) -> str:
        message = b"message\0%s\0%s" % (before, text.encode("utf-8", "replace"))
        return hmac.digest(self._key, message, "sha256").hex()[:_DIGITS]
