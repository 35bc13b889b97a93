"""Text in a cell of a spreadsheet, which must never run as a formula."""

import re

_FORMULA = re.compile("'*[=+\\-@\t\r\n\0＝＋－＠]")  # apostrophes before it make it a text


def safe_text(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet could take it for a formula.

    One goes before apostrophes that stand before a formula, too, so that no two texts are written
    alike: `plain_text` is the inverse.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def plain_text(cell: str) -> str:
    """The text of a cell that `safe_text` wrote. Elsewhere an apostrophe stays."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
