"""Golden values: scipy.stats and scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr
from sklearn.metrics import roc_auc_score

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.scoring.judged_scores import JudgedScores

BOOTSTRAP = Bootstrap(200, seed=6)
JUDGED = st.lists(
    st.tuples(st.sampled_from([-1.0, 0.0, 0.1, 0.3, 0.1 + 0.2, 0.5, 0.9]), st.booleans()),
    min_size=1,
    max_size=30,
)


def _judged(pairs: list[tuple[float, bool]], questions: list[object] | None = None) -> JudgedScores:
    scores, is_right = zip(*pairs, strict=True)
    return JudgedScores.of(scores, is_right, questions or range(len(pairs)))


@given(JUDGED)
def test_order_equals_scikit_learn_and_scipy(pairs: list[tuple[float, bool]]) -> None:
    order = _judged(pairs).order(BOOTSTRAP)
    scores, is_right = zip(*pairs, strict=True)
    if len(set(is_right)) == 1:
        alike = Estimate(value=None, reason="all items are judged alike", n=len(pairs), seed=6)
        assert order == (alike, alike)
        return
    golden = roc_auc_score(is_right, rankdata(scores, method="dense"))
    assert order.auc.value == pytest.approx(golden, abs=1e-12)
    if len(set(scores)) == 1:
        assert order.spearman == Estimate(
            value=None, reason="all scores are equal", n=len(pairs), seed=6
        )
        return
    golden = spearmanr(scores, is_right).statistic
    assert order.spearman.value == pytest.approx(golden, abs=1e-12)


def test_order_interval_holds_what_resampling_the_rows_gives() -> None:
    # Each replicate computed anew by scikit-learn and SciPy from the questions that were drawn.
    generator = np.random.default_rng(2)
    is_right = generator.random(60) < 0.5
    scores = np.round(generator.normal(size=60) + is_right, 1)
    questions = generator.permutation(np.arange(60) % 20).tolist()
    order = JudgedScores.of(scores.tolist(), is_right.tolist(), questions).order(
        Bootstrap(100, seed=3, is_widened=False)
    )
    places = [list(dict.fromkeys(questions)).index(question) for question in questions]
    aucs, rhos = [], []
    drawn = np.random.default_rng(3).integers(0, 20, size=(100, 20))
    for sample in drawn:
        rows = np.concatenate([np.flatnonzero(np.array(places) == place) for place in sample])
        aucs.append(roc_auc_score(is_right[rows], scores[rows]))
        rhos.append(spearmanr(scores[rows], is_right[rows]).statistic)
    for estimate, values in ((order.auc, aucs), (order.spearman, rhos)):
        assert (estimate.low, estimate.high) == pytest.approx(
            tuple(np.quantile(values, [0.025, 0.975])), abs=1e-12
        )
        assert (estimate.n, estimate.replicates, estimate.seed) == (60, 100, 3)


def test_order_counts_replicates_without_both_judgements() -> None:
    order = _judged([(0.1, False), (0.9, True)]).order(Bootstrap(400, seed=1))
    assert order.auc.value == order.spearman.value == 1
    # One of the two is drawn twice in half of the replicates.
    assert order.auc.undefined_replicates == order.spearman.undefined_replicates
    assert order.auc.undefined_replicates == pytest.approx(200, abs=50)


def test_accuracy_counts_a_score_at_the_threshold_as_right() -> None:
    judged = _judged([(0.5, True), (0.5, False), (0.4, False), (0.6, False)])
    assert judged.accuracy(0.5, BOOTSTRAP).value == 2 / 4


def test_accuracy_interval_resamples_questions_not_rows() -> None:
    # 10 questions with 20 rows each, all right or all wrong: as few as 10 rows.
    rows = [(1.0, number < 7) for number in range(10)]
    # Plain percentiles are 0.4 and 1; those of 10 clusters reach as far as 0.3.
    ten = _judged(rows).accuracy(0.5, Bootstrap(5000, seed=1))
    repeated = _judged(
        [row for row in rows for _ in range(20)], [row for row in range(10) for _ in range(20)]
    ).accuracy(0.5, Bootstrap(5000, seed=1))
    assert (ten.value, ten.low, ten.high) == (0.7, 0.3, 1.0)
    assert (repeated.value, repeated.low, repeated.high) == (0.7, 0.3, 1.0)
    assert (ten.n, repeated.n) == (10, 200)


def test_accuracy_of_one_question_has_no_interval() -> None:
    judged = _judged([(0.9, True), (0.1, True)], ["q", "q"])
    reason = "one question cannot be resampled into an interval"
    assert judged.accuracy(0.5, BOOTSTRAP) == Estimate(value=0.5, n=2, reason=reason, seed=6)
    order = _judged([(0.9, True), (0.1, False)], ["q", "q"]).order(BOOTSTRAP)
    assert order.auc == order.spearman == Estimate(value=1.0, n=2, reason=reason, seed=6)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        # at or above 0.3: right 0.3 and 0.7, wrong 0.5; below: wrong 0.2: 3 of 4.
        # at or above 0.7: 0.2, 0.5 wrong and 0.7 right: 3 of 4 too. The lowest wins.
        ([(0.2, False), (0.3, True), (0.5, False), (0.7, True)], 0.3),
        ([(0.2, True), (0.3, True)], 0.2),
        ([(0.2, False), (0.3, False)], math.nextafter(0.3, 1)),
        ([(0.5, False), (0.5, True), (0.5, True)], 0.5),
    ],
)
def test_tuned_threshold_by_hand(pairs: list[tuple[float, bool]], expected: float) -> None:
    assert _judged(pairs).tuned_threshold() == expected


@given(JUDGED)
def test_tuned_threshold_is_the_lowest_of_the_best(pairs: list[tuple[float, bool]]) -> None:
    judged = _judged(pairs)
    scores = sorted({score for score, _ in pairs})
    accuracy = {
        threshold: sum((score >= threshold) == is_right for score, is_right in pairs)
        for threshold in (*scores, math.nextafter(scores[-1], math.inf))
    }
    assert judged.tuned_threshold() == max(accuracy, key=accuracy.__getitem__)


@pytest.mark.parametrize(
    ("scores", "is_right", "questions", "message"),
    [
        ([], [], [], "there is no judged score"),
        ([math.inf], [True], [1], "a score is not finite"),
        ([0.5, 0.6], [True], [1, 2], "scores, judgements and questions differ in number"),
    ],
)
def test_judged_scores_refuse_what_cannot_be_measured(
    scores: list[float], is_right: list[bool], questions: list[object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        JudgedScores.of(scores, is_right, questions)
