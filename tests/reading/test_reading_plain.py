"""The short way for plain bodies reads what the long way reads, or leaves the body to it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abuse_gate.model.extract import Extract
from abuse_gate.reading.body import JUST_JSON, content_type, read_body
from abuse_gate.reading.jsontext import decode_json_bytes, parse
from abuse_gate.reading.notes import Notes
from abuse_gate.reading.plain import read_plain
from abuse_gate.reading.request import ReadingOptions
from abuse_gate.reading.shapes import read_document

TURN = '{"role":"user","content":"hi"}'

# Body, and whether it is plain enough for the short way.
BODIES: list[tuple[str, bool]] = [
    (f'{{"messages":[{TURN}]}}', True),
    (f'{{"model":"m","messages":[{TURN},{TURN}],"stream":true,"n":null,"top_p":0.5}}', True),
    ('{"messages":[{"content":"hi","role":"assistant"}],"system":"be kind"}', True),
    ('{"messages":[{"role":"developer","content":""}],"system":null}', True),
    ('{"messages":[{"role":"user","content":"a \\"quoted\\" word\\nand a line"}]}', True),
    ('{"question":"hi","limit":3,"type":"text","text":"type"}', True),
    ('{"conversation_id":"c-1","messages":[{"role":"system","content":"grüezi"}]}', True),
    (f'{{"messages":[{TURN}],"":"a member without a name"}}', True),
    ("{}", True),
    # A key that stands twice is read twice.
    ('{"messages":[{"role":"user","content":"a","content":"b"}]}', False),
    ('{"question":"one","question":"two"}', False),
    ('{"n":1,"n":2}', False),
    # What could be a data URL, a call, another shape, or parts.
    ('{"messages":[{"role":"user","content":"data:,hello"}]}', False),
    ('{"messages":[{"role":"user","content":"note: hello"}]}', False),
    ('{"picture":"data:,hello"}', False),
    ('{"text":"see data:text/plain;base64,aGVsbG8gd29ybGQhIQ== here"}', False),
    ('{"text":"see DATA:;BASE64,aGVsbG8gd29ybGQhIQ== here"}', False),
    ('{"text":"see data:;b\\u0061se64,aGVsbG8gd29ybGQhIQ== here"}', False),
    ('{"text":"' + "QUJD" * 20 + '"}', False),
    ('{"messages":[{"role":"user","content":"' + "QUJD" * 20 + '"}]}', False),
    ('{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}', False),
    ('{"messages":[{"role":"tool","content":"hi"}]}', False),
    ('{"messages":[{"role":["user"],"content":"hi"}]}', False),
    ('{"messages":[{"role":"user","content":"hi","name":"x"}]}', False),
    ('{"messages":[{"role":"user","name":"hi"}]}', False),
    ('{"messages":["hi"]}', False),
    ('{"messages":["ab"]}', False),
    ('{"messages":"hi"}', False),
    ('{"messages":5}', False),
    ('{"messages":null}', False),
    ('{"messages":[]}', False),
    ('{"messages":{"role":"user","content":"hi"}}', False),
    (f'{{"messages":[{TURN}],"tools":[{{"name":"x"}}]}}', False),
    (f'{{"messages":[{TURN}],"metadata":{{"a":"b"}}}}', False),
    ('{"jsonrpc":"2.0","method":"ping"}', False),
    ('{"model":"m","input":"hi"}', False),
    ('{"model":"m","prompt":"hi"}', False),
    ('{"text":"a backslash \\\\ inside"}', False),
    (f'{{"n":{"9" * 30}}}', False),
    (f'{{"n":-{"9" * 30}}}', False),
    ('{"n":1e300}', False),
    ('{"n":9223372036854775807,"m":-5,"x":1e9}', True),
    ('{"messages":[{"role":"user","content":"hi","n":1}]}', False),
    (f'{{"n":{"9" * 5000}}}', False),
    ('{"text":"\\ud800"}', False),
    ('["hi"]', False),
    ('{"a":"b"} {"c":"d"}', False),
    ('{"a":"b"', False),
    (' {"a":"b"}', False),
]


def notes(limit: int = 1000) -> Notes:
    return Notes(ReadingOptions(max_strings=limit), "problem")


def the_long_way(body: bytes) -> Extract:
    long = notes()
    text = decode_json_bytes(body)
    for document in parse(text or "", 1000).documents:
        read_document(long, document)
    return long.extract(len(body))


@pytest.mark.parametrize(("body", "plain"), BODIES)
def test_a_plain_body_is_read_as_the_long_way_reads_it(body: str, plain: bool) -> None:
    short, data = notes(), body.encode()
    assert read_plain(short, data) is plain
    if plain:
        assert short.extract(len(data)) == the_long_way(data)
    else:
        assert short.segments == []


@pytest.mark.parametrize(
    "body", [b"", b"\xef\xbb\xbf{}", b"{\x00}\x00", b'{"a":"\xff"}', b'{"a":"\t"}']
)
def test_bytes_that_are_no_plain_json_are_left_to_the_long_way(body: bytes) -> None:
    assert not read_plain(notes(), body)


def test_a_body_without_room_for_all_of_it_is_left_to_the_long_way() -> None:
    body = f'{{"messages":[{",".join([TURN] * 10)}]}}'.encode()
    assert not read_plain(notes(limit=10), body)
    assert read_plain(notes(limit=20), body)


def test_a_crowd_of_brackets_is_left_to_the_long_way() -> None:
    crowd = b'{"text":"%b"}'
    assert read_plain(notes(), crowd % (b"a " * 50_100))
    assert not read_plain(notes(), crowd % (b"[" * 100_100))


def test_a_body_of_escaped_quotes_beyond_any_bound_is_left_to_the_long_way() -> None:
    assert not read_plain(notes(), b'{"text":"%b"}' % (b'\\"' * 1_000_000))


def test_an_undeclared_body_is_read_on_the_same_way() -> None:
    for kinds in (JUST_JSON, [content_type(b"text/plain")]):
        short = notes()
        read_body(short, b'{"question":"hi"}', kinds, complete=True)
        assert [segment.text for segment in short.segments] == ["question", "hi"]


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8))
ROLES = st.sampled_from(["user", "assistant", "system", "developer", "tool", "x"])
MESSAGES = st.lists(
    st.fixed_dictionaries({"role": ROLES, "content": st.text(max_size=12)}), max_size=3
)
KEYS = st.sampled_from(["model", "system", "type", "role", "id", "question", "stream", "object"])


@given(st.dictionaries(KEYS, SCALARS, max_size=4), st.none() | MESSAGES, st.booleans())
def test_whatever_is_read_on_the_short_way_is_read_the_same(
    members: dict[str, object], messages: list[dict[str, str]] | None, ascii_only: bool
) -> None:
    value = members if messages is None else {**members, "messages": messages}
    data = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    short = notes()
    if read_plain(short, data):
        assert short.extract(len(data)) == the_long_way(data)
