"""The interface of matchers: a matcher scores how well a candidate answers as a reference does.

Every matcher needs a reference, and the best of them counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from tomahto.text.normalisation import token_overlap

if TYPE_CHECKING:
    from tomahto.types import Floats


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate with the references it is compared to. `context` may be empty."""

    question: str
    context: str
    references: tuple[str, ...]
    candidate: str


class Matcher(Protocol):
    """Scores pairs from 0 (wrong) to 1 (as good as the reference).

    `version` changes whenever the same pair could get another score: it is derived from the
    content (options, weights), never from a date. `threshold` turns a score into a label:
    correct if score >= threshold.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def threshold(self) -> float: ...

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair, in order; the maximum over the pair's references."""
        ...


class Explained(Protocol):
    """A dataclass of JSON values: a score and all that it comes from."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def score(self) -> float: ...


@runtime_checkable
class ExplainingMatcher(Matcher, Protocol):
    """A matcher that can say what its scores come from."""

    def explain(self, pairs: Sequence[Pair]) -> Sequence[Explained]:
        """The scores that `score` gives, in the same order, with their explanations."""
        ...


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
