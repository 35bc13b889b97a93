"""A question's references: distinct, in file order, each with its place in the context if known."""

from collections.abc import Sequence


def distinct_references(
    texts: Sequence[str], starts: Sequence[int | None], context: str
) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    """The distinct texts and, for each, the first of its starts where it stands in the context.

    A start that does not point at its text is dropped and the text kept: datasets carry such
    starts after cleaning, and -1 for "not found".
    """
    places: dict[str, int | None] = {}
    for text, start in zip(texts, starts, strict=True):
        if places.get(text) is None:
            places[text] = start if _stands_at(text, start, context) else None
    return tuple(places), tuple(places.values())


def _stands_at(text: str, start: int | None, context: str) -> bool:
    return start is not None and start >= 0 and context.startswith(text, start)
