"""The door: environment, TOML file and keyword arguments in, frozen Settings or one line out.

pydantic-settings is not used: it reads the process environment by itself and cannot name a
variable that it does not know. Here alone a file is read, once, at start-up.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Final

from pydantic import ValidationError

from abuse_gate.contract import ConfigError
from abuse_gate.settings.errors import teach
from abuse_gate.settings.model import Settings
from abuse_gate.settings.sources import Given, Givens, from_environ, from_overrides, from_toml
from abuse_gate.settings.wording import findable, short

_FILE_PROBLEMS: Final[Mapping[type[OSError], str]] = {
    FileNotFoundError: "there is no such file",
    IsADirectoryError: "this is a directory",
    PermissionError: "this process may not read it",
}
_FILE_CURE: Final = "give the path of a readable TOML file, or unset it"


def read_file(path: str) -> str:
    """The text of a file in UTF-8, with or without a byte order mark."""
    return Path(path).read_bytes().decode("utf-8-sig")


def load_settings(
    environ: Mapping[str, str],
    overrides: Mapping[str, object] | None = None,
    *,
    read_text: Callable[[str], str] = read_file,
) -> Settings:
    """Keyword arguments over environment over TOML file over defaults, or a ConfigError."""
    keywords = from_overrides(overrides or {})
    variables = from_environ(environ)
    config = variables.pop("config", None)
    config = keywords.pop("config", config)
    filed = _from_file(config, read_text) if config else {}
    return _build(filed | variables | keywords)


def settings_from_env(**overrides: object) -> Settings:
    """The settings of this process."""
    return load_settings(os.environ, overrides)


def _build(givens: Givens) -> Settings:
    try:
        return Settings.model_validate({field: given.value for field, given in givens.items()})
    except ValidationError as refused:
        lesson = teach(refused, givens)
    # Outside the handler, so that pydantic's error (which holds the values) is not even chained.
    raise lesson


def _from_file(config: Given, read_text: Callable[[str], str]) -> Givens:
    if not isinstance(config.value, str | PurePath) or not str(config.value).strip():
        raise ConfigError(f"{config.name} = {short(config.value)}: not a path; {_FILE_CURE}")
    path = str(config.value).strip()
    try:
        text = read_text(path)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problem = f"line {line} is not UTF-8 text; save the file as UTF-8"
    except (OSError, ValueError) as error:
        known = (words for kind, words in _FILE_PROBLEMS.items() if isinstance(error, kind))
        problem = f"{next(known, 'it cannot be read')}; {_FILE_CURE}"
    else:
        return from_toml(text, path)
    raise ConfigError(f"{config.name} = {findable(path)}: {problem}")
