"""One spelling each of names and identifiers from outside: raters, systems, documents and more."""

import unicodedata
from typing import Final

_ALWAYS_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff"))


def plain_name(name: str) -> str:
    """The name in Unicode's composed form (NFC), without blanks around it and invisible signs.

    `ann`, `ann ` with a no-break space, and `ann` with a byte order mark are one name. Any blank
    inside becomes a space. Joiners between letters, which some scripts need, stay. The result is
    empty if nothing can be seen of the name.
    """
    if name.isascii() and name.isprintable():
        return name.strip()
    seen = unicodedata.normalize("NFC", name).translate(_ALWAYS_INVISIBLE)
    spaced = "".join(" " if character.isspace() else character for character in seen)
    return spaced.strip(" \u200c\u200d")
