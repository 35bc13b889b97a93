"""Texts of the library that pages show in the reader's language."""


def gettext_noop(text: str) -> str:
    """The text as it is. `./run translations` finds it by this name, and pages translate it."""
    return text
