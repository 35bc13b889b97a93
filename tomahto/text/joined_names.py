"""Several names in one text, joined by "+"; a "+" or a backslash in a name follows a backslash."""

import re
from collections.abc import Iterable


def joined_names(names: Iterable[str]) -> str:
    return "+".join(re.sub(r"([+\\])", r"\\\1", name) for name in names)


def parted_names(text: str) -> list[str]:
    """The names that `joined_names` joined, none of them empty."""
    parts = re.findall(r"(?:[^+\\]|\\.|\\$)+", text, re.DOTALL)
    return [re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL) for part in parts]
