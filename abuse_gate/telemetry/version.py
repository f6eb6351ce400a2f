"""Which version of this package runs; apart, so that saying it costs no other import."""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Final


def package_version(read: Callable[[str], str] = version) -> str:
    """The version of this package; `0` where it runs from files that were not installed."""
    try:
        return read("abuse-gate")
    except PackageNotFoundError:
        return "0"


PACKAGE_VERSION: Final = package_version()
