"""A tool call's name and arguments on the wire, to its name and every string in them.

Arguments are a JSON value or a JSON text; a text that is no JSON stands for itself.
"""

from typing import Final

from abuse_gate.model.extract import EITHER
from abuse_gate.reading.jsontext import Doubled, Json, parse, word
from abuse_gate.reading.media import open_data_url
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.walk import strings

# Where the wire formats put a call's arguments.
ARGUMENT_KEYS: Final = ("arguments", "input", "action", "parameters", "args", "queries", "code")


def argument_strings(notes: Notes, value: Json) -> list[str]:
    """Every string of the arguments, keys included, whether given as a value or as JSON text."""
    texts = _argument_strings(notes, value)
    for text in texts:
        # A file among the arguments is opened, and stays an argument.
        open_data_url(notes, text)
    return texts


def _argument_strings(notes: Notes, value: Json) -> list[str]:
    if not isinstance(value, str):
        return strings(notes, value)
    parsed = parse(value, max_documents=1)
    notes.bounded(deep=parsed.deep, cut=parsed.cut)
    if not parsed.whole:
        return [value]
    found = strings(notes, parsed.documents)
    return found if isinstance(parsed.documents[0], dict | list) else [value, *found]


def call_parts(notes: Notes, holder: dict[str, Json]) -> tuple[str, list[str], set[str]]:
    """The name, the texts, and the keys of the holder that these were taken from."""
    name = call_name(holder)
    taken: set[str] = {key for key in ARGUMENT_KEYS if key in holder}
    texts: list[str] = []
    for key in ARGUMENT_KEYS:
        texts += argument_strings(notes, holder.get(key))
    if isinstance(holder.get("name"), str):
        return name, texts, taken | {"name"}
    return name, texts, taken


def call_name(holder: dict[str, Json]) -> str:
    """The name of a call, all of them where the key stands twice; none that is no string."""
    name = word(holder.get("name"))
    if not isinstance(holder, Doubled):
        return name
    shadowed = [word(value) for key, value in holder.shadowed if key == "name"]
    return EITHER.join([*shadowed, name])
