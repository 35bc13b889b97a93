"""One spelling each of names and identifiers from outside: raters, systems, documents and more."""

import unicodedata
from typing import Final

NEVER_SEEN: Final = dict.fromkeys(
    [
        *(*range(0x01, 0x09), *range(0x0E, 0x1C), *range(0x7F, 0x85), *range(0x86, 0xA0)),
        *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x200B, 0x200E, 0x200F, 0x2800),
        *(0x3164, 0xFEFF, 0xFFA0, *range(0x180B, 0x1810), *range(0x202A, 0x202F)),
        *(*range(0x2060, 0x2070), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFFC)),
        *(*range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
    ]
)
"""Marks of direction, fillers, selectors and the like, as Unicode lets displays ignore them, and
controls that are no blanks. NUL is for readers to refuse."""


def plain_name(name: str) -> str:
    """The name in Unicode's composed form (NFC), without blanks around it and signs never seen.

    `ann`, `ann ` with a no-break space, and `ann` with a byte order mark are one name. Any blank
    inside becomes a space. Joiners between letters, which some scripts need, stay. The result is
    empty if nothing can be seen of the name.
    """
    if name.isascii() and name.isprintable():
        return name.strip()
    seen = unicodedata.normalize("NFC", name.translate(NEVER_SEEN))
    spaced = "".join(" " if character.isspace() else character for character in seen)
    return spaced.strip(" \u200c\u200d")
