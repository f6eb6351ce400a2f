"""Values of the app's own: every text in them is read, and what is not read is said."""

import enum
import json
from collections import deque
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

import pydantic
import pytest

from abuse_gate.reading.objects import Bounds, is_small, spoken

MARK: Final = "the mark"
OPAQUE: Final = "opaque_media_noninterpretable"


@dataclass
class Shown:
    text: str
    hidden: str = field(default=MARK, repr=False)


class Plain:
    def __init__(self, text: str) -> None:
        self.text = text


class Slotted:
    __slots__ = ("_unset", "text")

    def __init__(self, text: str) -> None:
        self.text = text


class OneSlot:
    __slots__ = "text"  # noqa: PLC0205 - people write it so

    def __init__(self, text: str) -> None:
        self.text = text


class Model(pydantic.BaseModel, extra="allow"):
    text: str


class Speaking:
    __slots__ = ()

    def __str__(self) -> str:
        return MARK


class Raising:
    def __str__(self) -> str:
        raise SystemError("canary")


class Colour(enum.Enum):
    RED = MARK


class Word(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "harmless"


def circle() -> list[Any]:
    found: list[Any] = [MARK]
    found.append(found)
    return found


def noted() -> Exception:
    error = ValueError("outer")
    error.add_note(MARK)
    return error


def caused() -> Exception:
    error = ValueError("outer")
    error.__cause__ = KeyError(MARK)
    return error


READ: Final[dict[str, Any]] = {
    "text": MARK,
    "a text that says something else": Word(MARK),
    "key": {MARK: 1},
    "tuple as key": {("a", MARK): 1},
    "bytes as key": {MARK.encode(): 1},
    "set": {MARK},
    "deque": deque([MARK]),
    "bytes": MARK.encode(),
    "bytearray": bytearray(MARK.encode()),
    "memoryview": memoryview(MARK.encode()),
    "utf-16": MARK.encode("utf-16-le"),
    "circle": circle(),
    "dataclass": Shown("x"),
    "object": Plain(MARK),
    "slots": Slotted(MARK),
    "one slot": OneSlot(MARK),
    "model": Model(text=MARK),
    "more than the model says": Model.model_validate({"text": "x", "more": MARK}),
    "path": PurePosixPath(MARK),
    "what it says": Speaking(),
    "enum": Colour.RED,
    "exception": ValueError(MARK),
    "note of an exception": noted(),
    "cause of an exception": caused(),
}


@pytest.mark.parametrize("name", READ)
def test_every_text_of_a_value_is_read(name: str) -> None:
    said = spoken({"x": [READ[name], "after"]})
    assert MARK in " ".join(said.texts)
    assert said.texts[-1] == "after"
    assert said.flags == set()


UNREAD: Final[dict[str, tuple[Any, set[str]]]] = {
    "raises": (Raising(), {"truncated"}),
    "generator": ((text for text in ["x"]), {"truncated"}),
    "iterator": (iter(["x"]), {"truncated"}),
    "nothing to read": (object(), {OPAQUE}),
    "function": (spoken, {OPAQUE}),
    "no text": (b"\xff\xfe\x00\xd8\x80", {OPAQUE}),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_read_is_said_and_the_rest_is_read(name: str) -> None:
    value, flags = UNREAD[name]
    said = spoken(["before", value, "after"])
    assert said.flags == flags
    assert (said.texts[0], said.texts[-1]) == ("before", "after")


def test_an_iterator_is_left_to_whoever_it_is_meant_for() -> None:
    given = iter(["x"])
    spoken(given)
    assert list(given) == ["x"]


def test_numbers_have_no_text() -> None:
    assert spoken([None, True, 1, 2.0, 3j, range(9)]).texts == []


@pytest.mark.parametrize("depth", [100, 101, 983, 984, 985, 50_000])
def test_depth_is_bounded_and_what_stands_higher_is_read(depth: int) -> None:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    said = spoken({"deep": value, "command": MARK})
    assert said.texts == ["deep", "command", MARK]
    assert said.flags == ({"too_deep"} if depth > 98 else set())


@pytest.mark.parametrize(
    ("value", "texts"),
    [("x" * 11, ["x" * 10]), (["a"] * 9, ["a"] * 4), ([b"x" * 50], ["x" * 10])],
)
def test_bounds_are_kept_and_said(value: Any, texts: list[str]) -> None:
    bounds = Bounds(nodes=5, chars=10)
    said = spoken(value, bounds)
    assert (said.texts, said.flags) == (texts, {"truncated"})
    assert not is_small(value, bounds)
    assert is_small(["a", "b"], bounds)


def test_a_value_of_json_is_read_as_its_text_is() -> None:
    value = {"a": ["b", {"c": None, "d": "e"}], "f": ""}
    assert spoken(json.loads(json.dumps(value))).texts == ["a", "b", "c", "d", "e", "f"]
