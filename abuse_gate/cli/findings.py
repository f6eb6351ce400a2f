"""What a check has found, as lines for a person and as JSON for a program; never the text."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from abuse_gate.cli.paper import plain, table
from abuse_gate.deciding.account import Account
from abuse_gate.deciding.score import Thresholds, weight_of
from abuse_gate.model.hit import Hit
from abuse_gate.model.verdict import Verdict
from abuse_gate.rules.spots import MOST_SPOTS, Spot
from abuse_gate.rules.ways import Way

COLUMNS: Final = ("RULE", "SEVERITY", "WEIGHT", "WORTH", "PLACE", "AT", "READ AS")
# In a column where there is nothing to say.
NONE: Final = "-"


class Checked(NamedTuple):
    """A verdict, its bounds and its account; the hits, where each stands and how it was read."""

    verdict: Verdict
    thresholds: Thresholds
    account: Account
    hits: tuple[Hit, ...]
    spots: Mapping[str, tuple[Spot, ...]]
    ways: Mapping[str, Way]
    flags: tuple[str, ...]
    encoded: bool


def show(checked: Checked) -> None:
    """Prints the verdict, what it came of, and the rules that fired, the heaviest first."""
    bounds = checked.thresholds
    print(f"verdict  {checked.verdict}")
    told = f"(unclear above {bounds.notice:g}, unsafe from {bounds.block:g})"
    print(f"score    {checked.account.points:g} {told}")
    for cut in checked.account.cuts:
        print(plain(f"because  {cut}"))
    if checked.flags:
        print(f"flags    {', '.join(checked.flags)}")
    if checked.encoded:
        print("encoded  something in it is encoded")
    if checked.hits:
        weighed = zip(checked.hits, checked.account.worths, strict=True)
        heaviest = sorted(weighed, key=lambda pair: -pair[1])
        table(COLUMNS, [_row(hit, worth, checked) for hit, worth in heaviest])


def as_json(checked: Checked) -> dict[str, Any]:
    """The same for a program; rule ids, names and numbers only."""
    return {
        "verdict": checked.verdict,
        "score": checked.account.points,
        "thresholds": {"notice": checked.thresholds.notice, "block": checked.thresholds.block},
        "because": [{**cut._asdict(), "says": str(cut)} for cut in checked.account.cuts],
        "hits": [
            {
                "rule": hit.rule,
                "family": hit.family,
                "severity": hit.severity,
                "weight": weight_of(hit),
                "worth": worth,
                "place": hit.place,
                "at": [spot._asdict() for spot in _spots(hit, checked)[:MOST_SPOTS]],
                "decoded": hit.decoded,
                "excuses": list(hit.excuses),
                "read_as": list(_way(hit, checked.ways)),
            }
            for hit, worth in zip(checked.hits, checked.account.worths, strict=True)
        ],
        "flags": list(checked.flags),
        "encoded": checked.encoded,
    }


def _spots(hit: Hit, checked: Checked) -> tuple[Spot, ...]:
    return () if hit.decoded else checked.spots.get(hit.rule, ())


def _way(hit: Hit, known: Mapping[str, Way]) -> Way:
    """How a hit was read; one that no single way explains came of several together."""
    if not hit.decoded:
        return ("plain",)
    return known.get(hit.rule, ("several readings",))


def _row(hit: Hit, worth: float, checked: Checked) -> tuple[str, ...]:
    read_as = " > ".join(_way(hit, checked.ways))
    excused = f", mild by {', '.join(hit.excuses)}" if hit.mild else ""
    weight = f"x{weight_of(hit):g}" if hit.severity else NONE
    # A rule counts once, where it weighs most.
    counts = f"{worth:g}" if worth else NONE
    at = ", ".join(_positions(_spots(hit, checked))) or NONE
    return hit.rule, str(hit.severity), weight, counts, hit.place, at, read_as + excused


def _positions(spots: tuple[Spot, ...]) -> Iterator[str]:
    """Lines and columns as editors count them; where there are more, dots."""
    for spot in spots[:MOST_SPOTS]:
        if spot.column is None:
            yield f"line {spot.line}"
        elif spot.line == spot.last_line:
            yield f"{spot.line}:{spot.column}-{spot.last_column}"
        else:
            yield f"{spot.line}:{spot.column}-{spot.last_line}:{spot.last_column}"
    if len(spots) > MOST_SPOTS:
        yield "…"
