"""Sentence BLEU (Papineni et al. 2002) as sacrebleu computes it (Post 2018)."""

from collections.abc import Sequence

from tomahto.extras import require_package
from tomahto.matching.baselines.references import best_reference_scores
from tomahto.matching.interface import Pair


class Bleu:
    """Scores BLEU between 0 and 1 with the closest reference; case counts for nothing.

    Orders that are longer than the candidate are left out (sacrebleu's effective order), as
    answers have often fewer than four words; without that nearly all would score 0. The threshold
    is not calibrated: tune one on labelled answers (`evaluate metric_vs_human`).
    """

    name = "bleu"
    threshold = 0.5

    def __init__(self) -> None:
        """Raises PackageMissingError."""
        require_package("sacrebleu", extra="baselines")
        from sacrebleu.metrics.bleu import BLEU

        self._bleu = BLEU(lowercase=True, effective_order=True)
        self._compare("a", "a")  # only then has it a signature
        self.version = f"bleu|{self._bleu.get_signature()}|agg:max-ref|v1"

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair. Raises MissingReferenceError."""
        return best_reference_scores(pairs, self._compare)

    def _compare(self, candidate: str, reference: str) -> float:
        # rounding inside sacrebleu can leave 100.00000000000004
        return min(self._bleu.sentence_score(candidate, [reference]).score / 100, 1.0)
