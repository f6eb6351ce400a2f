"""Evidence without content: which rule fired, where, how often. Never the matched text."""

from dataclasses import dataclass
from typing import Final, Literal

# Whose words they were decides what a rule is worth: the caller's own, a tool's result, a document
# that the caller hands over, the request's surroundings (cookies, headers), the arguments of a
# proposed tool call, or the operator's own words, which a route or a token vouches for.
Place = Literal["caller", "third_party", "document", "ambient", "call", "operator"]

# Rules of this family have no weight; they say that a text discusses, teaches or quotes attacks.
ABOUT: Final = "about"
# The rules that say that an attack is spoken of and that it is quoted: for whoever finds that, and
# whoever weighs it.
MENTION: Final = "about.mention"
QUOTATION: Final = "about.quotation"


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule id, where it fired, how often; `source` numbers the upload it fired in.

    `excuses` names the harmless phrases that explain it, if any do.
    """

    rule: str
    family: str
    severity: int
    place: Place
    count: int = 1
    decoded: bool = False
    source: int | None = None
    excuses: tuple[str, ...] = ()

    @property
    def mild(self) -> bool:
        """Whether it is explained by a harmless phrase: unclear at most by itself."""
        return bool(self.excuses)


# Stands among what a judge was not shown when a suspected text had to be cut: no rule says what may
# be in the rest of it.
SUSPECT_CUT: Final = Hit("context.cut", "context", 0, "call")
