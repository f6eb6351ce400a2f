"""What a style hides: declarations and presentation attributes that leave nothing to be seen."""

import re
from collections.abc import Mapping
from typing import Final

_WHITE: Final = frozenset(
    {"#fff", "#ffffff", "#fefefe", "white", "rgb(255,255,255)", "transparent", "rgba(0,0,0,0)"}
)
_NUMBER: Final = re.compile(r"(-?\d{0,9}(?:\.\d{0,9})?)(px|pt|em|rem|%|vw|vh|)")
# Pixels that one unit stands for, near enough to tell tiny from readable.
_PIXELS: Final[Mapping[str, float]] = {"px": 1, "pt": 1.33, "em": 16, "rem": 16, "%": 0.16}
_TINY: Final = 2.66
_FAR: Final = -500
_RULE: Final = re.compile(r"([^{}]{1,500})\{([^{}]{0,2000})\}")
_SIMPLE: Final = re.compile(r"[.#]?[\w-]{1,100}\Z")
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
    if _is_nothing(found):
        return "transparent"
    if _is_tiny(found):
        return "tiny"
    if _is_away(found):
        return "off_screen"
    return "camouflaged" if _is_camouflaged(found) else None


def _is_nothing(found: Mapping[str, str]) -> bool:
    values = (_pixels(found[name]) for name in ("opacity", "fill-opacity") if name in found)
    return any(value is not None and value <= 0.05 for value in values)  # noqa: PLR2004 - a twentieth


def _is_tiny(found: Mapping[str, str]) -> bool:
    size = _pixels(found.get("font-size", ""))
    if size is not None and size < _TINY:
        return True
    if found.get("overflow") == "hidden":
        sides = (_pixels(found.get(side, "")) for side in ("width", "height", "max-height"))
        return any(side is not None and side <= 1 for side in sides)
    return found.get("clip", "").replace("px", "") in {"rect(0,0,0,0)", "rect(1,1,1,1)"}


def _is_away(found: Mapping[str, str]) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if found.get("position") in {"absolute", "fixed"}:
        names += ["left", "top", "right", "bottom"]
    values = (_pixels(found.get(name, "")) for name in (*names, "x", "y"))
    return any(value is not None and value <= _FAR for value in values)


def _is_camouflaged(found: Mapping[str, str]) -> bool:
    colour = found.get("color") or found.get("fill")
    if colour is None:
        return False
    behind = found.get("background") or found.get("background-color")
    if not behind:
        return colour in _WHITE
    return colour == behind or {colour, behind} <= _WHITE


def sheet(text: str) -> dict[str, str]:
    """The rules of a style sheet whose selector is one tag, class or id."""
    found: dict[str, str] = {}
    for match in list(_RULE.finditer(text[:500_000]))[:_MAX_RULES]:
        for selector in match[1].split(","):
            name = selector.strip().lower()
            if _SIMPLE.match(name):
                found[name] = found.get(name, "") + ";" + match[2]
    return found
