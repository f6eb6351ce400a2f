"""How files begin when they stand inside a text. Words for readers and for rules, no behaviour."""

from typing import Final

# How a document opens in base64: a PDF, an archive, an old office file, RTF, and markup.
OPENINGS: Final = (
    *("JVBERi", "UEsDB", "0M8R4KGx", "e1xydG"),
    *("PGh0bW", "PEhUTU", "PCFET0NUWVBF", "PCFkb2N0eXBl", "PD94bW", "PHN2Z"),
)
# How the data of a data URL are announced, whatever the case of the letters before it.
DATA_SIGN: Final = "64,"
# Sixty characters are forty-five bytes: as much as the opening of any file needs.
HEAD: Final = 60
