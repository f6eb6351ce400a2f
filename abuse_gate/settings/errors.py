"""One teaching line for whatever the model refused: the name as written, the problem, the cure.

Alone reads pydantic's errors; never passes on a value that the law of its kind does not show.
"""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from abuse_gate.contract import ConfigError
from abuse_gate.settings.model import Route, Tenant
from abuse_gate.settings.names import BY_FIELD
from abuse_gate.settings.sources import Given
from abuse_gate.settings.wording import did_you_mean, plain

# The tables inside a list: what one is called, its fields, and what to write when one is missing.
_LISTED: Final[Mapping[str, tuple[str, type[BaseModel], str]]] = {
    "routes": ("route", Route, 'every route names its paths, such as path = "/v1/*"'),
    "tenants": ("tenant", Tenant, 'every tenant has a name, such as name = "acme"'),
}
_NOWHERE: Final = _LISTED["routes"]


def teach(refused: ValidationError, givens: Mapping[str, Given]) -> ConfigError:
    """The first thing that is wrong, in the words of the person who wrote it."""
    error = refused.errors(include_url=False)[0]
    context = error.get("ctx", {})
    loc = error["loc"] or _blamed(context.get("fields", ()), givens)
    field = str(loc[0])
    given = givens[field]
    label = f"{given.name}{_path(loc[1:])}{context.get('shown', '')}{given.place}"
    hint = BY_FIELD[field].hint
    problem = f"{_problem(error)}; {hint}" if hint else _problem(error)
    return ConfigError(f"{label}: {problem}")


def _blamed(fields: tuple[str, ...], givens: Mapping[str, Given]) -> tuple[int | str, ...]:
    # A default cannot be at fault: of two values that clash, one was given.
    return tuple(field for field in fields if field in givens)[:1]


def _path(loc: tuple[int | str, ...]) -> str:
    return "".join(f" {step + 1}" if isinstance(step, int) else f" {plain(step)}" for step in loc)


def _problem(error: ErrorDetails) -> str:
    what, model, missing = _LISTED.get(str(error["loc"][0] if error["loc"] else ""), _NOWHERE)
    if error["type"] == "missing":
        return f"is missing; {missing}"
    if error["type"] == "extra_forbidden":
        guess = did_you_mean(str(error["loc"][-1]), model.model_fields)
        keys = ", ".join(model.model_fields)
        return f"a {what} has no such key{guess or f'; it may have {keys}'}"
    return str(error["msg"])
