"""feather, the project's own small matcher: boosted trees over what a pair's words show."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from tomahto.learning.boosted_trees import UNIT
from tomahto.learning.logistic_regression import probabilities
from tomahto.learning.token_rows import Row
from tomahto.matching.feather.comparison import compare_rows
from tomahto.matching.feather.features import FEATURES_SIGNATURE, feature_matrix
from tomahto.matching.feather.signs import sign_verdict
from tomahto.matching.feather.texts import MAX_CHARACTERS, Lexicon
from tomahto.matching.feather.weights import FeatherWeights
from tomahto.matching.interface import Pair
from tomahto.matching.references import require_references
from tomahto.matching.rows import rows_of
from tomahto.types import Floats

_BATCH_ROWS = 1000
_BATCH_WORK = 40_000_000  # candidate characters × reference characters, some 1,000,000 word pairs
_LEXICON_WORDS = 100_000


class FeatureReader:
    """Turns rows into features, batch by batch, and remembers the words it has met."""

    def __init__(self) -> None:
        self._lexicon = Lexicon()

    def read(self, rows: Sequence[Row]) -> Iterator[Floats]:
        """The features of consecutive rows; a row's do not depend on the other rows."""
        for batch in _batches(rows):
            if len(self._lexicon) > _LEXICON_WORDS:
                self._lexicon = Lexicon()
            yield feature_matrix(compare_rows(batch, self._lexicon))


class Feather:
    """Scores the probability that people would call the candidate correct.

    Where signs decide (`sign_verdict`), the trees say how surely. A pair's score is the highest
    over its references and does not depend on the other pairs. The first 400 words of each text
    are read, the context not at all.
    """

    name = "feather"
    threshold = 0.5

    def __init__(self, weights: FeatherWeights) -> None:
        self._weights = weights
        self._trees = weights.symmetric_trees()
        self._reader = FeatureReader()

    @cached_property
    def version(self) -> str:
        """The features, and a digest of the weights' content."""
        return f"feather|{FEATURES_SIGNATURE}|agg:max-ref|weights:{self._weights.digest}|v2"

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One probability per pair. Raises MissingReferenceError."""
        require_references(pairs)
        if not pairs:
            return []
        rows, first_rows = rows_of(pairs)
        batches = [self._trees.sums(features) for features in self._reader.read(rows)]
        sums = np.concatenate(batches)
        verdicts = np.array([sign_verdict(row.candidate, row.reference) for row in rows])
        sums = np.where(verdicts, verdicts * np.abs(sums), sums)
        best = np.maximum.reduceat(sums, first_rows)
        scores: list[float] = probabilities(best / UNIT).tolist()
        return scores


def _batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Consecutive rows, as many as can be compared in bounded memory."""
    start = work = 0
    for place, row in enumerate(rows):
        own_work = min(len(row.candidate), MAX_CHARACTERS) * min(len(row.reference), MAX_CHARACTERS)
        if place > start and (place - start == _BATCH_ROWS or work + own_work > _BATCH_WORK):
            yield rows[start:place]
            start, work = place, 0
        work += own_work
    if rows:
        yield rows[start:]
