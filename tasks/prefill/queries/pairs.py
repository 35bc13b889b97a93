"""Items as the pairs that matchers score."""

from tasks.models import (
    Item,
)
from tomahto.matching.interface import Pair


def as_pair(item: Item) -> Pair:
    """An item as matchers read it."""
    return Pair(
        question=item.question.text,
        context=item.question.context,
        references=tuple(item.references),
        candidate=item.candidate,
    )
