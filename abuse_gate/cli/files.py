"""Which files a command reads: those that were named, or those that the gate writes."""

from collections.abc import Sequence
from pathlib import Path

from abuse_gate.contract import ConfigError
from abuse_gate.settings import settings_from_env
from abuse_gate.telemetry.audit.files import trail_files


def files_of(named: Sequence[Path]) -> list[Path]:
    """The files behind what was named; a path that a gate writes to stands for all its files."""
    if not named:
        configured = settings_from_env().audit_path
        if configured is None:
            raise ConfigError("name a file, or set ABUSE_GATE_AUDIT_PATH")
        named = [Path(configured)]
    found = dict.fromkeys(path for each in named for path in _behind(each))
    if not found and named[0].is_dir():
        raise ConfigError(
            f"{named[0]}: there is no file of a trail in this folder (*.jsonl, *.json)"
        )
    if not found:
        raise ConfigError(f"{named[0]}: there is no such file, and no trail of that name")
    return list(found)


def _behind(path: Path) -> list[Path]:
    if path.is_dir():
        kept = (each for each in path.iterdir() if each.suffix in (".jsonl", ".json"))
        return sorted(each for each in kept if each.is_file())
    # Both: a file of that very name must not hide the trail.
    return [*([path] if path.exists() else []), *trail_files(path)]
