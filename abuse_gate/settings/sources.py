"""What was given, by whom, under which name: environment, TOML text and keyword arguments.

Alone decides which names are known. Looks at no value: that is the model's task.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeGuard

from abuse_gate.contract import ConfigError
from abuse_gate.settings.names import (
    BY_ENV,
    BY_FIELD,
    BY_TABLE,
    OWN_TABLE,
    PREFIX,
    SERVICE_LINK,
    Name,
)
from abuse_gate.settings.wording import did_you_mean, findable, nearest, plain

_NEAR_MISS: Final = 0.8
# What a tenant may have of its own: every variable of a provider.
_TENANT_ENV: Final = frozenset(
    env for env in BY_ENV if env.startswith(("OPENAI_", "ANTHROPIC_", "AZURE_"))
)
_LINE: Final = re.compile(r"at line (\d+), column (\d+)")
_PUNCTUATION: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, repr=False)
class Given:
    """A value that somebody gave, with the name and the place where it was written."""

    value: object
    name: str
    place: str = ""

    def __repr__(self) -> str:
        return f"Given({self.name}{self.place})"


Givens = dict[str, Given]


def from_environ(environ: Mapping[str, str]) -> Givens:
    """The settings among the variables; blank is unset, and a name of ours must be known."""
    found = {name: value for name, value in environ.items() if value.strip()}
    for name in sorted(found):
        if name not in BY_ENV:
            _refuse_variable(name)
    givens = {
        BY_ENV[name].field: Given(value, name) for name, value in found.items() if name in BY_ENV
    }
    tenants = _tenant_variables(found)
    return givens | {"tenant_variables": Given(tenants, "tenant variables")} if tenants else givens


def _tenant_variables(found: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """`OPENAI_API_KEY__ACME` is the OPENAI_API_KEY of the tenant acme."""
    tenants: dict[str, dict[str, str]] = {}
    for name, value in found.items():
        variable, mark, tenant = name.partition("__")
        if mark and tenant and variable in _TENANT_ENV:
            tenants.setdefault(tenant.lower(), {})[variable.lower()] = value.strip()
    return tenants


def _refuse_variable(name: str) -> None:
    upper = name.upper()
    if upper.startswith(PREFIX) and not SERVICE_LINK.match(upper):
        raise ConfigError(f"{plain(name)}: there is no such variable{_variable_cure(upper)}")
    if not upper.startswith("VERIFIER_"):
        return
    known = nearest(upper, (env for env in BY_ENV if env.startswith("VERIFIER_")), _NEAR_MISS)
    if known:
        raise ConfigError(
            f"{plain(name)}: there is no such variable; did you mean {known!r}? "
            "If it belongs to another tool, rename it there"
        )


def _variable_cure(upper: str) -> str:
    named = BY_FIELD.get(upper.removeprefix(PREFIX).lower())
    if named and named.env is None:
        return f"; set {named.key} in [{named.table}] of the file that ABUSE_GATE_CONFIG names"
    if named:
        return f"; write {named.env}"
    # The prefix is the same everywhere: only what follows it can be near or far.
    own = [env.removeprefix(PREFIX) for env in BY_ENV if env.startswith(PREFIX)]
    guess = nearest(upper.removeprefix(PREFIX), own)
    if guess:
        return f"; did you mean {PREFIX + guess!r}?"
    return "; remove it, or look it up in the README's table of settings"


def from_overrides(overrides: Mapping[str, object]) -> Givens:
    """The keyword arguments that were given; None is not given."""
    for name in overrides:
        if name not in BY_FIELD:
            guess = did_you_mean(name, BY_FIELD) or "; remove it"
            raise ConfigError(f"keyword argument {plain(name)}: there is no such setting{guess}")
    return {
        name: Given(value, f"keyword argument {name}")
        for name, value in overrides.items()
        if value is not None
    }


def from_toml(text: str, file: str) -> Givens:
    """The settings in a TOML text; other tables belong to the app and are left alone."""
    document = _parse(text, file)
    _refuse_misspelt_table(document, file)
    found: Givens = {}
    for table, names in BY_TABLE.items():
        found |= _from_table(_descend(document, table, file), table, names, file)
    return found


def _parse(text: str, file: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        problem = _toml_problem(str(error), text)
    raise ConfigError(f"{findable(file)}: not valid TOML {problem}")


def _toml_problem(message: str, text: str) -> str:
    # Only the place is taken from the parser's words: the rest may quote the file.
    place = _LINE.search(message)
    if place:
        return (
            f"at line {place[1]}, column {place[2]}; look there for a missing quote, bracket or ="
        )
    if "end of document" in message:
        return f"at its end, line {text.count(chr(10)) + 1}; close the last quote or bracket"
    return "because a number is too long or the nesting too deep; write it simpler"


def _refuse_misspelt_table(document: Mapping[str, object], file: str) -> None:
    wanted = _PUNCTUATION.sub("", OWN_TABLE)
    for key in document:
        if key != OWN_TABLE and _PUNCTUATION.sub("", key).lower() == wanted:
            raise ConfigError(f"[{plain(key)}] in {findable(file)}: write it as [{OWN_TABLE}]")


def _descend(document: Mapping[str, object], table: str, file: str) -> Mapping[str, object]:
    here = document
    for step in table.split("."):
        inner = here.get(step, {})
        if not _is_table(inner):
            raise ConfigError(f"{step} in {findable(file)}: not a table; write it as [{table}]")
        here = inner
    return here


def _from_table(
    given: Mapping[str, object], table: str, names: Mapping[str, Name], file: str
) -> Givens:
    place = f" in [{table}] of {findable(file)}"
    for key in given:
        if key not in names:
            raise ConfigError(f"{plain(key)}{place}: there is no such key{_key_cure(key, names)}")
    return {names[key].field: Given(value, key, place) for key, value in given.items()}


def _key_cure(key: str, names: Mapping[str, Name]) -> str:
    for table, others in BY_TABLE.items():
        if key in others:
            return f"; it belongs in [{table}]"
    return did_you_mean(key, names) or f"; the keys there are {', '.join(sorted(names)[:6])} …"


def _is_table(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)
