"""What a style hides: declarations and presentation attributes that leave nothing to be seen."""

import re
from collections.abc import Mapping
from typing import Final

from abuse_gate.reading.documents.colours import BLACK, WHITE, Rgb, alike, rgb

# Colours by their names; what is transparent has none.
_NAMES: Final[Mapping[str, Rgb]] = {
    "white": WHITE,
    "black": BLACK,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
    "red": (255, 0, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
}
_CHANNELS: Final = re.compile(
    r"rgba?\((\d{1,3})[,\s]+(\d{1,3})[,\s]+(\d{1,3})(?:[,/\s]+([\d.]{1,9})(%?))?\)"
)
_HEX: Final = re.compile(r"#([0-9a-f]{3,8})\Z")
_NUMBER: Final = re.compile(r"(-?\d{0,9}(?:\.\d{0,9})?)(px|pt|em|rem|ex|ch|%|vw|vh|mm|cm|in|)")
# Pixels that one unit stands for, near enough to tell tiny from readable.
_PIXELS: Final[Mapping[str, float]] = {
    "px": 1,
    "pt": 1.33,
    "em": 16,
    "rem": 16,
    "ex": 8,
    "ch": 8,
    "%": 0.16,
    "vw": 13,
    "vh": 8,
    "mm": 3.8,
    "cm": 38,
    "in": 96,
}
_TINY: Final = 2.66
_FAR: Final = -500
_RULE: Final = re.compile(r"([^{}]{1,500})\{([^{}]{0,2000})\}")
# The last part of a selector, and its most telling name: an id, else a class, else a tag.
_LAST: Final = re.compile(r"[^\s>+~]{1,200}\Z")
_NAMED: Final = (
    re.compile(r"#[\w-]{1,100}"),
    re.compile(r"\.[\w-]{1,100}"),
    re.compile(r"[\w-]{1,100}\Z"),
)
_GONE: Final = re.compile(r"inset\((?:50|100)%|circle\(0|ellipse\(0|scale[xy]?\(0[,)]|scale3d\(0")
_MOVED: Final = re.compile(r"translate(?:x|y|3d)?\((?:0(?:px)?,)?(-\d{3,9}(?:px|%|vw|em|rem)?)")
_MAX_RULES: Final = 2_000


def declarations(style: str) -> dict[str, str]:
    """A style's properties, lower-cased; the last one of a name counts."""
    found: dict[str, str] = {}
    for part in style[:10_000].split(";"):
        name, colon, value = part.partition(":")
        if colon:
            plain = value.lower().replace("!important", "").strip()
            found[name.strip().lower()] = "".join(plain.split()) if "(" in plain else plain
    return found


def _pixels(value: str) -> float | None:
    match = _NUMBER.fullmatch(value)
    if match is None or match[1] in {"", "-", ".", "-."}:
        return None
    return float(match[1]) * _PIXELS.get(match[2], 1)


def hides(style: str, attributes: Mapping[str, str]) -> str | None:
    """The way in which an element is hidden by its style, or None when it is seen."""
    found = {key: value.strip().lower() for key, value in attributes.items() if key != "style"}
    found |= declarations(style)
    if found.get("display") == "none" or found.get("visibility") in {"hidden", "collapse"}:
        return "display"
    if found.get("content-visibility") == "hidden" or _is_nothing(found):
        return "transparent"
    if _is_tiny(found):
        return "tiny"
    if _is_away(found):
        return "off_screen"
    return "camouflaged" if _is_camouflaged(found) else None


def _is_nothing(found: Mapping[str, str]) -> bool:
    names = ("opacity", "fill-opacity", "zoom")
    values = [_share(found[name]) for name in names if name in found]
    if "filter" in found and found["filter"].startswith("opacity("):
        values.append(_share(found["filter"][8:].rstrip(")")))
    return any(value is not None and value <= 0.05 for value in values)  # noqa: PLR2004 - a twentieth


def _share(value: str) -> float | None:
    """A part of the whole, given as a number or in percent."""
    number = _NUMBER.fullmatch(value)
    if number is None or not number[1].strip("-."):
        return None
    return float(number[1]) / (100 if number[2] == "%" else 1)


def _is_tiny(found: Mapping[str, str]) -> bool:
    font = found.get("font", "").partition("/")[0].rpartition(" ")[2]
    size = _pixels(found.get("font-size", "") or font)
    if size is not None and size < _TINY:
        return True
    if found.get("overflow") == "hidden":
        sides = (
            _pixels(found.get(side, "")) for side in ("width", "height", "max-height", "max-width")
        )
        return any(side is not None and side <= 1 for side in sides)
    if _GONE.search(found.get("clip-path", "") + " " + found.get("transform", "")):
        return True
    return found.get("clip", "").replace("px", "") in {"rect(0,0,0,0)", "rect(1,1,1,1)"}


def _is_away(found: Mapping[str, str]) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if found.get("position") in {"absolute", "fixed"}:
        names += ["left", "top", "right", "bottom"]
    values = [_pixels(found.get(name, "")) for name in (*names, "x", "y")]
    moved = _MOVED.search(found.get("transform", ""))
    values.append(_pixels(moved[1]) if moved else None)
    return any(value is not None and value <= _FAR for value in values)


def _is_camouflaged(found: Mapping[str, str]) -> bool:
    named = found.get("-webkit-text-fill-color") or found.get("color") or found.get("fill")
    if named is None:
        return False
    if _is_clear(named):
        return True
    ground = found.get("background-color") or found.get("background")
    if ground and not _is_clear(ground):
        behind = _colour(ground)
        colour = _colour(named)
        same = colour is not None and behind is not None and alike(colour, behind)
        return named == ground or same
    colour = _colour(named)
    return colour is not None and alike(colour, WHITE)


def _is_clear(value: str) -> bool:
    """Whether a colour lets everything through."""
    match = _CHANNELS.match(value)
    if match is not None and match[4]:
        return (_share(match[4] + match[5]) or 0) <= 0.05  # noqa: PLR2004 - a twentieth
    return value == "transparent" or bool(
        re.fullmatch(r"#(?:[0-9a-f]{3}0|[0-9a-f]{6}0[0-9a-f])", value)
    )


def _colour(value: str) -> Rgb | None:
    """A colour by its name, its digits or its channels."""
    match = _CHANNELS.match(value)
    if match is not None:
        return min(int(match[1]), 255), min(int(match[2]), 255), min(int(match[3]), 255)
    digits = _HEX.match(value)
    if digits is None:
        return _NAMES.get(value)
    short = len(digits[1]) < 6  # noqa: PLR2004 - two digits a channel, or one
    return rgb("".join(digit * 2 for digit in digits[1][:3]) if short else digits[1][:6])


def sheet(text: str) -> dict[str, str]:
    """The rules of a style sheet, each under the most telling name of what it selects."""
    found: dict[str, str] = {}
    for match in list(_RULE.finditer(text[:500_000]))[:_MAX_RULES]:
        for selector in match[1].split(","):
            name = _selected(selector.strip().lower())
            if name is not None:
                found[name] = found.get(name, "") + ";" + match[2]
    return found


def _selected(selector: str) -> str | None:
    last = _LAST.search(selector)
    if last is None or ":" in last[0]:
        return None
    names = (pattern.search(last[0]) for pattern in _NAMED)
    return next((match[0] for match in names if match is not None), None)
