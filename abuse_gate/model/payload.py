"""The normalized and redacted shape of the contract: the only thing an adapter ever receives.

Only `abuse_gate.rules.redact` builds one, so that handing raw text to an adapter is a type error.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from abuse_gate.model.hit import Hit


class Payload(Mapping[str, Any]):
    """A read-only mapping of the contract's shape that also carries tier 1's hits in process."""

    __slots__ = ("_fields", "hits", "unseen")

    def __init__(
        self, fields: Mapping[str, Any], hits: tuple[Hit, ...], unseen: tuple[Hit, ...] = ()
    ) -> None:
        """`unseen` are the hits that nobody can clear who was shown only this."""
        self._fields = dict(fields)
        self.hits = hits
        self.unseen = unseen

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        size = len(self._fields.get("prompt_text", ""))
        return f"{type(self).__name__}({size} chars, {len(self.hits)} hits)"


class Question(Payload):
    """A payload put to a judge: `payload["question"]` says what is asked of it.

    `correction` is the margin on which a supervisor's correction is brought home: text for the
    callers inside the process, and therefore no part of any record.
    """

    __slots__ = ("correction",)

    def __init__(self, payload: Payload, question: Mapping[str, Any]) -> None:
        super().__init__({**payload, "question": dict(question)}, payload.hits, payload.unseen)
        self.correction: str | None = None

    def plainly(self) -> "Question":
        """The same question, to be answered by one bare word."""
        return Question(self, {**self["question"], "plain": True})
