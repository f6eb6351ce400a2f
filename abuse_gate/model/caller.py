"""Who asks, as far as we must know: digests to share slots and count strikes by, and a tenant."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Caller:
    """`subject` is a keyed digest, never a credential; `tenant` is what the app's resolver said.

    `address` is a digest as well, because a credential that nobody has checked can be changed with
    every request. `known` is false when the resolver failed: then nobody's key may be used.
    `others` are further credentials of the same request: the app may look at any of them. A
    `shared` address may be a proxy's, which is everybody's: it earns no strikes.
    """

    subject: str = ""
    address: str = ""
    tenant: str | None = None
    known: bool = True
    others: tuple[str, ...] = ()
    shared: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """All under which this caller may have a standing, each once and none of them empty."""
        found = dict.fromkeys((self.subject, *self.others, self.address))
        return tuple(name for name in found if name)


NOBODY: Final = Caller()

# Found out when somebody asks, and once: most requests are nobody's business.
CallerOf = Callable[[], Awaitable[Caller]]
