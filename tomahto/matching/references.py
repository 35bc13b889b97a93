"""The references of a pair: every matcher needs one, and the best of them counts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tomahto.matching.interface import Pair
from tomahto.text.normalisation import token_overlap

if TYPE_CHECKING:  # without NumPy a matcher is named in a tenth of the time
    from tomahto.types import Floats


class MissingReferenceError(ValueError):
    """A pair without references has no score: not 0, because nothing was compared."""


def require_references(pairs: Sequence[Pair]) -> None:
    """Raises MissingReferenceError, naming the first pair (from 0) that has no reference."""
    for position, pair in enumerate(pairs):
        if not pair.references:
            raise MissingReferenceError(
                f"pair {position} (candidate {pair.candidate[:40]!r}) has no reference"
            )


def closest_reference(pair: Pair) -> str:
    """The reference with the highest token F1; of equal ones the first."""
    return max(pair.references, key=lambda reference: token_overlap(pair.candidate, reference).f1)


def best_rows(pairs: Sequence[Pair], scores: "Floats") -> list[int]:
    """For each pair the row of its best reference, of equal ones the first.

    `scores` has one row per reference, pair after pair. No pair may be without references.
    """
    best, start = [], 0
    for pair in pairs:
        end = start + len(pair.references)
        best.append(start + int(scores[start:end].argmax()))
        start = end
    return best
