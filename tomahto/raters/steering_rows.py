"""Ratings with the suggestion of their items, and whether the rater saw it."""

from dataclasses import dataclass

import numpy as np

from tomahto.estimates.two_way_clusters import Clusters
from tomahto.types import Flags, Floats, Integers
from tomahto.votes.rating_rows import RatingRows


@dataclass(frozen=True, eq=False)
class SteeringRows:
    """Ratings, and for each (N,) whether the suggestion was shown, which it was, and the time.

    `suggestions` are places in the ratings' `label_names`; `seconds` is NaN where the time is
    unknown. `questions` numbers the question of each rating's item, if questions are known.

    Raises ValueError if the arrays differ in length or a suggestion is no label.
    """

    ratings: RatingRows
    is_shown: Flags
    suggestions: Integers
    seconds: Floats
    questions: Integers | None = None

    def __post_init__(self) -> None:
        lengths = {len(self.is_shown), len(self.suggestions), len(self.seconds)}
        if lengths != {self.ratings.n}:
            raise ValueError("ratings, arms, suggestions and seconds differ in number")
        labels = len(self.ratings.label_names)
        if self.suggestions.min() < 0 or self.suggestions.max() >= labels:
            raise ValueError(f"a suggestion is numbered outside 0 to {labels - 1}")

    @property
    def agrees(self) -> Floats:
        """1 where the rater gave the suggested label, else 0."""
        agrees: Floats = (self.ratings.labels == self.suggestions).astype(np.float64)
        return agrees

    @property
    def clusters(self) -> Clusters:
        return Clusters(self.ratings.raters, self.ratings.items)
