"""The settings in words: a table of all of them for readers, one line of the policy for logs.

Both are made from the tables that the code itself looks up; neither ever shows a secret.
"""

from typing import Final

from abuse_gate.settings.inert import INERT
from abuse_gate.settings.kinds import Kind
from abuse_gate.settings.model import PROVIDER_LAWS, Settings, kind_of
from abuse_gate.settings.names import CONFIG, NAMES, Name

_DESCRIBED: Final = ("mode", "plan", "on_unclear", "on_unread", "headers", "wire_roles")


def settings_table() -> str:
    """A Markdown table of every setting: name, values, default, meaning."""
    rows = ["| setting | values | default | meaning |", "| --- | --- | --- | --- |"]
    rows += [
        f"| {_label(name)} | {_words(name)} | {_default(name)} | {_meaning(name)} |"
        for name in NAMES
    ]
    return "\n".join(rows) + "\n"


def describe(settings: Settings, by_hand: str = "") -> str:
    """The effective policy in one line, fit for a log; an adapter given by hand has its name."""
    words = [f"verifier={by_hand or settings.verifier_adapter}"]
    words += [f"{name}={getattr(settings, name)}" for name in _DESCRIBED]
    words.append(f"include={_count(settings.include, 'everything')}")
    words.append(f"exclude={_count(settings.exclude, 'nothing')}")
    words.append(f"routes={len(settings.routes)}")
    return " ".join(words)


def _count(globs: tuple[str, ...], none: str) -> str:
    return f"{len(globs)} globs" if globs else none


def _label(name: Name) -> str:
    return f"`{name.env}`" if name.env else f"`{name.key}` in `[{name.table}]`"


def _meaning(name: Name) -> str:
    return f"{name.meaning} (no effect yet)" if name.field in INERT else name.meaning


def _words(name: Name) -> str:
    return "a path" if name is CONFIG else law_of(name.field).words


def law_of(field: str) -> Kind:
    """The law of a field while it counts: a provider's variable obeys the law of its adapter."""
    laws = {name: kind for fields in PROVIDER_LAWS.values() for name, kind in fields.items()}
    return laws.get(field) or kind_of(Settings.model_fields[field])


def _default(name: Name) -> str:
    if name.default:
        return name.default
    default = Settings.model_fields[name.field].default
    return f"{default:g}" if isinstance(default, float) else str(default or "none")
