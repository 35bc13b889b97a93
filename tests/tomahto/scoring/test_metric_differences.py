"""Golden values: scikit-learn and SciPy, on the questions that the same generator draws."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import accuracy_score, roc_auc_score

from tests.tomahto.estimates.intervals import covers, width
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.scoring.metric_vs_human import (
    JudgedRow,
    MetricDifference,
    MetricVsHuman,
    accuracy_difference,
    metric_differences,
    metric_vs_human,
)

BOOTSTRAP = Bootstrap(200, seed=7)
LABELS = [True, True, False, False, True, False]
QUESTIONS = ["q1", "q1", "q2", "q2", "q3", "q4"]
SPLITS = ["test"] * 4 + ["dev"] * 2


def _report(
    scores: list[float], bootstrap: Bootstrap = BOOTSTRAP, tune_on: str | None = None
) -> MetricVsHuman:
    cells = zip(scores, LABELS, QUESTIONS, SPLITS, strict=True)
    rows = [
        JudgedRow(score, label, question, None, split) for score, label, question, split in cells
    ]
    return metric_vs_human(rows, bootstrap=bootstrap, tune_on=tune_on)


def _only(reports: dict[str, MetricVsHuman]) -> MetricDifference:
    (difference,) = metric_differences(reports, BOOTSTRAP)
    return difference


def test_metric_differences_by_hand() -> None:
    found = _only(
        {
            "good": _report([0.9, 0.8, 0.1, 0.6, 0.7, 0.2]),  # at 0.5 wrong about the fourth alone
            "poor": _report([0.9, 0.2, 0.8, 0.3, 0.6, 0.4]),  # wrong about the second and third
        }
    )
    assert (found.first, found.second) == ("good", "poor")
    assert found.accuracy.value == pytest.approx(5 / 6 - 4 / 6)
    # good: all six from 0.7 on. poor: 0.6 errs about 0.2 and 0.8, and nothing errs less.
    assert found.tuned_accuracy.value == pytest.approx(1 - 4 / 6)
    # pairs of right and wrong: all 9 won; of 0.9 0.2 0.6 against 0.8 0.3 0.4 it is 3 + 0 + 2
    assert found.auc.value == pytest.approx(1 - 5 / 9)
    for estimate in (found.accuracy, found.tuned_accuracy, found.spearman, found.auc):
        assert width(estimate) > 0
        assert (estimate.n, estimate.replicates, estimate.seed) == (6, 200, 7)


def test_metric_differences_are_of_what_is_left_when_tuned_on_a_split() -> None:
    found = _only(
        {
            "one": _report([0.6, 0.8, 0.1, 0.3, 0.7, 0.2], tune_on="dev"),  # tuned to 0.7: 3 of 4
            "other": _report([0.4, 0.2, 0.3, 0.5, 0.4, 0.3], tune_on="dev"),  # to 0.4: 2 of 4
        }
    )
    assert found.tuned_accuracy.value == pytest.approx(3 / 4 - 2 / 4)
    assert found.tuned_accuracy.n == 4


def test_every_two_metrics_are_compared_in_their_order() -> None:
    reports = {name: _report([0.1, 0.9, 0.4, 0.3, 0.2, place]) for place, name in enumerate("cab")}
    pairs = [(each.first, each.second) for each in metric_differences(reports, BOOTSTRAP)]
    assert pairs == [("c", "a"), ("c", "b"), ("a", "b")]
    assert metric_differences({}, BOOTSTRAP) == ()


def _two_metrics(questions: int, items: int, seed: int) -> tuple[JudgedScores, JudgedScores]:
    """The second metric is the first with noise, so they err on the same questions."""
    generator = np.random.default_rng(seed)
    places = np.repeat(np.arange(questions), items)
    is_right = (generator.normal(size=questions)[places] + generator.normal(size=len(places))) > 0
    scores = np.round(is_right + generator.normal(size=len(places)), 1)
    noisy = np.round(scores + generator.normal(size=len(places)) / 2, 1)
    return JudgedScores(scores, is_right, places), JudgedScores(noisy, is_right, places)


def test_accuracy_interval_is_that_of_resampled_questions() -> None:
    one, other = _two_metrics(questions=40, items=3, seed=1)
    thresholds = (0.5, 0.7)
    found = accuracy_difference(one, other, thresholds, Bootstrap(4000, 2, is_widened=False))
    first, second = (
        ((judged.scores >= threshold) == one.is_right).reshape(40, 3).mean(axis=1)
        for judged, threshold in zip((one, other), thresholds, strict=True)
    )
    sample = np.random.default_rng(3).integers(0, 40, size=(4000, 40))
    drawn = first[sample].mean(axis=1) - second[sample].mean(axis=1)
    assert found.value == pytest.approx(
        accuracy_score(one.is_right, one.scores >= 0.5)
        - accuracy_score(one.is_right, other.scores >= 0.7)
    )
    assert (found.low, found.high) == pytest.approx(
        tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.01
    )


def test_accuracy_interval_by_brute_force_with_the_same_draws() -> None:
    # A question of one item is won, drawn or lost: of each kind as many are drawn as here.
    one, other = _two_metrics(questions=60, items=1, seed=4)
    found = accuracy_difference(one, other, (0.5, 0.5), Bootstrap(150, seed=5, is_widened=False))
    gains = one.agrees(0.5).astype(int) - other.agrees(0.5)
    kinds = [np.flatnonzero(gains == kind) for kind in (-1, 0, 1)]
    assert all(len(kind) for kind in kinds)
    shares = np.array([len(kind) for kind in kinds]) / 60
    drawn = []
    for counts in np.random.default_rng(5).multinomial(60, shares, size=150):
        rows = np.concatenate(
            [np.repeat(kind[0], n) for kind, n in zip(kinds, counts, strict=True)]
        )
        drawn.append(
            accuracy_score(one.is_right[rows], one.scores[rows] >= 0.5)
            - accuracy_score(one.is_right[rows], other.scores[rows] >= 0.5)
        )
    assert (found.low, found.high) == pytest.approx(
        tuple(np.quantile(drawn, [0.025, 0.975])), abs=1e-12
    )


def test_order_intervals_by_brute_force_with_the_same_draws() -> None:
    one, other = _two_metrics(questions=25, items=2, seed=6)
    reports = {name: _judged_report(judged) for name, judged in (("a", one), ("b", other))}
    (found,) = metric_differences(reports, Bootstrap(60, seed=7, is_widened=False))
    aucs, rhos = [], []
    for sample in np.random.default_rng(7).integers(0, 25, size=(60, 25)):
        rows = (2 * sample[:, np.newaxis] + np.arange(2)).ravel()
        right = one.is_right[rows]
        aucs.append(
            roc_auc_score(right, one.scores[rows]) - roc_auc_score(right, other.scores[rows])
        )
        rhos.append(
            spearmanr(one.scores[rows], right).statistic
            - spearmanr(other.scores[rows], right).statistic
        )
    for estimate, values in ((found.auc, aucs), (found.spearman, rhos)):
        assert (estimate.low, estimate.high) == pytest.approx(
            tuple(np.quantile(values, [0.025, 0.975])), abs=1e-12
        )


def _judged_report(judged: JudgedScores, bootstrap: Bootstrap = BOOTSTRAP) -> MetricVsHuman:
    rows = [
        JudgedRow(score, right, str(question))
        for score, right, question in zip(
            judged.scores.tolist(), judged.is_right.tolist(), judged.questions, strict=True
        )
    ]
    return metric_vs_human(rows, bootstrap=bootstrap)


def test_interval_of_a_difference_covers_the_truth_in_95_of_100_samples() -> None:
    # Both metrics are right about a question of three items with chance 0.9 if it is easy and 0.5
    # if not, half are easy; the first is also right about every tenth item that it had wrong:
    # accuracies 0.7 + 0.03 and 0.7.
    runs, covered = 200, 0
    for seed in range(runs):
        generator = np.random.default_rng(seed)
        questions = np.repeat(np.arange(150), 3)
        chance = np.where(generator.random(150) < 0.5, 0.9, 0.5)[questions]
        first = (generator.random(450) < chance) | (generator.random(450) < 0.1)
        second = generator.random(450) < chance
        everything_right = np.ones(450, dtype=np.bool_)
        found = accuracy_difference(
            JudgedScores(first.astype(float), everything_right, questions),
            JudgedScores(second.astype(float), everything_right, questions),
            (0.5, 0.5),
            Bootstrap(400, seed),
        )
        covered += covers(found, 0.03)
    # 200 runs at 95 % are 190 with a standard deviation of 3.1.
    assert 190 - 3 * 3.1 <= covered <= 190 + 3 * 3.1


def test_a_difference_is_undefined_where_one_of_the_two_is() -> None:
    found = _only({"em": _report([0.0] * 6), "f1": _report([0.9, 0.2, 0.8, 0.3, 0.6, 0.4])})
    assert (found.spearman.value, found.spearman.reason) == (None, "em: all scores are equal")
    assert found.auc.value == pytest.approx(0.5 - 5 / 9)
    assert found.as_json()["spearman"] == {
        "value": None,
        "low": None,
        "high": None,
        "n": 6,
        "replicates": 0,
        "seed": 7,
        "reason": "em: all scores are equal",
    }


def test_a_difference_on_one_question_has_no_interval() -> None:
    one = [JudgedRow(0.9, True, "q"), JudgedRow(0.1, False, "q")]
    other = [JudgedRow(0.1, True, "q"), JudgedRow(0.9, False, "q")]
    found = _only(
        {
            "one": metric_vs_human(one, bootstrap=BOOTSTRAP),
            "other": metric_vs_human(other, bootstrap=BOOTSTRAP),
        }
    )
    for estimate, value in ((found.accuracy, 1), (found.auc, 1), (found.spearman, 2)):
        assert estimate.value == pytest.approx(value)
        assert estimate.low is None
        assert estimate.reason == "one question cannot be resampled into an interval"


def test_metrics_of_other_items_cannot_be_compared() -> None:
    scores = [0.9, 0.2, 0.8, 0.3, 0.6, 0.4]
    fewer = _report(scores, tune_on="dev")
    with pytest.raises(ValueError, match=r"^f1 was judged on other items than the metrics before"):
        metric_differences({"em": _report(scores), "f1": fewer}, BOOTSTRAP)
