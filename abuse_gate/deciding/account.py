"""How a score came about: what each hit is worth, and what cut the sum or softened the verdict.

For whoever asks why. Adds nothing to the law, which is `score`'s; knows hits, never a text.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from abuse_gate.deciding.context import Where, context_caps
from abuse_gate.deciding.remarks import is_a_remark
from abuse_gate.deciding.score import (
    Thresholds,
    counted,
    least_loud,
    most,
    score,
    verdict_of,
    weighed,
    without_signs,
    worth_of,
)
from abuse_gate.model.hit import ABOUT, QUOTATION, Hit

Kind: TypeAlias = Literal["family", "quoted", "about", "signs", "remark", "mild", "mild_refused"]

# What each kind of cut means, to be filled with what it is about and two sums.
MEANINGS: Final[dict[Kind, str]] = {
    "family": "{about}: {before:g} in all, cut to {after:g}, the most that one family weighs here",
    "quoted": "{about}: {before:g} cut to {after:g}; it is quoted, reported or asked about",
    "about": "{about}: {before:g} cut to {after:g}; the text is about attacks",
    "signs": "unclear at most: {before:g} without {about}, and a block takes {after:g}",
    "remark": "unclear at most: only {about} ({before:g} of {after:g}), in somebody else's words",
    "mild": "{about}: unclear at most, for the other hits are worth {before:g} (up to {after:g})",
    "mild_refused": "{about}: no excuse, for the other hits are worth {before:g} (over {after:g})",
}
# What rules of little weight are called.
SIGNS: Final = "signs (rules of little weight)"


class Cut(NamedTuple):
    """What lowered a score or a verdict: what it is about, and the sums before and after.

    Where a verdict is softened, or is not, the sums are that of the other hits and its bound.
    """

    kind: Kind
    about: str
    before: float
    after: float

    def __str__(self) -> str:
        return MEANINGS[self.kind].format_map(self._asdict())


class Account(NamedTuple):
    """The score, what each hit adds to it before any cut, and the cuts."""

    points: float
    worths: tuple[float, ...]
    cuts: tuple[Cut, ...]


def account(hits: Iterable[Hit], thresholds: Thresholds) -> Account:
    """The score of some hits, told step by step."""
    known = tuple(hits)
    counting = list(counted(known))
    worths = tuple(worth_of(hit) if _taken(hit, counting) else 0.0 for hit in known)
    points = score(known)
    cuts = (*_capped(known), *_softened(known, points, thresholds))
    return Account(points, worths, cuts)


def _taken(hit: Hit, counting: list[Hit]) -> bool:
    """Whether a hit is among those that count, each of which is taken once."""
    if hit not in counting:
        return False
    counting.remove(hit)
    return True


def _capped(hits: tuple[Hit, ...]) -> Iterator[Cut]:
    """What the sums of families and of places that speak about attacks were cut to."""
    caps = context_caps(hits)
    for where, families in weighed(counted(hits), caps).items():
        total = 0.0
        for family, worths in families.items():
            before, after = sum(worths), min(sum(worths), most(family, worths))
            total += after
            if after < before:
                yield Cut("family", family, before, after)
        if where is not None and caps[where] < total:
            yield _spoken_of(hits, where, total, caps[where])


def _spoken_of(hits: tuple[Hit, ...], where: Where, before: float, after: float) -> Cut:
    abouts = {
        hit.rule
        for hit in hits
        if hit.family == ABOUT and (hit.place, hit.source) == where and not hit.decoded
    }
    if QUOTATION in abouts:
        return Cut("quoted", QUOTATION, before, after)
    return Cut("about", ", ".join(sorted(abouts)), before, after)


def _softened(hits: tuple[Hit, ...], points: float, thresholds: Thresholds) -> Iterator[Cut]:
    """Why a score that blocks does not, or why excuses are none; the order is the verdict's."""
    if verdict_of(points, thresholds) != "unsafe":
        return
    loud = score(without_signs(hits, thresholds))
    if loud < least_loud(thresholds):
        yield Cut("signs", SIGNS, loud, least_loud(thresholds))
        return
    if is_a_remark(without_signs(hits, thresholds), thresholds.block):
        heaviest = max(without_signs(hits, thresholds), key=lambda hit: hit.severity)
        yield Cut("remark", heaviest.family, heaviest.severity, thresholds.block)
        return
    excuses = sorted({excuse for hit in hits for excuse in hit.excuses})
    if not excuses:
        return
    grave = score(hit for hit in hits if not hit.mild)
    kept = verdict_of(grave, thresholds) == "safe"
    kind: Kind = "mild" if kept else "mild_refused"
    yield Cut(kind, ", ".join(excuses), grave, thresholds.notice)
