"""CFMatch, a logistic regression over TF-IDF and token overlap (CFMatch paper, §3.3)."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from tomahto.learning.logistic_regression import probabilities
from tomahto.learning.token_rows import tokenise
from tomahto.matching.cfmatch.features import (
    FEATURES_SIGNATURES,
    feature_matrix,
    make_vocabulary,
)
from tomahto.matching.cfmatch.weights import CFMatchWeights
from tomahto.matching.interface import Pair
from tomahto.matching.references import require_references
from tomahto.matching.rows import rows_of
from tomahto.types import Floats

_BATCH = 2000  # pairs whose arrays still fit the processor's cache


class CFMatch:
    """Scores the probability that people would call the candidate correct.

    A pair's score is the highest over its references and does not depend on the other pairs.
    There is no length limit. The context is not read (§3.3).
    """

    name = "cfmatch"
    threshold = 0.5

    def __init__(self, weights: CFMatchWeights) -> None:
        self._weights = weights
        self._vocabulary = make_vocabulary(
            weights.words, weights.document_frequencies, weights.documents
        )
        self._coefficients: Floats = np.array(
            [*weights.word_weights, *weights.overlap_weights], dtype=np.float64
        )

    @cached_property
    def version(self) -> str:
        """The features, and a digest of the weights' content."""
        features = FEATURES_SIGNATURES[self._weights.overlap_words]
        return f"cfmatch|{features}|agg:max-ref|weights:{self._weights.digest}|v1"

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One probability per pair. Raises MissingReferenceError."""
        require_references(pairs)
        return [score for batch in _batches(pairs) for score in self._score_batch(batch)]

    def _score_batch(self, pairs: Sequence[Pair]) -> list[float]:
        rows, first_rows = rows_of(pairs)
        features = feature_matrix(tokenise(rows), self._vocabulary, self._weights.overlap_words)
        logits = features.times(self._coefficients) + self._weights.intercept
        best: Floats = np.maximum.reduceat(logits, first_rows)
        scores: list[float] = probabilities(best).tolist()
        return scores


def _batches(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    rest = iter(pairs)
    while batch := list(islice(rest, _BATCH)):
        yield batch
