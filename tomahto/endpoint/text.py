"""Foreign text that is kept: shortened, and free of what a database cannot store."""

import re
from typing import Final

KEPT_CHARACTERS: Final = 20_000

# NUL and lone surrogates cannot be stored; the other control characters have no business in text
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def is_clean(text: str) -> bool:
    """Whether the text holds no control characters but tabs and line breaks, and no half pairs."""
    return _UNPRINTABLE.search(text) is None


def kept(text: str, limit: int = KEPT_CHARACTERS) -> str:
    """The beginning of the text, with U+FFFD for what cannot be stored and … for what is cut."""
    shown = _UNPRINTABLE.sub("\ufffd", text[:limit])
    return f"{shown}…" if len(text) > limit else shown
