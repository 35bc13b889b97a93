"""Digits as they are sent, in a page's form or in a header."""

import re

_DIGITS = re.compile(r"[0-9]{1,18}")  # as many as any column has room for


def row_number(text: str) -> int | None:
    """The number of a row, or as large a one, in plain digits; None of any other text."""
    return int(text) if _DIGITS.fullmatch(text) else None
