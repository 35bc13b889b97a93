"""Text in a cell of a spreadsheet, which must never run as a formula."""

_FORMULA_STARTS = frozenset("=+-@\t\r\n\0＝＋－＠")


def safe_text(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet could take it for a formula."""
    return f"'{text}" if text[:1] in _FORMULA_STARTS else text
