"""Who asks, as far as verification must know: a digest to share slots by, a tenant to ask for."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Caller:
    """`subject` is a keyed digest, never a credential; `tenant` is what the app's resolver said.

    `address` is a digest as well, because a credential that nobody has checked can be changed with
    every request. `known` is false when the resolver failed: then nobody's key may be used.
    """

    subject: str = ""
    address: str = ""
    tenant: str | None = None
    known: bool = True


NOBODY: Final = Caller()
