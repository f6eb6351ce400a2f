"""The command line itself: finds the command, runs it, and turns what went wrong into one line."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

from abuse_gate.cli import audit, check, explain, incidents, rules, subjects
from abuse_gate.cli.paper import plain
from abuse_gate.contract import ConfigError
from abuse_gate.telemetry.policy_version import PACKAGE_VERSION

# A command is a module with `register(commands)`; the parser it adds names what to run.
COMMANDS: Final = (audit, incidents, explain, subjects, check, rules)
FINE: Final = 0
USAGE: Final = 2
INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None, commands: Sequence[Any] = COMMANDS) -> int:
    """Runs one command; 0 is fine, 1 is what the command looks for, 2 is a wrong question."""
    words = _spelled(sys.argv[1:] if arguments is None else arguments)
    given = _parser(commands).parse_args(words)
    try:
        return int(given.run(given))
    except ConfigError as error:
        _complain(str(error))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            # Whoever read our output has left; what Python would still flush goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return FINE
        _complain(f"{error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        return INTERRUPTED
    return USAGE


def _complain(what: str) -> None:
    # A file's name may hold what a terminal obeys.
    print(plain(f"abuse-gate: {what}"), file=sys.stderr)


def _spelled(arguments: Sequence[str]) -> list[str]:
    """`incidents explain ID` is the same as `explain ID`."""
    words = list(arguments)
    return words[1:] if words[:2] == ["incidents", "explain"] else words


def _parser(known: Sequence[Any]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="abuse-gate", description="Look at what an abuse gate has decided."
    )
    parser.add_argument("--version", action="version", version=f"abuse-gate {PACKAGE_VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in known:
        command.register(commands)
    return parser
