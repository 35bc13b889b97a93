"""Exact match after SQuAD normalisation (Rajpurkar et al. 2016, §6.1)."""

from collections.abc import Sequence

from tomahto.matching.interface import Pair, require_references
from tomahto.matching.table import MatcherDescription
from tomahto.text.normalisation import exact_match


class ExactMatch:
    """Scores 1 if the normalised candidate equals any normalised reference, otherwise 0."""

    name = "em"
    version = "em|norm:squad|agg:max-ref|v1"
    threshold = 1.0

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair, 0 or 1. Raises MissingReferenceError."""
        require_references(pairs)
        return [float(exact_match(pair.candidate, pair.references)) for pair in pairs]


MATCHERS = (MatcherDescription(name="em", loader=f"{__name__}:ExactMatch", reads_words=True),)
