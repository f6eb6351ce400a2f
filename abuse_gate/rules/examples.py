"""A pack's own examples, tried on the compiled book: a rule that misses them is not meant so."""

from collections.abc import Iterator, Sequence

from abuse_gate.model.hit import Place
from abuse_gate.rules.book import RuleBook, Scratches
from abuse_gate.rules.harmless import phrases
from abuse_gate.rules.packs import HARMLESS, PLACES, PackError, Rule, parse_pack
from abuse_gate.rules.scan import scan_text
from abuse_gate.rules.views import encode, view


def check_examples(book: RuleBook, packs: Sequence[tuple[str, str]]) -> None:
    """Every example of these packs is found, and no counter-example is; else a PackError."""
    for name, text in packs:
        own = frozenset(rule.id for rule in parse_pack(name, text))
        for fault in example_faults(book, own):
            raise PackError(f"{name}: {fault}")


def example_faults(book: RuleBook, rules: frozenset[str]) -> Iterator[str]:
    """One line for each example of these rules that does not hold."""
    scratch = book.new_scratch()
    for rule in book.rules:
        if rule.id in rules:
            for fault in _faults(rule, book, scratch):
                yield f"rule {rule.id}: {fault}; correct the pattern or the example"


def _faults(rule: Rule, book: RuleBook, scratch: Scratches) -> Iterator[str]:
    # A rule without weight is looked for only beside another: alone it proves nothing.
    if not rule.severity and rule.family != HARMLESS:
        return
    place = min(rule.places, key=PLACES.index)
    for kind, texts, expected in (("hits", rule.hits, True), ("misses", rule.misses, False)):
        for number, text in enumerate(texts):
            found = rule.id in _found(rule, text, place, book, scratch)
            if found is not expected:
                yield f"{kind}[{number}] is {'not ' if expected else ''}found by its pattern"


def _found(rule: Rule, text: str, place: Place, book: RuleBook, scratch: Scratches) -> set[str]:
    if rule.family == HARMLESS:
        return {one.id for _, _, one in phrases(book, scratch, encode(view(text)), place)}
    return {hit.rule for hit in scan_text(text, book, scratch, place).hits}
