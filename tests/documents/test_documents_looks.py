"""Looks of marked-up text that leave nothing to be seen, and those that only look like them."""

import base64

import pytest

from abuse_gate.model.extract import UploadKind
from abuse_gate.reading.documents.kinds import kinds_of
from abuse_gate.reading.documents.open import open_document
from tests.documents.corpus import ATTACK as WORDS
from tests.documents.hostile import archive
from tests.documents.pdfs import SEEN

HALVES = [(word[:2], word[2:]) for word in WORDS.split()]


def styled(style: str) -> str:
    return f"<p style='{style}'>{WORDS}"


HIDDEN: dict[str, str] = {
    "a class of a tag": f"<style>div.x{{display:none}}</style><div class=x>{WORDS}",
    "a class within another": f"<style>body .x{{font-size:0}}</style><p class=x>{WORDS}",
    "an id": f"<style>p#x{{opacity:0%}}</style><p id=x>{WORDS}",
    "clip path": styled("clip-path: inset(100%)"),
    "scaled away": styled("transform:scale(0)"),
    "moved away": styled("transform:translateX(-9999px)"),
    "a screen to the left": styled("position:absolute;left:-100vw"),
    "nearly white": styled("color:rgb(254, 254, 255)"),
    "no opacity of a colour": styled("color:rgba(0,0,0,0)"),
    "no opacity in digits": styled("color:#00000000"),
    "nearly the background": f"<div style='background:#123456'><p style='color:#123457'>{WORDS}",
    "a short form": styled("font:0/0 a"),
    "a filter": styled("filter:opacity(0)"),
    "no width": styled("max-width:0;overflow:hidden"),
    "not rendered": styled("content-visibility:hidden"),
    "a fill of its own": styled("-webkit-text-fill-color:transparent"),
    "old white": f"<font color=white>{WORDS}</font>",
    "old red on red": f"<body bgcolor=red text=red>{WORDS}",
    "in millimetres": styled("font-size:.1mm"),
    "three digits": styled("color:#fff"),
}
SHOWN: dict[str, str] = {
    "white on blue": f"<div style='background:#00f'><p style='color:white'>{WORDS}",
    "half opacity": styled("opacity:50%"),
    "a colour of no name": styled("color:fancy;background:other"),
    "a little opacity": styled("color:rgba(0,0,0,50%)"),
    "blurred": styled("filter:blur(1px);opacity:x"),
    "moved a little": styled("transform:translateX(-9px)"),
    "hidden when pointed at": f"<style>p:hover,{{display:none}}</style><p>{WORDS}",
    "a clear background": styled("color:#000;background:transparent"),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_a_browser_would_not_show_is_hidden(name: str) -> None:
    report = open_document("html", f"<!doctype html>{HIDDEN[name]}".encode())
    assert "html:hidden" in report.hits
    assert WORDS in "\n".join(report.hidden)


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_browser_would_show_is_not(name: str) -> None:
    report = open_document("html", f"<!doctype html>{SHOWN[name]}".encode())
    assert "html:hidden" not in report.hits
    assert WORDS in "\n".join(report.shown)


# A file, and where its words must come out.
FOUND: dict[str, tuple[UploadKind, bytes, str]] = {
    "an attribute": ("html", f"<html><p data-x='{WORDS}' class='a b'>x".encode(), "hidden"),
    "half of each word": (
        "html",
        "".join(["<html>", *(f"{a}<i hidden>{b} </i>" for a, b in HALVES)]).encode(),
        "mixed",
    ),
    "a charset of its own": (
        "html",
        b"<html><meta charset=utf-7>" + WORDS.encode("utf-7").replace(b"g", b"+AGc-"),
        "shown",
    ),
    "a charset that fails": ("html", f"<html><meta charset=utf-16>{WORDS}".encode(), "shown"),
    "rtf in white": (
        "rtf",
        rb"{\rtf1{\colortbl;\red255\green255\blue255;}\cf1 " + WORDS.encode() + b"}",
        "hidden",
    ),
    "rtf on black": (
        "rtf",
        rb"{\rtf1{\colortbl;\red255\green255\blue255;\red0;}\cf1\highlight2 "
        + WORDS.encode()
        + b"}",
        "shown",
    ),
    "rtf in pieces": (
        "rtf",
        b"{\\rtf1 " + b"".join(b"%b{\\v %b }" % (a.encode(), b.encode()) for a, b in HALVES) + b"}",
        "mixed",
    ),
    "svg in pieces": (
        "svg",
        (
            "<svg><text>" + "".join(f"<tspan>{a}</tspan>{b} " for a, b in HALVES) + "</text></svg>"
        ).encode(),
        "mixed",
    ),
    "xml in pieces": (
        "xml",
        (
            "<?xml version='1.0'?><d><p>"
            + "".join(f"<r>{a}</r>{b} " for a, b in HALVES)
            + "</p></d>"
        ).encode(),
        "mixed",
    ),
    "a subject in base64": (
        "mail",
        b"MIME-Version: 1.0\nSubject: =?utf-8?b?" + base64.b64encode(WORDS.encode()) + b"?=\n\nhi",
        "shown",
    ),
    "a subject that is damaged": (
        "mail",
        f"MIME-Version: 1.0\nSubject: =?x?b?a?= {WORDS}\n\nhi".encode(),
        "shown",
    ),
    "a page by mail": (
        "mail",
        f"MIME-Version: 1.0\nContent-Type: text/html\n\n<p hidden>{WORDS}</p>".encode(),
        "hidden",
    ),
    "a charset by mail": (
        "mail",
        b"Content-Type: text/plain; charset=utf-16-le\nContent-Transfer-Encoding: base64\n\n"
        + base64.b64encode(WORDS.encode("utf-16-le")),
        "shown",
    ),
    "a file in a text in a zip": (
        "zip",
        archive({"a.md": b"![](data:x/y;base64," + base64.b64encode(SEEN["plain"](WORDS)) + b")"}),
        "shown",
    ),
    "a message in a zip": (
        "zip",
        archive({"a.eml": f"Subject: =?utf-8?q?{WORDS.replace(' ', '_')}?=\n\n".encode()}),
        "shown",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_words_come_out_as_a_parser_would_read_them(name: str) -> None:
    kind, data, side = FOUND[name]
    assert kinds_of(data) == [kind]
    found = "\n".join(getattr(open_document(kind, data), side))
    assert WORDS in " ".join(found.split())


LETTERS: dict[str, tuple[bytes, str]] = {
    "a code page": (rb"{\rtf1\ansicpg1251 \'ef\'f0}", "пр"),
    "a code page of no name": (rb"{\rtf1\ansicpg7 \'e9}", "é"),
    "a font's charset": (
        rb"{\rtf1{\fonttbl{\f1\fcharset128 x;}{\f2\fcharset0 y;}}\f1 \'96\'b3}",
        "無",
    ),
    "two halves": (rb"{\rtf1 \u-10179?\u-8704?}", "\U0001f600"),
}


@pytest.mark.parametrize("name", LETTERS)
def test_letters_of_rtf_are_those_of_their_charset(name: str) -> None:
    data, letters = LETTERS[name]
    assert "".join(open_document("rtf", data).shown) == letters


FLAGGED: dict[str, tuple[UploadKind, bytes, str]] = {
    "an object": ("rtf", rb"{\rtf1{\*\objdata 0105}}", "opaque_media_noninterpretable"),
    "an entity": ("xml", b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "malformed"),
    "an unknown charset": ("mail", b"Content-Type: text/plain; charset=x\n\nhi", "malformed"),
    "no boundary": ("mail", b"Content-Type: multipart/mixed; boundary=x\n\nhi", "malformed"),
    "too many parts": (
        "mail",
        b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\na\n" * 3_000 + b"--x--",
        "truncated",
    ),
}


@pytest.mark.parametrize("name", FLAGGED)
def test_what_is_not_read_is_flagged(name: str) -> None:
    kind, data, flag = FLAGGED[name]
    assert flag in open_document(kind, data).flags
