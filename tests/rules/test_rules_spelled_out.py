"""Rules that are spelled out for the engine's sake say what their short form says."""

import re
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abuse_gate.rules.packs import parse_pack
from abuse_gate.work.scanner import build_scanner

SLOW: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
# As one would write them who does not know from which word the engine starts.
SHORT: Final = {
    "extraction.sign_asking": (
        r"\b(?:show|tell|give|print|paste|reveal|describe|cite|list|quote|recite|copy|dump|leak"
        r"|output|share|see|summari[sz]e|summary of|translate|repeat|reproduce|what(?:.?s)?|how"
        r"|which|put|turn|table with|explain|spell|send back|recall|type|reads?|reading|provide"
        r"|unveil|export|divulge|hand over|uncover|surrender|regurgitate|retype|transcribe|post"
        r"|present|expose|disclose|display|echo|return|upload|state|publish)"
        r"(?: \w{1,12}[.,?]?){0,5}\s{1,4}(?:prompt|preamble|pre-?prompt"
        r"|your (?:\w{1,8} )?(?:context"
        r"|configuration|settings)|(?:system|initial|developer) message|first (?:line|message)"
        r"|directions|(?:setup|raw|hidden) text|hidden messages|text that)\b"
    ),
    "extraction.repeat_back": (
        r"\b(?:repeat|say|echo|write|print|send|recite|copy)\b.{0,40}\b(?:(?:it|this"
        r"|that) back to me"
        r"|(?:them|everything|(?:entire|whole|full|above|previous|last|first) (?:conversation|chat"
        r"|text|message|prompt|sentence|context|words?))\b.{0,16}\b(?:back to me|word for word"
        r"|verbatim|exactly as|letter by letter|one (?:character|letter|word) at a time|in full"
        r"|character by character|from the (?:start|top|beginning)))\b"
    ),
    "override.sign_your_rules": (
        r"\bur[ ](?:rules|guide?lines|instructions|restrictions|policies|limits|prompt|system"
        r"|safety"
        r"|content)\b|\byour (?:[\w-]{1,12} )?(?:rules|guide?lines|instructions|directives"
        r"|restrictions"
        r"|polic(?:y|ies)|limits|limitations|constraints|safeguards?|guardrails?|programming"
        r"|guidance|prompt|script|briefing|setup|configuration|principles|protocols|conditioning)\b"
        r"|\b(?:the|my|this) (?:system|developer) (?:message|prompt)\b"
    ),
    "override.instructions_become": (
        r"\byour (?:new |only |real )?(?:instructions|rules|orders) are (?:now )?to\b"
        r"|\b(?:change|update|replace|rewrite|modify) your (?:instructions|rules|prompt|guidelines"
        r"|programming)\b.{0,4}\b(?:to|with|so)\b|\b(?:despite|regardless of|no matter|whatever)"
        r" (?:what )?you(?:.ve| have|.re| were| are|r (?:creators|developers))? (?:been )?(?:told"
        r"|instructed|trained|programmed|taught)\b|\bnew instructions? (?:follow|are as follows"
        r"|start here|below|begin)\b"
        r"|\bneue anweisung(?:en)?\b.{0,24}\b(?:setze|befolge|beachte|folge)\b"
    ),
    "roleplay.grandma": (
        r"\b(?:grand ?(?:ma|mother|pa|father|mom|dad|parents?)|granny|nana|nan|deceased|dead|late"
        r"|dying) ?(?:mother|father|aunt|uncle|wife|husband|mom|dad|friend|grand ?mother"
        r"|grand ?father|grand ?ma|grand ?pa)?\b.{0,60}\b(?:used to|would|always"
        r"|loved to)\b.{0,40}\b"
        r"(?:tell|read|sing|recite|whisper|say|repeat|teach|hum|give"
        r"|show)\b.{0,48}\b(?:(?:activation"
        r"|product|licen[sc]e|serial|api|private|encryption|windows|steam|office|secret|access)"
        r" (?:\w{1,10} )?(?:keys?|codes?|numbers?)\b|(?:system prompts?|your (?:prompt"
        r"|instructions?|rules)|the (?:prompt|hidden|initial|secret) (?:instructions?|prompts?)"
        r"|the passwords?|passwords? (?:to|for|of)|your password)\b|(?:napalm|meth|methamphetamine"
        r"|explosives?|bombs?|exploits?|malware|ransomware|keylogger|nerve agent|ricin|sarin"
        r"|ghost gun|molotov)\b|steps to (?:mak|produc|build|cook|hack|creat)\w{1,4}\b)"
    ),
}


def parsed(pattern: str) -> bytes:
    """A pattern as the pack of an operator gives it to the engine."""
    text = (
        f"[[rule]]\nid = 'mine.one'\nseverity = 1\nplaces = ['caller']\npattern = '''{pattern}'''"
    )
    return parse_pack("mine", text)[0].pattern.encode()


RULES: Final = {rule.id: rule.pattern.encode() for rule in build_scanner().book.rules}
WRITTEN: Final = {name: (parsed(short), RULES[name]) for name, short in SHORT.items()}


@pytest.mark.parametrize("name", SHORT)
@settings(max_examples=60, suppress_health_check=SLOW, deadline=None)
@given(data=st.data())
def test_the_short_form_and_the_long_one_match_the_same(name: str, data: st.DataObject) -> None:
    one, other = data.draw(st.permutations(WRITTEN[name]))
    said = data.draw(st.from_regex(re.compile(one, re.DOTALL), fullmatch=True))
    assert re.search(other, said, re.DOTALL)
    # A letter less, and both still agree.
    at = data.draw(st.integers(0, len(said)))
    less = said[:at] + said[at + 1 :]
    assert bool(re.search(one, less, re.DOTALL)) == bool(re.search(other, less, re.DOTALL))
