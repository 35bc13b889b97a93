"""Golden values: scipy.stats and scikit-learn; the rest by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import roc_auc_score

from tasks.protocols import cap
from tomahto.classes.cap_sweep import AMBIGUOUS_PAIRS, HARD_NEIGHBOURS
from tomahto.estimates.estimate import Estimate
from tomahto.ranking.monotonicity import RULES, MonotonicityReport, monotonicity
from tomahto.ranking.order_counts import PairOutcomes, strictly_ordered_pairs
from tomahto.votes.scheme import LabelScheme

SCHEME = cap.PROTOCOL.scheme
SMALL = LabelScheme(("good", "fine", "fair", "bad"), (2, 2, 1, 0), "ordinal")
ITEMS = st.lists(
    st.tuples(st.sampled_from(SCHEME.labels), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0])),
    min_size=2,
    max_size=40,
)


def _report(items: list[tuple[str, float]], scheme: LabelScheme = SMALL) -> MonotonicityReport:
    scores = np.array([score for _, score in items], dtype=np.float64)
    return monotonicity([label for label, _ in items], scores, scheme)


def test_strictly_ordered_pairs_of_cap_are_27() -> None:
    pairs = strictly_ordered_pairs(SCHEME)
    assert len(pairs) == len(set(pairs)) == 27
    assert ("equivalent", "alternative-correct") not in pairs
    assert ("alternative-correct", "equivalent") not in pairs
    assert pairs[0] == ("exact", "equivalent")
    assert pairs[-1] == ("invalid", "contradictory")
    assert set(HARD_NEIGHBOURS) | set(AMBIGUOUS_PAIRS) <= set(pairs)


def test_monotonicity_by_hand() -> None:
    items = [
        *(("good", score) for score in (1.0, 0.5)),
        *(("fair", score) for score in (0.5, 0.75, 0.25)),
        *(("bad", score) for score in (0.5, 0.5)),
    ]
    report = monotonicity(
        [label for label, _ in items],
        np.array([score for _, score in items]),
        SMALL,
        hard_pairs=[("fair", "bad")],
        ambiguous_pairs=[("good", "fair")],
    )

    # Pairs, won tied lost. good/fair: 1.0 wins 3; 0.5 ties 1, loses 1, wins 1: 4 1 1.
    # good/bad: 1.0 wins 2, 0.5 ties 2: 2 2 0. fair/bad: tied 2, won 2, lost 2. Sum 8 5 3 of 16.
    # Means: good 0.75, fine none, fair 0.5, bad 0.5: fair > bad is violated.
    # tau-b: C - D = 8 - 3 = 5; n0 = 21, ties of rank 1 + 3 + 1 = 5, of score (4 of 0.5) 6
    # rho: mid-ranks of class 6.5 6.5, 4 4 4, 1.5 1.5; of score 7 3.5, 3.5 6 1, 3.5 3.5
    # centred: 2.5 2.5 0 0 0 -2.5 -2.5 and 3 -0.5 -0.5 2 -3 -0.5 -0.5:
    # (7.5 - 1.25 + 1.25 + 1.25) / sqrt(25 * (9 + 4 + 9 + 4 * 0.25))
    def pair(higher: str, lower: str, n: int, **more: object) -> dict[str, object]:
        flags = {"violation": None, "hard": False, "ambiguous": False}
        return {"higher": higher, "lower": lower, "n": n, "accuracy": None, "auc": None} | (
            flags | more
        )

    nothing = {"reason": "there is no pair to compare"}
    good_fair = pair("good", "fair", 6, accuracy=4 / 6, auc=0.75, violation=False, ambiguous=True)
    good_bad = pair("good", "bad", 4, accuracy=0.5, auc=0.75, violation=False)
    fair_bad = pair("fair", "bad", 6, accuracy=2 / 6, auc=0.5, violation=True, hard=True)
    names = [["good", "fair"], ["good", "bad"], ["fine", "fair"], ["fine", "bad"], ["fair", "bad"]]
    assert report.as_json() == {
        "n": 7,
        "spearman": pytest.approx(8.75 / (25 * 23) ** 0.5, abs=1e-15),
        "kendall_tau_b": pytest.approx(5 / (16 * 15) ** 0.5, abs=1e-15),
        "pairwise_accuracy": 0.5,
        "item_pairs": {
            "n": 16,
            "won": 8,
            "tied": 5,
            "lost": 3,
            "accuracy_ties_half": 10.5 / 16,
        },
        "violations": {
            "count": 1,
            "counted": 5,
            "judged": 3,
            "rate": 1 / 3,
            "violating_pairs": [["fair", "bad"]],
            "counted_pairs": names,
        },
        "violations_without_ambiguous": {
            "count": 1,
            "counted": 4,
            "judged": 2,
            "rate": 1 / 2,
            "violating_pairs": [["fair", "bad"]],
            "counted_pairs": names[1:],
        },
        "hard_pairs": [fair_bad],
        "pairs": [
            good_fair,
            good_bad,
            pair("fine", "fair", 0, **nothing),
            pair("fine", "bad", 0, **nothing),
            fair_bad,
        ],
        "classes": [
            {"class": "good", "rank": 2, "n": 2, "mean": 0.75},
            {"class": "fine", "rank": 2, "n": 0, "mean": None, "reason": "no item is fine"},
            {"class": "fair", "rank": 1, "n": 3, "mean": 0.5},
            {"class": "bad", "rank": 0, "n": 2, "mean": 0.5},
        ],
        "rules": RULES,
    }


def test_monotonicity_takes_equal_scores_for_equal_means_whatever_their_number() -> None:
    # Added one after the other, ten times 0.1 make 0.9999999999999999.
    report = _report([("good", 0.1)] * 3 + [("bad", 0.1)] * 10)
    assert [one.mean.value for one in report.classes] == [0.1, None, None, 0.1]
    assert report.as_json()["violations"]["violating_pairs"] == [["good", "bad"]]


def test_monotonicity_says_why_it_is_undefined() -> None:
    values = _report([("good", 0.5), ("fine", 0.5)]).as_json()
    nothing = {"spearman": None, "kendall_tau_b": None, "pairwise_accuracy": None}
    assert values | nothing == values
    assert values["reason"] == (
        "all values of a series are equal, so they give no order; there is no pair to compare"
    )
    reason = "no two classes of different rank have items"
    violations = {"count": 0, "judged": 0, "rate": None, "reason": reason}
    assert values["violations"] | violations == values["violations"]


@settings(max_examples=12)
@given(ITEMS)
def test_monotonicity_equals_scipy_and_scikit_learn(items: list[tuple[str, float]]) -> None:
    report = _report(items, SCHEME)
    ranks = [SCHEME.rank_of[label] for label, _ in items]
    scores = [score for _, score in items]
    if report.spearman.value is not None:
        assert report.spearman.value == pytest.approx(spearmanr(ranks, scores).statistic, abs=1e-12)
        assert report.kendall_tau_b.value == pytest.approx(
            kendalltau(ranks, scores).statistic, abs=1e-12
        )
    for pair in report.pairs:
        compared = [item for item in items if item[0] in {pair.higher.label, pair.lower.label}]
        if pair.outcomes.pairs:
            golden = roc_auc_score(
                [label == pair.higher.label for label, _ in compared],
                [score for _, score in compared],
            )
            assert pair.outcomes.auc.value == pytest.approx(golden, abs=1e-12)


def test_correlations_of_many_items_equal_scipy() -> None:
    generator = np.random.default_rng(3)
    places = generator.integers(0, len(SCHEME.labels), 20_000)
    ranks = np.array(SCHEME.ranks, dtype=np.float64)[places]
    scores = np.round(ranks + generator.normal(0, 3, 20_000), 2)
    report = monotonicity([SCHEME.labels[place] for place in places], scores, SCHEME)
    assert report.spearman.value == pytest.approx(spearmanr(ranks, scores).statistic, abs=1e-12)
    assert report.kendall_tau_b.value == pytest.approx(
        kendalltau(ranks, scores).statistic, abs=1e-12
    )


@pytest.mark.parametrize("sign", [1, -1])
@given(st.lists(st.sampled_from(SMALL.labels), min_size=2))
def test_correlations_of_equal_orders_reach_their_ends_exactly(
    sign: int, labels: list[str]
) -> None:
    report = _report([(label, sign * SMALL.rank_of[label]) for label in labels])
    expected = sign if len({SMALL.rank_of[label] for label in labels}) > 1 else None
    assert (report.spearman.value, report.kendall_tau_b.value) == (expected, expected)


def test_one_item_has_no_correlation() -> None:
    report = _report([("good", 0.5)])
    lonely = Estimate(value=None, reason="fewer than two items cannot be ranked", n=1)
    assert (report.spearman, report.kendall_tau_b) == (lonely, lonely)


@given(ITEMS)
def test_monotonicity_counts_every_ordered_pair_of_items(items: list[tuple[str, float]]) -> None:
    ordered = [
        (one[1] > other[1], one[1] == other[1])
        for one in items
        for other in items
        if SCHEME.rank_of[one[0]] > SCHEME.rank_of[other[0]]
    ]
    won = sum(is_won for is_won, _ in ordered)
    tied = sum(is_tied for _, is_tied in ordered)
    outcomes = _report(items, SCHEME).outcomes
    assert outcomes == PairOutcomes(won, tied, len(ordered) - won - tied)
    if ordered:
        assert outcomes.accuracy == Estimate(value=won / len(ordered), n=len(ordered))


@pytest.mark.parametrize(
    ("labels", "scores", "hard", "message"),
    [
        (["good", "odd"], [0.1, 0.2], [], "label 'odd' is not one of good, fine, fair, bad"),
        (["good"], [0.1, 0.2], [], "1 labels but 2 scores"),
        (["good"], [float("nan")], [], "a score is not finite"),
        (["good"], [0.1], [("fine", "good")], "fine is not ranked above good"),
    ],
)
def test_monotonicity_refuses_what_it_cannot_order(
    labels: list[str], scores: list[float], hard: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        monotonicity(labels, np.array(scores), SMALL, hard_pairs=hard)
