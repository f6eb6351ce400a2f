"""The deployment's own patterns for redaction, matched in linear time whoever wrote them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from abuse_gate.rules.engine import Database, PatternError, compile_spans, find_spans, new_scratch


class CustomPatternError(ValueError):
    """A pattern of the deployment cannot be used: one line with its name and the cure."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CustomDetectors:
    """Names and their compiled patterns; none of them at all is no database."""

    kinds: tuple[str, ...]
    database: Database | None

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Start, end and kind of every match, in the order of the text."""
        if self.database is None:
            return
        data = text.encode("utf-8", "replace")
        spans = find_spans(self.database, new_scratch(self.database), data)
        ascii_only, chars, done = text.isascii(), 0, 0
        for start, end, index in spans:
            if ascii_only:
                yield start, end, self.kinds[index]
                continue
            # Characters are counted from the last match on, so that this stays linear.
            chars += len(data[done:start].decode("utf-8", "replace"))
            done = start
            length = len(data[start:end].decode("utf-8", "replace"))
            yield chars, chars + length, self.kinds[index]


NO_CUSTOM = CustomDetectors((), None)


def compile_custom(patterns: Mapping[str, str]) -> CustomDetectors:
    """The deployment's patterns, compiled once; a wrong one is told by its name."""
    if not patterns:
        return NO_CUSTOM
    try:
        database = compile_spans(list(patterns.values()))
    except PatternError as error:
        name = list(patterns)[error.index] if error.index >= 0 else "all of them"
        raise CustomPatternError(
            f"pii pattern {name}: {error.why}; use plain PCRE with bounded repeats, "
            "without look-around or back-references"
        ) from None
    return CustomDetectors(tuple(name.upper() for name in patterns), database)
