"""Secrets by name, for plug-in adapters: read when asked for, kept nowhere."""

import os


def environment_secret(name: str) -> str | None:
    """The secret that the environment holds under a name; blank is as good as unset."""
    value = os.environ.get(name, "").strip()
    return value or None
