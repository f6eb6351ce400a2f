"""An action inside the process, as the app describes it, to an Extract. Never raises."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, TypeGuard

from abuse_gate.model.context import Block
from abuse_gate.model.extract import Extract, Segment
from abuse_gate.reading.arguments import argument_strings
from abuse_gate.reading.media import open_data_url
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.objects import WHOLE, spoken
from abuse_gate.reading.request import ReadingOptions

# Stands for something that the agent has read and we cannot.
UNREADABLE: Final = Block("[something that could not be read]")


def read_action(tool: object, arguments: object, context: object, goal: object) -> Extract:
    """A pending call among the texts that led to it; the goal, its own word, comes last."""
    notes = Notes(ReadingOptions(), "problem")
    name = tool if isinstance(tool, str) else ""
    notes.call(name, _texts(notes, arguments), pending=True, context_known=True)
    said = goal if isinstance(goal, str) else "\n".join(spoken(goal).texts)
    own = (Segment(said, "user", "trusted"),) if said else ()
    found = tuple(islice(_segments(notes, context), notes.max_documents))
    read = notes.extract(0)
    return read._replace(segments=(*found, *read.segments, *own), modalities=("text",))


def unread_action() -> Extract:
    """What is left of an action that we failed to read: unknown, tainted, and said to be unread."""
    found = read_action("", None, (UNREADABLE,), "")
    return found._replace(flags=frozenset({"truncated"}))


def _texts(notes: Notes, arguments: object) -> list[str]:
    if isinstance(arguments, str):
        # As far as any other value is read; the rest is said to be missing.
        notes.bounded(deep=False, cut=len(arguments) > WHOLE.chars)
        return argument_strings(notes, arguments[: WHOLE.chars])
    said = spoken(arguments)
    notes.flags |= said.flags
    for text in said.texts:
        # A file among the arguments is opened, and stays an argument.
        open_data_url(notes, text)
    return said.texts


def _segments(notes: Notes, context: object) -> Iterator[Segment]:
    """The blocks of a context; what is no block and no text counts by the texts in it."""
    if context is None:
        return
    try:
        for given in context if _is_many(context) else (context,):
            yield (given if isinstance(given, Block) else _block(notes, given)).segment
    except Exception:  # noqa: BLE001 - any iterable of the app's may stand there
        notes.flags.add("truncated")
        yield UNREADABLE.segment


def _is_many(context: object) -> TypeGuard[Iterable[object]]:
    return isinstance(context, Iterable) and not isinstance(context, str | bytes)


def _block(notes: Notes, given: object) -> Block:
    if isinstance(given, str):
        return Block(given)
    said = spoken(given)
    notes.flags |= said.flags
    return Block("\n".join(said.texts)) if said.texts else UNREADABLE
