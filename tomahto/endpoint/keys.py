"""Keys of endpoints: which variables may hold them, and how they stay hidden."""

import re
from dataclasses import dataclass, field
from typing import Final

SUFFIX: Final = "_API_KEY"
"""Of every variable that may hold a key: a configuration cannot send other secrets away."""

_VARIABLE = re.compile(rf"[A-Z][A-Z0-9_]*{SUFFIX}")
_USABLE = re.compile(r"[!-~]+")


def is_key_variable(name: str) -> bool:
    return _VARIABLE.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key that no message and no repr shows. Raises ValueError, without it, if it is empty or
    holds a character that a header cannot carry."""

    value: str = field(repr=False)

    def __post_init__(self) -> None:
        if not _USABLE.fullmatch(self.value):
            raise ValueError("is empty or contains a character that is not allowed in a key")

    def hidden_in(self, text: str) -> str:
        """The text with … wherever it shows the key."""
        return text.replace(self.value, "…")
