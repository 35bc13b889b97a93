"""The interface of matchers: a matcher scores how well a candidate answers as a reference does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable


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
