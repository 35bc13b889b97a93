"""Parts of a statement with their parameters."""

from collections.abc import Iterable
from typing import Any, NamedTuple


class Condition(NamedTuple):
    """A condition on summaries `s`, in SQL, and its parameters in their order."""

    sql: str
    parameters: tuple[Any, ...] = ()


NOTHING = Condition("false")
"""What no item meets."""


def all_of(conditions: Iterable[Condition]) -> Condition:
    """That every one of them is met."""
    found = list(conditions)
    return Condition(
        " AND ".join(each.sql for each in found) or "true",
        tuple(value for each in found for value in each.parameters),
    )
