"""ROUGE-L (Lin 2004) as the package rouge-score computes it."""

from collections.abc import Sequence
from importlib.metadata import version

from tomahto.extras import require_package
from tomahto.matching.baselines.references import best_reference_scores
from tomahto.matching.interface import Pair


class RougeL:
    """Scores the F-measure of the longest common subsequence of stemmed words.

    Only ASCII letters and digits make words there; a text without any scores 0. The threshold is
    not calibrated: tune one on labelled answers (`evaluate metric_vs_human`).
    """

    name = "rouge-l"
    threshold = 0.5

    def __init__(self) -> None:
        """Raises PackageMissingError."""
        require_package("rouge_score", extra="baselines")
        from rouge_score.rouge_scorer import RougeScorer

        self._scorer = RougeScorer(["rougeL"], use_stemmer=True)
        self.version = (
            "rouge-l|case:lc|tok:ascii-words|stem:porter|agg:max-ref"
            f"|rouge-score:{version('rouge-score')}|v1"
        )

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair. Raises MissingReferenceError."""
        return best_reference_scores(pairs, self._compare)

    def _compare(self, candidate: str, reference: str) -> float:
        return float(self._scorer.score(reference, candidate)["rougeL"].fmeasure)
