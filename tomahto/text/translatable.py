"""Marks for texts that pages translate; the library itself shows them in English."""


def gettext_noop(text: str) -> str:
    """The text as it is. `./run translations` finds it by this name, and pages translate it."""
    return text
