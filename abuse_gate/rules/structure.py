"""What the build of a document is worth: severities of the findings that are no words.

A table only. Hiding is one fact however many places show it, so these hits count once, by the
heaviest; what a hidden text says is scanned like any other.
"""

from collections.abc import Mapping
from typing import Final

from abuse_gate.model.hit import Hit, Place
from abuse_gate.rules.packs import Rule

FAMILY: Final = "document"
PLACE: Final[Place] = "third_party"

# In a third party's text a severity weighs half as much again: 36 is just over the notice
# threshold, so hiding alone is unclear; what honest producers do all the time stays below it.
SEVERITIES: Final[Mapping[str, int]] = {
    "pdf:hidden": 36,
    "pdf:searchable_scan": 5,
    "pdf:javascript": 20,
    "pdf:action": 15,
    "pdf:attachment": 5,
    "pdf:actual_text": 5,
    "pdf:annotation": 0,
    "pdf:form": 0,
    "pdf:alt_text": 0,
    "pdf:link": 0,
    "pdf:outline": 0,
    "pdf:metadata": 0,
    "docx:hidden": 36,
    "docx:macro": 30,
    "docx:part": 0,
    "docx:tracked": 5,
    "docx:comment": 0,
    "docx:note": 0,
    "docx:header": 0,
    "docx:alt_text": 0,
    "docx:custom_xml": 0,
    "docx:properties": 0,
    "docx:chart": 0,
    "docx:glossary": 0,
    "xlsx:hidden": 36,
    "xlsx:macro": 30,
    "xlsx:part": 0,
    "xlsx:comment": 0,
    "xlsx:drawing": 0,
    "xlsx:chart": 0,
    "xlsx:header": 0,
    "xlsx:defined_name": 0,
    "xlsx:custom_xml": 0,
    "xlsx:properties": 0,
    "pptx:hidden": 36,
    "pptx:macro": 30,
    "pptx:part": 0,
    "pptx:note": 0,
    "pptx:comment": 0,
    "pptx:chart": 0,
    "pptx:alt_text": 0,
    "pptx:custom_xml": 0,
    "pptx:properties": 0,
    "odt:hidden": 36,
    "odt:macro": 30,
    "odt:part": 0,
    "odt:script": 20,
    "odt:tracked": 5,
    "odt:comment": 0,
    "odt:note": 0,
    "odt:alt_text": 0,
    "odt:properties": 0,
    # Menus, dialogues and templates of ordinary pages are hidden until they are needed.
    "html:hidden": 20,
    "html:input": 5,
    "html:comment": 5,
    "html:script": 0,
    "html:style": 0,
    "html:fallback": 0,
    "html:title": 0,
    "html:attribute": 0,
    "rtf:hidden": 36,
    "rtf:about": 0,
    "svg:hidden": 20,
    "svg:script": 20,
    "svg:undrawn": 0,
    "image:text_chunk": 5,
    "image:exif": 0,
    "image:xmp": 0,
    "image:iptc": 0,
    "image:comment": 5,
    "xml:entity": 36,
    "zip:bomb": 60,
}


def structural_hits(counts: Mapping[str, int], source: int) -> tuple[Hit, ...]:
    """The hits of one upload's build, in the order of their ids; an unknown id counts nothing."""
    return tuple(
        Hit(rule, FAMILY, SEVERITIES.get(rule, 0), PLACE, counts[rule], source=source)
        for rule in sorted(counts)
    )


# The same as rules, which no pattern finds: what can be listed, switched off and weighed anew.
STRUCTURAL: Final = tuple(
    Rule(rule, FAMILY, severity, "", frozenset({PLACE})) for rule, severity in SEVERITIES.items()
)
