"""`abuse-gate subjects`: who has strikes, who serves a term, and how to lift or set one."""

import argparse
import asyncio
import getpass
import json
import logging
import sys
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from abuse_gate.contract import ConfigError
from abuse_gate.model.standing import Subject
from abuse_gate.remembering import OpenSubjects, open_subjects
from abuse_gate.settings import settings_from_env
from abuse_gate.stores.operators import (
    DEFAULT_LIMIT,
    SETTABLE,
    Subjects,
    UnknownSubjectError,
    subject_shape,
)

FINE, NOTHING = 0, 1

Found = TypeVar("Found")
Work = Callable[[Subjects], Awaitable[Found]]


def register(parser: argparse.ArgumentParser) -> None:
    """What may be given, and what to run."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    listed = actions.add_parser("list", help="callers of whom something is remembered")
    listed.add_argument("--limit", type=int, default=DEFAULT_LIMIT)
    listed.add_argument("--json", action="store_true", help="one JSON object a line")
    listed.set_defaults(run=_list)
    shown = actions.add_parser("show", help="all there is to see of one")
    shown.add_argument("subject")
    shown.set_defaults(run=_show)
    found = actions.add_parser("find", help="whose incident it was")
    found.add_argument("incident")
    found.set_defaults(run=_find)
    lifted = actions.add_parser("lift", help="forget strikes and modes of one, in every worker")
    lifted.add_argument("subject")
    lifted.add_argument("--reason", required=True, help="stands in the audit trail")
    lifted.set_defaults(run=_lift)
    put = actions.add_parser("set", help="put a mode on one")
    put.add_argument("subject")
    put.add_argument("mode", choices=SETTABLE)
    put.add_argument("--seconds", type=float, help="as strikes would bring it, unless given")
    put.add_argument("--reason", required=True, help="stands in the audit trail")
    put.set_defaults(run=_set)


def _list(given: argparse.Namespace) -> int:
    found = _done(lambda subjects: subjects.list(given.limit))
    _print(found, as_json=given.json)
    return FINE if found else NOTHING


def _show(given: argparse.Namespace) -> int:
    found = _done(lambda subjects: subjects.show(given.subject))
    _print([found] if found else [], as_json=True)
    return FINE if found else _missing(given.subject)


def _find(given: argparse.Namespace) -> int:
    found = _done(lambda subjects: subjects.find(given.incident.strip().lower()))
    for subject in found:
        print(plain(subject))
    return FINE if found else _missing(given.incident)


def _lift(given: argparse.Namespace) -> int:
    async def work(subjects: Subjects) -> str:
        name = await subjects.named(given.subject)
        await subjects.lift(name, reason=given.reason, actor=operator())
        return f"{name}: normal"

    return _changed(work, given.subject)


def _set(given: argparse.Namespace) -> int:
    async def work(subjects: Subjects) -> str:
        name = await subjects.named(given.subject)
        standing = await subjects.set(
            name, given.mode, reason=given.reason, seconds=given.seconds, actor=operator()
        )
        return f"{name}: {standing.mode} for {standing.seconds:.0f} s"

    return _changed(work, given.subject)


def _changed(work: Work[str], subject: str) -> int:
    """Makes a change; standard error gets the head by which its record would be missed."""
    audit = logging.getLogger("abuse_gate.audit")
    shown, level = logging.StreamHandler(sys.stderr), audit.level
    audit.addHandler(shown)
    audit.setLevel(logging.INFO)
    try:
        print(_done(work, changes=True))
    except UnknownSubjectError:
        return _missing(subject)
    finally:
        audit.removeHandler(shown)
        audit.setLevel(level)
    return FINE


def _missing(what: str) -> int:
    print(f"{plain(what)}: not found", file=sys.stderr)
    return NOTHING


def operator(name: Callable[[], str] = getpass.getuser) -> str:
    """Who is at the terminal; in a container there may be no name for that."""
    try:
        return name()
    except (KeyError, OSError):
        return ""


def plain(text: str) -> str:
    """A text out of the store for a terminal: on one line, and without codes that move it."""
    return text if text.isprintable() and text.isascii() else ascii(text)[1:-1]


def _done(work: Work[Found], *, changes: bool = False) -> Found:
    settings = settings_from_env()
    # Whoever only looks needs no audit trail, and may not be allowed to write one.
    kept = settings if changes else settings.model_copy(update={"audit_path": None})
    return asyncio.run(_with_store(work, open_subjects(kept)))


async def _with_store(work: Work[Found], opened: OpenSubjects) -> Found:
    try:
        return await work(opened.subjects)
    except UnknownSubjectError:
        raise
    except ValueError as error:
        raise ConfigError(str(error)) from None
    except Exception as error:  # noqa: BLE001 - whatever a store raises
        # The type alone: a message may quote the store's address.
        raise ConfigError(f"the store does not answer: {type(error).__name__}") from None
    finally:
        await opened.aclose()


def _print(found: Iterable[Subject], *, as_json: bool) -> None:
    for subject in found:
        standing = subject.standing
        if as_json:
            print(json.dumps(subject_shape(subject)))
            continue
        left = f"{standing.seconds:.0f} s" if standing.seconds else "-"
        print(f"{plain(subject.id)}  {standing.mode}  {left}  strikes={standing.strikes}")
