"""The command line itself: finds the command, runs it, and turns what went wrong into one line.

Imports the module of the command that was asked for and of no other: the rule engine alone takes
longer than most commands.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any, Final

from abuse_gate.cli.output import standard_output
from abuse_gate.cli.paper import plain
from abuse_gate.contract import ConfigError
from abuse_gate.telemetry.version import PACKAGE_VERSION

# A command is a module of this name with `register(parser)`, which says what may be given and
# what to run.
COMMANDS: Final[Mapping[str, str]] = {
    "audit": "check an audit trail; make a key to seal one",
    "incidents": "list what was decided, incidents first; or who changed which mode",
    "explain": "a timeline of one request by its incident id",
    "subjects": "look at callers' standings; lift or set one",
    "check": "what the rules say of a text: 0 safe, 1 unsafe, 3 unclear, 2 usage",
    "rules": "the rules, one of them, or a check of a pack",
}
USAGE: Final = 2
INTERRUPTED: Final = 130


def _module(name: str) -> Any:
    return import_module(f"abuse_gate.cli.{name}")


def main(
    arguments: Sequence[str] | None = None,
    commands: Mapping[str, str] = COMMANDS,
    load: Callable[[str], Any] = _module,
) -> int:
    """Runs one command; 0 is fine, 1 is what the command looks for, 2 is a wrong question."""
    words = _spelled(sys.argv[1:] if arguments is None else arguments)
    given = _parser(words, commands, load).parse_args(words)
    output = standard_output()
    try:
        with redirect_stdout(output):
            status = int(given.run(given))
        # Here, not when Python ends: whoever reads may have left.
        output.flush()
    except ConfigError as error:
        _complain(str(error))
    except OSError as error:
        _complain(f"{error.filename or 'standard output'}: {error.strerror}")
    except KeyboardInterrupt:
        return INTERRUPTED
    else:
        return status
    return USAGE


def _complain(what: str) -> None:
    # A file's name may hold what a terminal obeys.
    print(plain(f"abuse-gate: {what}"), file=sys.stderr)


def _spelled(arguments: Sequence[str]) -> list[str]:
    """`incidents explain ID` is the same as `explain ID`."""
    words = list(arguments)
    return words[1:] if words[:2] == ["incidents", "explain"] else words


def _parser(
    words: Sequence[str], known: Mapping[str, str], load: Callable[[str], Any]
) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="abuse-gate", description="Look at what an abuse gate has decided."
    )
    parser.add_argument("--version", action="version", version=f"abuse-gate {PACKAGE_VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, what in known.items():
        own = commands.add_parser(name, help=what)
        if name in words:
            load(name).register(own)
    return parser
