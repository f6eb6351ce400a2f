"""Multipart bodies: fields, files, names, headers and the text around them; damage is a flag."""

import pytest

from abuse_gate.model.extract import Extract
from abuse_gate.reading.multipart import MAX_PARTS
from abuse_gate.reading.read import read
from abuse_gate.reading.request import RawRequest, ReadingOptions

MEDIA_TYPE = b"multipart/form-data; boundary=b"


def extract(body: bytes, media_type: bytes = MEDIA_TYPE, *, complete: bool = True) -> Extract:
    headers = [(b"content-type", media_type)]
    return read(RawRequest("/", b"", headers, body, complete), ReadingOptions())


def part(disposition: str, data: bytes, *headers: str) -> bytes:
    lines = [f"Content-Disposition: form-data; {disposition}", *headers]
    return b"--b\r\n" + "\r\n".join(lines).encode() + b"\r\n\r\n" + data + b"\r\n"


def spoken(found: Extract) -> set[tuple[str, str]]:
    return {(segment.origin, segment.text) for segment in found.segments}


END = b"--b--\r\n"
FIELD = part('name="q"', b"hello")
ASKED = {("form", "q"), ("form", "hello")}

READ: dict[str, tuple[bytes, set[tuple[str, str]]]] = {
    "field": (FIELD + END, ASKED),
    "field twice": (FIELD + part('name="q"', b"again") + END, ASKED | {("form", "again")}),
    "utf-8 name": (part('name="ü"', b"x") + END, {("form", "ü"), ("form", "x")}),
    "latin-1 value": (part('name="q"', b"caf\xe9") + END, {("form", "q"), ("form", "café")}),
    "nothing but an end": (END, set()),
    "text file": (
        part('name="q"; filename="a.txt"', b"a line", "Content-Type: text/plain") + END,
        {("form", "q"), ("filename", "a.txt"), ("document", "a line")},
    ),
    "JSON file": (
        part('name="q"; filename="a"', b'{"k":"\\u0076"}') + END,
        {
            ("form", "q"),
            ("filename", "a"),
            ("document", '{"k":"\\u0076"}'),
            ("document", "k"),
            ("document", "v"),
        },
    ),
    "JSON field": (
        part('name="messages"', b'[{"role":"user","content":"hi"}]') + END,
        {("form", "messages"), ("form", '[{"role":"user","content":"hi"}]'), ("user", "hi")},
    ),
    "filename* alone": (
        part("name=\"q\"; filename*=utf-8''a%20b", b"hello") + END,
        ASKED
        | {
            ("filename", "form-data; name=\"q\"; filename*=utf-8''a%20b"),
            ("filename", "form-data; name=\"q\"; filename*=utf-8''a b"),
        },
    ),
    "unknown option": (
        part('name="q"; note="words"', b"hello") + END,
        ASKED | {("filename", 'form-data; name="q"; note="words"')},
    ),
    "option named twice": (
        part('name="first"; name="q"', b"hello") + END,
        ASKED | {("filename", 'form-data; name="first"; name="q"')},
    ),
    "unknown disposition": (
        b"--b\r\nContent-Disposition: words here; name=q\r\n\r\nhello\r\n" + END,
        ASKED | {("filename", "words here; name=q")},
    ),
    "folder before the file name": (
        part('name="q"; filename="c:\\words\\a.txt"', b"hello") + END,
        {
            ("form", "q"),
            ("filename", "a.txt"),
            ("filename", 'form-data; name="q"; filename="c:\\words\\a.txt"'),
            ("document", "hello"),
        },
    ),
    "no disposition": (
        b"--b\r\nX-A: words\r\n\r\nhello\r\n" + END,
        {("form", "x-a: words"), ("form", "hello")},
    ),
    "telling content type": (
        part('name="q"', b"hello", "Content-Type: text/plain; x=(a sentence here)") + END,
        ASKED | {("form", "content-type: text/plain; x=(a sentence here)")},
    ),
    "preamble and epilogue": (
        b"\r\nbefore\r\n" + FIELD + END + b"after",
        ASKED | {("form", "before"), ("form", "after")},
    ),
    "transfer encoding base64": (
        part('name="q"', b"aGk=", "Content-Transfer-Encoding: base64") + END,
        {("form", "q"), ("form", "aGk="), ("form", "hi")},
    ),
    "transfer encoding that lies": (
        part('name="q"', b"hello", "Content-Transfer-Encoding: base64") + END,
        ASKED,
    ),
    "quoted-printable file": (
        part('name="q"; filename="f"', b"=68i", "Content-Transfer-Encoding: quoted-printable")
        + END,
        {("form", "q"), ("filename", "f"), ("document", "=68i"), ("document", "hi")},
    ),
    "part charset": (
        part('name="q"', "hé".encode("utf-16-le"), "Content-Type: text/plain; charset=utf-16-le")
        + END,
        {("form", "q"), ("form", "hé"), ("form", "h\0\xe9\0")},
    ),
    "_charset_ field": (
        part('name="_charset_"', b"koi8-r") + part('name="q"', "да".encode("koi8-r")) + END,
        {("form", "_charset_"), ("form", "koi8-r"), ("form", "q"), ("form", "да"), ("form", "ÄÁ")},
    ),
    "nested": (
        part('name="q"', b"--c\r\n\r\ninner\r\n--c--", "Content-Type: multipart/mixed; boundary=c")
        + END,
        {("form", "q"), ("form", "--c\r\n\r\ninner\r\n--c--")},
    ),
}


@pytest.mark.parametrize("name", READ)
def test_every_string_of_a_sound_body_is_read(name: str) -> None:
    body, expected = READ[name]
    found = extract(body)
    assert spoken(found) == expected
    assert found.flags <= ({"malformed"} if name == "part charset" else set())


BROKEN: dict[str, tuple[bytes, bytes]] = {
    "no final boundary": (FIELD, MEDIA_TYPE),
    "cut in the data": (part('name="q"', b"hello")[:-2], MEDIA_TYPE),
    "wrong boundary": (FIELD + END, b"multipart/form-data; boundary=x"),
    "no boundary": (FIELD + END, b"multipart/form-data"),
    "endless boundary": (FIELD + END, b"multipart/form-data; boundary=" + b"b" * 300),
    "endless content type": (FIELD + END, MEDIA_TYPE + b"; x=" + b"y" * 5000),
    "broken header": (b"--b\r\nno colon here\r\n\r\nhello\r\n" + END, MEDIA_TYPE),
    "bare line feeds": (FIELD.replace(b"\r", b"") + END, MEDIA_TYPE),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_body_is_malformed_and_still_read_as_text(name: str) -> None:
    body, media_type = BROKEN[name]
    found = extract(body, media_type)
    assert found.flags == {"malformed"}
    assert ("text", body.decode()) in spoken(found)


def test_a_body_that_was_cut_off_is_not_called_malformed() -> None:
    found = extract(FIELD, complete=False)
    assert found.flags == {"truncated"}
    assert spoken(found) >= ASKED


def test_the_parser_logs_nothing_of_a_broken_body(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    for body, media_type in BROKEN.values():
        extract(body, media_type)
    assert not caplog.records


OPAQUE: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "png": (part('name="q"; filename="f"', b"\x89PNG\0\1\2"), ("text", "image")),
    "declared": (
        part('name="q"; filename="f"', b"\0\1\2\xff", "Content-Type: audio/x"),
        ("text", "audio"),
    ),
    "unknown": (part('name="q"; filename="f"', b"\0\1\2\xff"), ("text",)),
    "png as a field": (part('name="q"', b"\x89PNG\0\1\2"), ("text", "image")),
}


@pytest.mark.parametrize("name", OPAQUE)
def test_a_file_that_is_no_text_is_a_flag(name: str) -> None:
    body, modalities = OPAQUE[name]
    found = extract(body + END)
    assert found.flags == {"opaque_media_noninterpretable"}
    assert found.modalities == modalities


def test_control_bytes_in_a_field_are_malformed() -> None:
    assert extract(part('name="q"', b"a\0b") + END).flags == {"malformed"}


@pytest.mark.parametrize("charset", [b"idna", b"no-such", b"\xff"])
def test_a_charset_that_is_not_read_is_a_flag(charset: bytes) -> None:
    assert extract(FIELD + END, MEDIA_TYPE + b"; charset=" + charset).flags == {
        "unsupported_encoding"
    }


def test_too_many_parts_are_a_flag_and_the_text_is_still_read() -> None:
    body = FIELD * MAX_PARTS + part('name="q"', b"the last") + END
    found = extract(body)
    assert found.flags == {"truncated"}
    assert any("the last" in text for _, text in spoken(found))
    assert not extract(FIELD * MAX_PARTS + END).flags
