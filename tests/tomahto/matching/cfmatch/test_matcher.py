import math
from dataclasses import replace

import pytest

from tests.tomahto.matching.cfmatch.small_weights import WEIGHTS
from tests.tomahto.matching.examples import pair
from tomahto.matching.cfmatch import SHIPPED_WEIGHTS
from tomahto.matching.cfmatch.matcher import MAX_BYTES, CFMatch
from tomahto.matching.table import matchers_by_name


def test_score_is_the_logistic_of_the_weighted_features() -> None:
    # Counts [CLS] 1, [SEP] 3, fox 2: length √(1 + 9 + 4) = √14; `red` and `jumped` are unknown.
    # Precision 1/2, recall 1, F1 2/3.
    logit = (3 * 0.5 - 2 * 1.0) / math.sqrt(14) + 2.0 * 2 / 3 + 1.0 / 2 - 0.5 * 1 + 0.25

    scores = CFMatch(WEIGHTS).score([pair("red fox", "fox", question="What jumped?")])

    assert scores == [pytest.approx(1 / (1 + math.exp(-logit)), rel=1e-12)]


def test_score_of_many_batches_keeps_the_order() -> None:
    matcher = CFMatch(WEIGHTS)
    few = [pair("fox", "fox"), pair("fox", "red"), pair("red fox", "red", "fox")]

    assert matcher.score(few * 1500) == matcher.score(few) * 1500


def test_version_follows_the_weights() -> None:
    version = CFMatch(WEIGHTS).version

    assert version == (
        "cfmatch|text:cls-candidate-sep-reference-sep-question-sep|tok:squad"
        "|tfidf:unigram,smooth,l2|overlap:f1,precision,recall|agg:max-ref"
        f"|weights:{WEIGHTS.digest}|v1"
    )
    assert CFMatch(replace(WEIGHTS, documents=2)).version != version


def test_shipped_weights_are_small_and_tell_right_from_wrong() -> None:
    matcher = matchers_by_name()["cfmatch"].load()
    question = "Who proposed the three laws of motion?"

    right, wrong = matcher.score(
        [
            pair("Sir Isaac Newton", "Isaac Newton", question=question),
            pair("Johannes Kepler", "Isaac Newton", question=question),
        ]
    )

    assert SHIPPED_WEIGHTS.stat().st_size < MAX_BYTES
    assert wrong < matcher.threshold <= right
