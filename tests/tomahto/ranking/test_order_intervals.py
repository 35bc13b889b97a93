"""Golden values: scipy.stats and scikit-learn, each replicate computed anew; the rest by hand."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import roc_auc_score

from tasks.protocols import cap
from tomahto.classes.cap_sweep import AMBIGUOUS_PAIRS, HARD_NEIGHBOURS
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.ranking.monotonicity import monotonicity, violation_rate
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals, order_intervals
from tomahto.votes.scheme import LabelScheme

SCHEME = cap.PROTOCOL.scheme
SMALL = LabelScheme(("good", "fine", "fair", "bad"), (2, 2, 1, 0), "ordinal")
ITEMS = st.lists(
    st.tuples(st.sampled_from(SCHEME.labels), st.sampled_from([-3.0, 0.0, 0.1, 0.3, 0.35, 0.9])),
    min_size=1,
    max_size=30,
)


def _items(
    rows: list[tuple[str, float]],
    scheme: LabelScheme = SMALL,
    questions: Sequence[object] | None = None,
) -> OrderedItems:
    scores = np.array([score for _, score in rows], dtype=np.float64)
    return OrderedItems.of(
        [label for label, _ in rows], scores, questions or list(range(len(rows))), scheme
    )


@pytest.fixture(scope="module")
def clustered() -> OrderedItems:
    """60 items of 20 questions, many scores tied."""
    generator = np.random.default_rng(5)
    places = generator.integers(0, 8, 60)
    scores = np.round(np.array(SCHEME.ranks)[places] / 7 + generator.normal(0, 0.4, 60), 1)
    rows = [(SCHEME.labels[place], score) for place, score in zip(places, scores, strict=True)]
    return _items(rows, SCHEME, (np.arange(60) % 20).tolist())


@pytest.fixture(scope="module")
def intervals(clustered: OrderedItems) -> OrderIntervals:
    return order_intervals(
        clustered,
        Bootstrap(40, seed=3, is_widened=False),
        hard_pairs=HARD_NEIGHBOURS,
        ambiguous_pairs=AMBIGUOUS_PAIRS,
    )


def _replicates(items: OrderedItems, replicates: int, seed: int) -> list[np.ndarray]:
    """The items of each replicate, as often as their questions are drawn."""
    drawn = np.random.default_rng(seed).integers(
        0, items.clusters, size=(replicates, items.clusters)
    )
    return [
        np.concatenate([np.flatnonzero(items.questions == place) for place in sample])
        for sample in drawn
    ]


def _bounds(values: list[float]) -> tuple[float, ...]:
    return tuple(np.quantile([value for value in values if not np.isnan(value)], [0.025, 0.975]))


@given(ITEMS)
def test_statistics_of_one_sample_are_those_of_the_report(rows: list[tuple[str, float]]) -> None:
    items = _items(rows, SCHEME)
    statistics = items.statistics()
    report = monotonicity(items.labels, items.scores, SCHEME)

    def value(estimate: Estimate) -> float:
        return float("nan") if estimate.value is None else estimate.value

    expected = [
        value(report.spearman),
        value(report.kendall_tau_b),
        value(report.outcomes.accuracy),
        value(violation_rate(report.pairs)),
    ]
    found = [getattr(statistics, name)[0] for name in ORDER_STATISTICS]
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)
    nan = float("nan")
    means = {one.label: value(one.mean) for one in report.classes}
    several = {
        "aucs": [value(pair.outcomes.auc) for pair in report.pairs],
        "accuracies": [value(pair.outcomes.accuracy) for pair in report.pairs],
        "violations": [
            nan if pair.is_violation is None else float(pair.is_violation) for pair in report.pairs
        ],
        "means": [means[label] for label in SCHEME.labels],
    }
    for name, values in several.items():
        found = getattr(statistics, name)[0].tolist()
        assert found == pytest.approx(values, abs=1e-12, nan_ok=True)


def test_intervals_are_those_of_resampled_rows(
    clustered: OrderedItems, intervals: OrderIntervals
) -> None:
    ranks = np.array(SCHEME.ranks)[clustered.classes]
    samples = _replicates(clustered, 40, seed=3)
    rho = [spearmanr(ranks[rows], clustered.scores[rows]).statistic for rows in samples]
    tau = [kendalltau(ranks[rows], clustered.scores[rows]).statistic for rows in samples]
    accuracy = []
    for rows in samples:
        ordered = ranks[rows][:, np.newaxis] > ranks[rows]
        above = clustered.scores[rows][:, np.newaxis] > clustered.scores[rows]
        accuracy.append(float((ordered & above).sum() / ordered.sum()))
    for name, values in (
        ("spearman", rho),
        ("kendall_tau_b", tau),
        ("pairwise_accuracy", accuracy),
    ):
        estimate = intervals.statistic(name)  # type: ignore[arg-type]
        assert (estimate.low, estimate.high) == pytest.approx(_bounds(values), abs=1e-12)
        assert (estimate.replicates, estimate.seed) == (40, 3)


def test_auc_and_violations_are_those_of_resampled_rows(
    clustered: OrderedItems, intervals: OrderIntervals
) -> None:
    pair = ("overinclusive-valid", "partial")
    places = [SCHEME.index_of[label] for label in pair]
    aucs, violated, means = [], [], []
    for rows in _replicates(clustered, 40, seed=3):
        rows = rows[np.isin(clustered.classes[rows], places)]
        is_higher, scores = clustered.classes[rows] == places[0], clustered.scores[rows]
        means.append(float(scores[is_higher].mean()) if is_higher.any() else float("nan"))
        if is_higher.all() or not is_higher.any():
            continue
        aucs.append(float(roc_auc_score(is_higher, scores)))
        violated.append(round(means[-1], 9) <= round(float(scores[~is_higher].mean()), 9))
    auc, probability = intervals.auc(pair), intervals.violation_probability(pair)
    assert (auc.low, auc.high) == pytest.approx(_bounds(aucs), abs=1e-12)
    assert auc.undefined_replicates == probability.undefined_replicates == 40 - len(aucs)
    assert (probability.value, probability.n) == (float(np.mean(violated)), len(aucs))
    mean = intervals.class_mean(pair[0])
    assert (mean.low, mean.high) == pytest.approx(_bounds(means), abs=1e-12)


def test_violation_probability_by_hand() -> None:
    # Each item is its own question: good 0.2 and bad 0.4. Both are in half of the replicates, and
    # then good never scores higher.
    order = order_intervals(_items([("good", 0.2), ("bad", 0.4)]), Bootstrap(400, seed=1))
    violated = order.violation_probability(("good", "bad"))
    assert violated.value == 1
    assert violated.n + violated.undefined_replicates == 400
    assert violated.n == pytest.approx(200, abs=50)
    assert order.statistic("violation_rate").value == 1
    assert order.statistic("violation_rate").n == 1
    assert order.violation_probability(("fine", "bad")) == undefined(
        "no replicate has items of both fine and bad", n=0, seed=1
    )


def test_equal_means_are_a_violation_in_every_replicate() -> None:
    # However often an item is drawn, the mean of 0.1 and 0.1 is that of 0.1.
    rows = [("good", 0.1)] * 3 + [("bad", 0.1)] * 7
    order = order_intervals(_items(rows), Bootstrap(200, seed=1))
    assert order.violation_probability(("good", "bad")).value == 1


@pytest.mark.parametrize(
    ("means", "violating"),
    [
        # CAP Tab. 17, means of the annotators' labels: the 4 of 27 that Tab. 12 gives CAP.
        (
            (98.88, 88.23, 26.79, 49.65, 79.71, 38.22, 17.16, 6.63),
            {
                ("alternative-correct", "overinclusive-valid"),
                ("alternative-correct", "partial"),
                ("alternative-correct", "overinclusive-invalid"),
                ("overinclusive-valid", "partial"),
            },
        ),
        # The same table's synthetic labels: equivalent falls below partial as well.
        (
            (98.84, 86.53, 37.54, 50.79, 87.21, 38.46, 12.32, 5.14),
            {
                ("equivalent", "partial"),
                ("alternative-correct", "overinclusive-valid"),
                ("alternative-correct", "partial"),
                ("alternative-correct", "overinclusive-invalid"),
                ("overinclusive-valid", "partial"),
            },
        ),
    ],
)
def test_violations_of_the_published_class_means(
    means: tuple[float, ...], violating: set[tuple[str, str]]
) -> None:
    rows = [(label, mean / 100) for label, mean in zip(SCHEME.labels, means, strict=True)]
    report = order_intervals(_items(rows, SCHEME), Bootstrap(2, seed=1)).report
    found = {(pair.higher.label, pair.lower.label) for pair in report.pairs if pair.is_violation}
    assert found == violating
    assert violation_rate(report.pairs) == Estimate(value=len(violating) / 27, n=27)


def test_difference_rests_on_the_same_draws(
    clustered: OrderedItems, intervals: OrderIntervals
) -> None:
    # The same order: no replicate differs, although either interval is wide.
    same = order_intervals(
        clustered.with_scores(2 * clustered.scores + 1), Bootstrap(40, seed=3, is_widened=False)
    )
    difference = same.difference(intervals, "spearman")
    assert (difference.value, difference.low, difference.high) == pytest.approx((0, 0, 0))
    assert same.share_above(intervals, "pairwise_accuracy") == 0
    reverse = order_intervals(
        clustered.with_scores(-clustered.scores), Bootstrap(40, seed=3, is_widened=False)
    )
    rho = intervals.statistic("spearman")
    difference = intervals.difference(reverse, "spearman")
    assert (difference.value, difference.low, difference.high) == pytest.approx(
        (2 * rho.value, 2 * rho.low, 2 * rho.high)  # type: ignore[operator]
    )
    assert intervals.share_above(reverse, "spearman") == 1
    assert same.mean_difference(intervals, "exact").n == 60


def test_difference_refuses_unpaired_draws(
    clustered: OrderedItems, intervals: OrderIntervals
) -> None:
    other = order_intervals(clustered, Bootstrap(40, seed=4, is_widened=False))
    with pytest.raises(ValueError, match="the same items and the same draws"):
        other.difference(intervals, "spearman")


def test_intervals_say_why_they_are_undefined() -> None:
    one = order_intervals(
        _items([("good", 0.9), ("bad", 0.1)], questions=["q", "q"]), Bootstrap(9, 6)
    )
    reason = "one question cannot be resampled into an interval"
    assert one.statistic("spearman") == Estimate(value=1.0, n=2, reason=reason, seed=6)
    assert one.difference(one, "spearman") == Estimate(value=0.0, n=2, reason=reason, seed=6)
    assert one.share_above(one, "spearman") is None
    assert one.violation_probability(("good", "bad")) == undefined(reason, n=0, seed=6)
    assert one.class_mean("fine") == undefined("no item is fine", n=0, seed=6)
    flat = order_intervals(_items([("good", 0.9), ("bad", 0.9)]), Bootstrap(9, 6))
    equal = "all values of a series are equal, so they give no order"
    assert flat.statistic("kendall_tau_b") == undefined(equal, n=2, seed=6)
    assert one.difference(
        order_intervals(
            _items([("good", 0.9), ("bad", 0.9)], questions=["q", "q"]), Bootstrap(9, 6)
        ),
        "spearman",
    ) == undefined(equal, n=2, seed=6)


@pytest.mark.parametrize(
    ("rows", "questions", "message"),
    [
        ([], [], "there is no item to order"),
        ([("good", float("nan"))], [1], "a score is not finite"),
        ([("odd", 0.1)], [1], "label 'odd' is not one of good, fine, fair, bad"),
        ([("good", 0.1)], [1, 2], "classes, scores and questions differ in number"),
    ],
)
def test_ordered_items_refuse_what_has_no_order(
    rows: list[tuple[str, float]], questions: Sequence[object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        _items(rows, questions=questions)
