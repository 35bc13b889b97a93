"""The one thing every matcher needs of a pair: at least one reference."""

from collections.abc import Sequence

from inference.matchers.interface import Pair


class MissingReferenceError(ValueError):
    """A pair without references has no score: not 0, because nothing was compared."""


def require_references(pairs: Sequence[Pair]) -> None:
    """Raises MissingReferenceError, naming the first pair (from 0) that has no reference."""
    for position, pair in enumerate(pairs):
        if not pair.references:
            raise MissingReferenceError(
                f"pair {position} (candidate {pair.candidate[:40]!r}) has no reference"
            )
