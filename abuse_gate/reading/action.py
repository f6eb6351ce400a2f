"""An action inside the process, as the app describes it, to an Extract. Never raises."""

import json
from collections.abc import Iterable
from typing import Any

from abuse_gate.model.extract import Extract, Segment
from abuse_gate.reading.arguments import argument_strings
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.request import ReadingOptions


def read_action(tool: str, arguments: Any, context: Iterable[Segment], goal: str) -> Extract:
    """A pending call among the texts that led to it; the goal, its own word, comes last."""
    notes = Notes(ReadingOptions(), "problem")
    notes.call(tool, _texts(notes, arguments), pending=True, context_known=True)
    own = (Segment(goal, "user", "trusted"),) if goal else ()
    return notes.extract(0)._replace(segments=(*context, *own), modalities=("text",))


def _texts(notes: Notes, arguments: Any) -> list[str]:
    if arguments is None or isinstance(arguments, str):
        return argument_strings(notes, arguments)
    try:
        plain = json.loads(json.dumps(arguments, default=str))
    except Exception:  # noqa: BLE001 - any object of the app's may stand in there
        notes.flags.add("malformed")
        return []
    return argument_strings(notes, plain) if not isinstance(plain, str) else [plain]
