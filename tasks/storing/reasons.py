"""Why something failed, as a text that every database can hold and a person can read."""

_NUL_SHOWN = "\N{SYMBOL FOR NULL}"
_MORE = "…"


def as_reason(text: str, limit: int) -> str:
    """The text within `limit` characters; what no database takes is shown by signs, not lost.

    PostgreSQL stores no NUL, and no database half a surrogate pair: models' replies and the
    messages of libraries may hold both.
    """
    whole = text.strip().replace("\0", _NUL_SHOWN).encode(errors="replace").decode()
    shown = whole or "no reason given"
    return shown if len(shown) <= limit else shown[: limit - len(_MORE)].rstrip() + _MORE
