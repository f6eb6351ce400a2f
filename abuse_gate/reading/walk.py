"""Every string of a JSON value, keys included, without recursion on the sender's depth.

Knows no shape; the words below are the only strings that a recognised shape may pass over.
"""

from collections.abc import Collection, Iterator
from typing import Final

from abuse_gate.model.extract import Origin
from abuse_gate.reading.charcodes import spelled
from abuse_gate.reading.jsontext import Doubled, Json, Member, children
from abuse_gate.reading.media import open_data_url
from abuse_gate.reading.notes import Notes

# Envelope keys and constant values of the recognised shapes: words that carry no message.
_ENVELOPE: Final = """
    2.0 arguments assistant auto call_id content custom description developer document file
    frequency_penalty function function_call function_call_output id image image_url input
    input_audio input_file input_image input_schema input_text instructions integer json_object
    json_schema jsonrpc logprobs max_completion_tokens max_output_tokens max_tokens message
    messages metadata method model n name none number object output output_text parameters params
    presence_penalty prompt properties reasoning refusal required response_format role seed source
    stop stop_sequences store stream stream_options string strict system temperature text thinking
    tool tool_call_id tool_calls tool_choice tool_result tool_use tool_use_id tools top_k top_p
    type user
"""
WORDS: Final = frozenset(_ENVELOPE.split())
NOTHING: Final[frozenset[str]] = frozenset()


# The keys under which a word of the envelope is a constant.
CONSTANT_KEYS: Final = frozenset({"jsonrpc", "object", "role", "type"})


class _End:
    """The end of one container."""


_END: Final = (None, _End())


def walked(notes: Notes, value: Json) -> list[tuple[str, bool]]:
    """Every string in document order, and whether it is a key; what lies too deep is a flag."""
    if isinstance(value, str):
        return [(value, False)]
    found: list[tuple[str, bool]] = []
    stack: list[Iterator[Member]] = []
    if isinstance(value, dict | list):
        stack.append(children(value))
        _count_out(found, value)
    while stack:
        key, item = next(stack[-1], _END)
        if key is not None:
            found.append((key, True))
        if isinstance(item, str):
            found.append((item, False))
        elif isinstance(item, _End):
            stack.pop()
        elif isinstance(item, dict | list):
            _descend(notes, stack, item)
            _count_out(found, item)
    return found


def _count_out(found: list[tuple[str, bool]], item: dict[str, Json] | list[Json]) -> None:
    """Take what the numbers of a container spell for one more string of it."""
    text = spelled(item)
    if text:
        found.append((text, False))


def strings(notes: Notes, value: Json) -> list[str]:
    """Every string in document order, keys included."""
    return [text for text, _ in walked(notes, value)]


def _descend(
    notes: Notes, stack: list[Iterator[Member]], item: dict[str, Json] | list[Json]
) -> None:
    if len(stack) < notes.max_depth:
        stack.append(children(item))
    else:
        notes.flags.add("too_deep")


def say(notes: Notes, value: Json, origin: Origin) -> None:
    """Take down every string of a value as the words of one origin, but for known keys inside."""
    if isinstance(value, str):
        if not open_data_url(notes, value):
            notes.add(value, origin)
        return
    for text, is_key in walked(notes, value):
        if not (is_key and text in WORDS) and not open_data_url(notes, text):
            notes.add(text, origin)


def fields(notes: Notes, value: Json, omit: Collection[str] = NOTHING) -> None:
    """Take down every string of a value as a field, but for the keys of a known envelope."""
    for text, is_key in walked(notes, value):
        if is_key:
            if text not in omit:
                notes.key(text)
        elif not open_data_url(notes, text):
            notes.field(text)


def rest(notes: Notes, holder: dict[str, Json], taken: Collection[str]) -> None:
    """Take down what a shape does not know: every other key and value, shadowed ones included."""
    for key, value in holder.items():
        if key not in taken:
            member(notes, key, value)
    if isinstance(holder, Doubled):
        for key, value in holder.shadowed:
            member(notes, key, value)


def is_constant(key: str, value: str) -> bool:
    """Whether a value is a word of the envelope where one belongs: elsewhere it is a text's."""
    return key in CONSTANT_KEYS and value in WORDS


def member(notes: Notes, key: str, value: Json) -> None:
    """Take down one member that no shape knows."""
    if key not in WORDS:
        notes.key(key)
    if isinstance(value, str):
        if not is_constant(key, value) and not open_data_url(notes, value):
            notes.field(value)
    elif isinstance(value, dict | list):
        fields(notes, value, WORDS)
