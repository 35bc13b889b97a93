"""Token F1 after SQuAD normalisation (Rajpurkar et al. 2016, §6.1)."""

from collections.abc import Sequence

from tomahto.matching.interface import Pair, require_references
from tomahto.matching.table import MatcherDescription
from tomahto.text.normalisation import best_overlap


class TokenF1:
    """Scores the harmonic mean of token precision and recall with the closest reference.

    The threshold is the one that the CFMatch paper reports token F1 with (Tab. 4, "F1(0.5)");
    a threshold tuned on labelled data is a property of those data, not of the matcher.
    """

    name = "f1"
    version = "f1|norm:squad|agg:max-ref|v1"
    threshold = 0.5

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score from 0 to 1 per pair. Raises MissingReferenceError."""
        require_references(pairs)
        return [best_overlap(pair.candidate, pair.references).f1 for pair in pairs]


MATCHERS = (MatcherDescription(name="f1", loader=f"{__name__}:TokenF1", reads_words=True),)
