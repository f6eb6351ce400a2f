"""Who asks about a command gives none, and a manual has some; anything else beside it counts."""

import pytest

from abuse_gate.deciding.context import (
    COMMAND_TALK,
    DISCUSSED_CAP,
    QUOTED_CAP,
    context_caps,
)
from abuse_gate.model.hit import Hit, Place
from abuse_gate.work.scanner import build_scanner


def hit(rule: str, severity: int, place: Place = "caller", source: int | None = None) -> Hit:
    return Hit(rule, rule.partition(".")[0], severity, place, source=source)


PIPED = (hit("seed.pipe_to_shell", 100), hit("shell.download_to_shell", 100))
ASKED = hit("about.asked_download", 0)

CAPS: list[tuple[tuple[Hit, ...], dict[tuple[Place, int | None], float]]] = [
    ((*PIPED, ASKED), {("caller", None): QUOTED_CAP}),
    ((*PIPED, ASKED, hit("seed.credential_word", 10)), {("caller", None): QUOTED_CAP}),
    ((*PIPED, ASKED, hit("override.a", 60)), {("caller", None): DISCUSSED_CAP}),
    ((*PIPED, hit("about.how_to_install", 0)), {("caller", None): DISCUSSED_CAP}),
    (
        (hit("shell.a", 100, "document", 1), hit("about.how_to_install", 0, "document", 1)),
        {("document", 1): QUOTED_CAP},
    ),
    (
        (hit("shell.a", 100, "third_party"), hit("about.how_to_install", 0, "third_party")),
        {("third_party", None): DISCUSSED_CAP},
    ),
    (PIPED, {}),
]


@pytest.mark.parametrize(("hits", "caps"), CAPS)
def test_a_command_that_is_asked_about_weighs_like_a_quotation(
    hits: tuple[Hit, ...], caps: dict[tuple[Place, int | None], float]
) -> None:
    assert context_caps(hits) == caps


def test_the_rules_that_are_named_are_there_and_fire_in_those_places() -> None:
    known = {rule.id: rule for rule in build_scanner().book.rules}
    assert all(places <= {*known[name].places} for name, places in COMMAND_TALK.items())
