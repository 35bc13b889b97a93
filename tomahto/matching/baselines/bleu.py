"""Sentence BLEU (Papineni et al. 2002) as sacrebleu computes it (Post 2018), and as NLTK does."""

import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

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


class NltkBleu:
    """Scores NLTK's `sentence_bleu` with the closest reference, all options as they are there.

    So did CAP (App. C.2), which says nothing of tokens or case: here they are those of NLTK's own
    examples, words as white space parts them, case kept. Always four orders without smoothing: an
    order without a match counts as 2.2e-308, so an answer of fewer than four words scores below
    1e-76 even where it is the reference, and only the order of such scores says anything.
    """

    name = "bleu-nltk"
    threshold = 0.5

    def __init__(self) -> None:
        """Raises PackageMissingError."""
        require_package("nltk", extra="baselines")
        from nltk.translate.bleu_score import sentence_bleu

        self._bleu = sentence_bleu
        self.version = (
            f"bleu-nltk|nrefs:1|case:mixed|eff:no|tok:split|smooth:none|agg:max-ref"
            f"|nltk:{version('nltk')}|v1"
        )

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair. Raises MissingReferenceError."""
        return best_reference_scores(pairs, self._compare)

    def _compare(self, candidate: str, reference: str) -> float:
        score = self._bleu([reference.split()], candidate.split(), smoothing_function=_unmatched)
        return float(score)


def _unmatched(precisions: Sequence[Any], **_others: object) -> list[Any]:
    """NLTK's own `method0`, less its warning for every order without a match."""
    return [one if one.numerator else sys.float_info.min for one in precisions]
