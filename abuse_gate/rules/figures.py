"""How the engine recognises characters by their numbers: bytes, codes, dumps of them.

Knows digits only; what the numbers spell is for others.
"""

from typing import Final

# Character codes one after the other: binary, octal, decimal, hexadecimal.
NUMBERS: Final = (
    r"(?:(?:0b)?0[01]{7}[^0-9]{0,3}){6}|(?:[01]{7}[^0-9]{1,3}){6}"
    r"|(?:[12]?[0-9][-., /|]{1,2}){8}"
    r"|(?:(?:3[2-9]|[4-9][0-9]|1[0-2][0-9])[^0-9]{1,12}){8}"
    r"|(?:(?:0x|x|&h|u\+00)?[2-7][0-9a-f][^0-9a-z]{1,3}){8}"
    r"|(?:(?:0o|\\)?[01]?[0-7]{2}[^0-9]{1,2}){8}"
)

# The first bytes of Cyrillic and of Chinese letters, in all that bytes are written in; Cyrillic
# letters by their numbers. Spelled out, because the engine is quick over what begins with letters.
_LEADS: Final = ("d0", "d1", *(f"e{digit}" for digit in range(3, 10)))
_HEXES: Final = "|".join(f"0x{lead}|{lead}{gap}" for lead in _LEADS for gap in " :-,")
_DECIMALS: Final = "|".join(f"{int(lead, 16)}{gap}" for lead in _LEADS for gap in " ,")
_POINTS: Final = "|".join(map(str, range(104, 111)))
BYTES: Final = "|".join(
    (
        f"(?:{_HEXES})(?:0x)?[89ab][0-9a-f]",
        rf"(?:(?:{_DECIMALS})1[2-9][0-9][^0-9][^\n]{{0,8}}){{3}}",
        r"(?:(?:0o32[01]|0o34[0-7]|32[01] 2|34[0-7] 2)[^\n]{2,16}){3}",
        "(?:1101000[01]|111001[01]{2}|111000[01]{2}|111010[01]{2})[^0-9]{0,2}10[01]{6}",
        f"(?:(?:{_POINTS})[0-9],? ?){{4}}",
    )
)

# Digits of bytes in twos and fours, with where they stand before them.
DUMP: Final = r"\n[0-9a-f]{4,8}:? {1,2}(?:[0-9a-f]{2,4} {1,2}){4}"
DIGITS: Final = (
    r"(?:0x[0-9a-f]{4,16}[ ,]{1,2}){4}|(?:[2-7][0-9a-f][2-7][0-9a-f] ){6}"
    # Colours, identifiers and addresses of which each byte could be a letter.
    r"|(?:#[2-7][0-9a-f]{5}[, ]{1,2}){4}|(?:[2-7][0-9a-f]){4}-(?:[2-7][0-9a-f]){2}-[2-7]"
    r"|(?:[2-7][0-9a-f][2-7][0-9a-f]:){5}|(?:(?:[67][0-9a-f]){3,12} ){3}"
    r"|(?:(?:d[01][89ab][0-9a-f]){3,12} ){2}|(?:(?:e[3-9a-d](?:[89ab][0-9a-f]){2}){1,9} ){3}"
)
