"""What Azure's content filter wrote beside an answer: read strictly, in every spelling it has.

Knows neither requests nor verdicts of a model.
"""

from collections.abc import Mapping
from typing import Final

from abuse_gate.verify.kit.replies import flag, record, rows

# Where an annotation hangs; the second is what a filter that was down has been seen to write.
PLACES: Final = ("content_filter_results", "content_filter_result")
# What an annotation must say of any category for the request to be unsafe.
SIGNS: Final = ("filtered", "detected")
# A filter that only annotates says so by this alone.
WORST: Final = "high"

Note = Mapping[str, object]


def annotations(reply: Mapping[str, object]) -> list[Note]:
    """What the filter wrote about the prompt, and about the answer; one map of categories each."""
    noted: object = reply.get("prompt_filter_results")
    prompts = [] if noted in (None, []) else [record(row) for row in rows(noted)]
    answers = [record(row) for row in rows(reply.get("choices"))]
    found = [holder.get(place) for holder in (*prompts, *answers) for place in PLACES]
    return [record(results) for results in found if results is not None]


def says(note: Note) -> bool:
    """Whether any category of an annotation was filtered, detected or of the highest severity."""
    return any(
        held.get("severity") == WORST or any(flag(held.get(sign, False)) for sign in SIGNS)
        for held in _categories(note)
    )


def is_down(note: Note) -> bool:
    """Whether the filter, or its part for any category, says that it did not look."""
    return any(held.get("error") is not None for held in (note, *_categories(note)))


def _categories(note: Note) -> list[Note]:
    """What is said of each category; of blocklists there may be a row for each list."""
    found: list[Note] = []
    for name, held in note.items():
        if name == "error" or held == []:
            continue
        found += map(record, rows(held) if _is_list(held) else [held])
    return found


def _is_list(value: object) -> bool:
    return isinstance(value, list)
