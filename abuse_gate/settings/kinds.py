"""What a value may be: one small class for each kind, used by the model, the errors and the table.

A kind reads what a person wrote (environment text, TOML value, Python object) into the value the
code uses, or says in words what is wrong. Messages never hold the value itself.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, ClassVar, Final

from pydantic import GetCoreSchemaHandler, SecretStr
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from abuse_gate.settings.wording import did_you_mean, short

_SWITCH_WORDS: Final[Mapping[str, str]] = {
    "true": "on",
    "yes": "on",
    "1": "on",
    "false": "off",
    "no": "off",
    "0": "off",
}
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}\Z")
_ADAPTER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
_KEY: Final = re.compile(r"[\x21-\x7e]+\Z")
BUILT_IN_ADAPTERS: Final = ("none", "openai", "anthropic", "azure")


class Wrong(ValueError):
    """A value breaks the law of its kind: the problem and the cure, never the value."""


def refusal(problem: str, shown: str = "", fields: tuple[str, ...] = ()) -> PydanticCustomError:
    """The one shape in which the model refuses a value."""
    context = {"problem": problem, "shown": shown, "fields": fields}
    return PydanticCustomError("setting", "{problem}", context)


class Kind(ABC):
    """The law of one sort of value; `words` says it to a person."""

    words: str
    hidden: ClassVar[bool] = False

    @abstractmethod
    def read(self, value: object) -> object:
        """The value the code uses, or Wrong."""

    def show(self, value: object) -> str:
        """What a message may show of a value; nothing of a secret."""
        return "" if self.hidden else f" = {short(value)}"

    def check(self, value: object, fields: tuple[str, ...] = ()) -> object:
        """The value read, or the model's refusal."""
        try:
            return self.read(value)
        except Wrong as wrong:
            problem = str(wrong)
        raise refusal(problem, self.show(value), fields)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._enter, handler(source))

    def _enter(self, value: object) -> object:
        return self.check(value)


def clean(value: object, words: str) -> str:
    """Stripped, non-empty text that can be written as UTF-8 and holds no control characters."""
    if not isinstance(value, str):
        raise Wrong(f"not text; give {words}")
    text = value.strip()
    if not text:
        raise Wrong(f"empty; give {words}")
    if not text.isprintable():
        raise Wrong(f"holds characters that cannot be printed; give {words}")
    return text


class Choice(Kind):
    """One of a few words, in any case, with spaces around it forgiven."""

    def __init__(self, allowed: tuple[str, ...]) -> None:
        self.allowed = allowed
        self.words = ", ".join(allowed)

    def read(self, value: object) -> str:
        """The allowed word that was meant."""
        word = self._word(value)
        if word not in self.allowed:
            raise Wrong(f"not one of {self.words}{did_you_mean(word, self.allowed)}")
        return word

    def _word(self, value: object) -> str:
        return value.strip().lower() if isinstance(value, str) else ""


class Switch(Choice):
    """on or off, in any of the usual spellings."""

    def __init__(self) -> None:
        super().__init__(("on", "off"))

    def _word(self, value: object) -> str:
        if isinstance(value, bool):
            return "on" if value else "off"
        word = str(value) if isinstance(value, int) and value in {0, 1} else super()._word(value)
        return _SWITCH_WORDS.get(word, word)


class Whole(Kind):
    """A whole number within bounds; true and false are no numbers."""

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high
        self.words = f"a whole number from {low} to {high}"

    def read(self, value: object) -> int:
        """The number, when it lies within the bounds."""
        if isinstance(value, Mapping):
            raise Wrong("not a number; if the name before it holds dots, put it in quotes")
        number = self._number(value)
        if number is None:
            raise Wrong(f"not a whole number; give {self.words}")
        if not self.low <= number <= self.high:
            raise Wrong(f"out of range; give {self.words}")
        return number

    def _number(self, value: object) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str) and _WHOLE.match(value.strip()):
            return int(value)
        return None


class Number(Kind):
    """A number within bounds, with or without a fraction."""

    def __init__(self, low: float, high: float) -> None:
        self.low = low
        self.high = high
        self.words = f"a number from {low:g} to {high:g}"

    def read(self, value: object) -> float:
        """The number, when it lies within the bounds; not-a-number never does."""
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise Wrong(f"not a number; give {self.words}")
        try:
            number = float(value)
        except (ValueError, OverflowError):
            raise Wrong(f"not a number; give {self.words}") from None
        if not self.low <= number <= self.high:
            raise Wrong(f"out of range; give {self.words}")
        return number


class Adapter(Kind):
    """The name of a verifier: one of ours in any case, or a third party's as it registered it."""

    words = "none, openai, anthropic, azure, or the entry-point name of an installed adapter"

    def read(self, value: object) -> str:
        """The name; whether such an adapter is installed is found out by whoever loads it."""
        name = clean(value, self.words)
        if name.lower() in BUILT_IN_ADAPTERS:
            return name.lower()
        if not _ADAPTER.match(name):
            raise Wrong(f"not the name of an adapter; give {self.words}")
        return name


class Text(Kind):
    """Any printable text that is not empty."""

    def __init__(self, words: str = "text") -> None:
        self.words = words

    def read(self, value: object) -> str:
        """The text without spaces around it; a path is text too."""
        return clean(str(value) if isinstance(value, PurePath) else value, self.words)


class Secret(Kind):
    """A key long enough not to be guessed; never shown."""

    hidden = True

    def __init__(self, least: int, words: str = "") -> None:
        self.least = least
        self.words = words or f"a secret of at least {least} characters"

    def read(self, value: object) -> SecretStr:
        """The secret, wrapped so that its repr is masked."""
        text = clean(reveal(value), self.words)
        if len(text) < self.least:
            raise Wrong(f"too short; give {self.words}, such as `openssl rand -hex 32` prints")
        return SecretStr(text)


class ApiKey(Kind):
    """A provider's key: visible ASCII, because it travels in a header; never shown."""

    hidden = True
    words = "the key as the provider shows it"

    def read(self, value: object) -> SecretStr:
        """The key, when a header can carry it."""
        text = clean(reveal(value), self.words)
        if not _KEY.match(text):
            raise Wrong(f"holds a space or a character no header can carry; give {self.words}")
        return SecretStr(text)


class Foreign(Kind):
    """Text that may belong to another tool: kept as it is until its adapter is selected."""

    hidden = True
    words = "text"

    def read(self, value: object) -> str:
        """The text without spaces around it."""
        text = reveal(value)
        if not isinstance(text, str):
            raise Wrong("not text; give it in quotes")
        return text.strip()


def reveal(value: object) -> object:
    """What a masked secret holds; any other value as it is."""
    return value.get_secret_value() if isinstance(value, SecretStr) else value
