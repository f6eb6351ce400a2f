"""Settings that are read and checked but have no effect in this version.

Start-up says so instead of being silent. The table shrinks as the things behind it are built.
"""

from collections.abc import Mapping
from typing import Final

from abuse_gate.settings.model import Settings
from abuse_gate.settings.names import BY_FIELD

# Field -> the values that promise nothing, and therefore need no warning.
INERT: Final[Mapping[str, frozenset[object]]] = {
    "triage_model_embedded": frozenset({"off"}),
}


def inert_settings(settings: Settings) -> tuple[str, ...]:
    """The names, as an operator writes them, of what was set explicitly and does nothing yet."""
    return tuple(
        BY_FIELD[field].written
        for field, harmless in INERT.items()
        if field in settings.model_fields_set and getattr(settings, field) not in harmless
    )
