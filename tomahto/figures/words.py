"""Foreign words in one line, without what could break a document."""

import unicodedata


def plain(text: str) -> str:
    """The text in one line; control characters and halves of pairs are U+FFFD."""
    words = " ".join(text.split())
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(each) in ("Cc", "Cs") else each
        for each in words
    )
