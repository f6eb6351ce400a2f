"""One teaching line for whatever the model refused: the name as written, the problem, the cure.

Alone reads pydantic's errors; never passes on a value that the law of its kind does not show.
"""

from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from abuse_gate.contract import ConfigError
from abuse_gate.settings.model import Route
from abuse_gate.settings.names import BY_FIELD
from abuse_gate.settings.sources import Given
from abuse_gate.settings.wording import did_you_mean, plain

_ROUTE_KEYS: Final = ", ".join(Route.model_fields)


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
    if error["type"] == "missing":
        return 'is missing; every route names its paths, such as path = "/v1/*"'
    if error["type"] == "extra_forbidden":
        guess = did_you_mean(str(error["loc"][-1]), Route.model_fields)
        return f"a route has no such key{guess or f'; it may have {_ROUTE_KEYS}'}"
    return str(error["msg"])
