import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tomahto.matching.examples import pair
from tomahto.matching.cfmatch import SHIPPED_WEIGHTS
from tomahto.matching.cfmatch.matcher import CFMatch
from tomahto.matching.cfmatch.weights import MAX_BYTES, CFMatchWeights
from tomahto.matching.interface import Pair
from tomahto.matching.references import MissingReferenceError
from tomahto.matching.registry import load_matcher
from tomahto.matching.table import matchers_by_name

# One document that held every word, so that each idf is 1.
WEIGHTS = CFMatchWeights(
    documents=1,
    words=("[CLS]", "[SEP]", "fox"),
    document_frequencies=(1, 1, 1),
    word_weights=(0.0, 0.5, -1.0),
    overlap_weights=(2.0, 1.0, -0.5),
    intercept=0.25,
)

texts = st.lists(
    st.sampled_from(["the", "who", "wrote", "Paris", "france", "1912", "in", "zyx", "É"]),
    max_size=6,
).map(" ".join)
pairs = st.builds(
    Pair,
    question=texts,
    context=st.just(""),
    references=st.lists(texts, min_size=1, max_size=3).map(tuple),
    candidate=texts,
)


def test_score_is_the_logistic_of_the_weighted_features() -> None:
    # Counts [CLS] 1, [SEP] 3, fox 2: length √(1 + 9 + 4) = √14; `red` and `jumped` are unknown.
    # Precision 1/2, recall 1, F1 2/3.
    logit = (3 * 0.5 - 2 * 1.0) / math.sqrt(14) + 2.0 * 2 / 3 + 1.0 / 2 - 0.5 * 1 + 0.25

    scores = CFMatch(WEIGHTS).score([pair("red fox", "fox", question="What jumped?")])

    assert scores == [pytest.approx(1 / (1 + math.exp(-logit)), rel=1e-12)]


def test_score_is_the_highest_over_references() -> None:
    matcher = CFMatch(WEIGHTS)
    singles = matcher.score([pair("red fox", "fox"), pair("red fox", "wolf")])

    assert singles[0] > singles[1]
    assert matcher.score([pair("red fox", "wolf", "fox"), pair("red fox", "wolf")]) == singles


@settings(deadline=None)
@given(st.lists(pairs, min_size=1, max_size=8))
def test_score_does_not_depend_on_the_other_pairs(batch: list[Pair]) -> None:
    matcher = load_matcher("cfmatch")

    scores = matcher.score(batch)

    assert scores == [matcher.score([single])[0] for single in batch]
    assert all(0 <= score <= 1 for score in scores)


def test_score_of_many_batches_keeps_the_order() -> None:
    matcher = CFMatch(WEIGHTS)
    few = [pair("fox", "fox"), pair("fox", "red"), pair("red fox", "red", "fox")]

    assert matcher.score(few * 1500) == matcher.score(few) * 1500


def test_score_of_no_pairs_is_empty() -> None:
    assert CFMatch(WEIGHTS).score([]) == []


def test_score_refuses_a_pair_without_reference() -> None:
    with pytest.raises(MissingReferenceError, match="pair 1"):
        CFMatch(WEIGHTS).score([pair("fox", "fox"), pair("fox")])


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
