from typing import Final

FIRST: Final = ("tasks", "0001_initial")
"""The tables of 0.1.0. Who has migrations of ours without this one was made before any release."""
