"""HTML and RTF made for tests: one entry for each way of hiding, with any words in it."""

from collections.abc import Callable

SHOWN = "Our opening hours are nine to five, and we are closed on Sundays."


def page(inner: str, head: str = "") -> bytes:
    return (
        f"<!doctype html><html><head><title>Hours</title>{head}</head>"
        f"<body><p>{SHOWN}</p>{inner}</body></html>"
    ).encode()


def _styled(style: str) -> Callable[[str], bytes]:
    return lambda words: page(f'<div style="{style}">{words}</div>')


HTML: dict[str, Callable[[str], bytes]] = {
    "display none": _styled("display:none"),
    "visibility": _styled("visibility: hidden !important"),
    "opacity": _styled("opacity:0"),
    "font size 0": _styled("font-size:0"),
    "font size 1px": _styled("font-size:1px"),
    "white": _styled("color:#fff"),
    "same colours": _styled("color:#123456;background:#123456"),
    "off screen": _styled("position:absolute;left:-9999px"),
    "indented away": _styled("text-indent:-9999px"),
    "clipped": _styled("position:absolute;clip:rect(0,0,0,0)"),
    "collapsed": _styled("height:0;overflow:hidden"),
    "hidden attribute": lambda words: page(f"<p hidden>{words}</p>"),
    "comment": lambda words: page(f"<!-- {words} -->"),
    "hidden input": lambda words: page(f'<input type="hidden" value="{words}">'),
    "style sheet": lambda words: page(
        f'<p class="x">{words}</p>', "<style>.x, .y { display: none }</style>"
    ),
    "template": lambda words: page(f"<template><p>{words}</p></template>"),
    "inherited": lambda words: page(f'<div style="display:none"><p><b>{words}</b></p></div>'),
    "alt text": lambda words: page(f'<img alt="{words}">'),
    "split by tags": lambda words: page(
        '<p style="display:none">' + words.replace("a", "a<i></i>") + "</p>"
    ),
}
HTML_SEEN: dict[str, Callable[[str], bytes]] = {
    "plain": lambda words: page(f"<p>{words}</p>"),
    "white on dark": _styled("color:#fff;background-color:#123"),
    "white in a dark box": lambda words: page(
        f'<div style="background:#123"><p style="color:white">{words}</p></div>'
    ),
    "small": _styled("font-size:9px"),
    "placed": _styled("position:absolute;left:20px"),
}


def rtf(inner: str) -> bytes:
    return (r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}" + SHOWN + r"\par " + inner + "}").encode()


RTF: dict[str, Callable[[str], bytes]] = {
    "hidden": lambda words: rtf(r"{\v " + words + "}"),
    "tiny": lambda words: rtf(r"{\fs2 " + words + "}"),
    "information": lambda words: rtf(r"{\info{\title " + words + "}}"),
    "escaped": lambda words: rtf(
        r"{\v " + "".join(rf"\'{ord(letter):02x}" for letter in words) + "}"
    ),
    "unicode": lambda words: rtf(
        r"{\v\uc1 " + "".join(rf"\u{ord(letter)}?" for letter in words) + "}"
    ),
}
RTF_SEEN: dict[str, Callable[[str], bytes]] = {
    "plain": rtf,
    "switched back": lambda words: rtf(r"{\v\v0\fs2\plain " + words + "}"),
}
