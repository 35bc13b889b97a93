"""Golden values: scikit-learn's cohen_kappa_score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.reliability.chance_corrected import KappaWeights, cohen_kappa
from tomahto.votes.patterns import PairTable
from tomahto.votes.scheme import LabelScheme

RATERS = ("al", "bo")
# Equally spaced ranks, in an order that is neither alphabetical nor that of the ranks.
EVEN = LabelScheme(("fair", "bad", "good", "best"), (2, 0, 4, 6), "ordinal")
LABELS = st.sampled_from(EVEN.labels)
# `same` stands at the place of `right`; between `wrong` and them lies a gap of 4.
UNEVEN = LabelScheme(("right", "same", "part", "wrong"), (6, 6, 5, 1), "ordinal")
CERTAIN = "expected agreement is 1: both used one"
ONE_RANK = f"{CERTAIN} rank only"
WEIGHTS: tuple[tuple[KappaWeights, str | None], ...] = (
    ("unweighted", None),
    ("linear", "linear"),
    ("quadratic", "quadratic"),
)


def _table(pairs: list[tuple[str, str]]) -> PairTable:
    return PairTable(RATERS, {pair: pairs.count(pair) for pair in pairs})


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=30))
def test_cohen_kappa_equals_scikit_learn_where_ranks_are_evenly_spaced(
    pairs: list[tuple[str, str]],
) -> None:
    first, second = zip(*pairs, strict=True)
    for ours, theirs in WEIGHTS:
        estimate = cohen_kappa(_table(pairs), EVEN, ours)
        assert estimate.n == len(pairs)
        if estimate.value is None:
            assert set(first) == set(second) == {first[0]}
            continue
        by_rank = ["bad", "fair", "good", "best"]
        golden = cohen_kappa_score(first, second, labels=by_rank, weights=theirs)
        assert estimate.value == pytest.approx(golden, rel=0, abs=1e-12)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        # Table, rows al: right-right 2, right-same 1, same-part 1, wrong-part 1, wrong-wrong 1.
        # al: right 3, same 1, part 0, wrong 2; bo: right 2, same 1, part 2, wrong 1; N = 6.
        # observed: right-same, same-part and wrong-part differ: 3
        # expected: N - (3 * 2 + 1 * 1 + 0 + 2 * 1) / 6 = 27 / 6
        ("unweighted", 1 - 3 / (27 / 6)),
        # observed: 0 + 1 + 4 = 5
        # expected: 4 at rank 6 with (part 2 at distance 1, wrong 1 at 5) = 4 * 7 = 28, 2 wrong
        # with (3 at rank 6 at distance 5, part 2 at 4) = 2 * 23 = 46; 74 / 6
        ("linear", 1 - 5 / (74 / 6)),
        # observed: 0 + 1 + 16 = 17; expected: (4 * (2 + 25) + 2 * (75 + 32)) / 6 = 322 / 6
        ("quadratic", 1 - 17 / (322 / 6)),
    ],
)
def test_cohen_kappa_weighs_by_rank_by_hand(weights: KappaWeights, expected: float) -> None:
    table = PairTable(
        RATERS,
        {
            ("right", "right"): 2,
            ("right", "same"): 1,
            ("same", "part"): 1,
            ("wrong", "part"): 1,
            ("wrong", "wrong"): 1,
        },
    )
    estimate = cohen_kappa(table, UNEVEN, weights)
    assert estimate.value == pytest.approx(expected, abs=1e-15)
    assert estimate.n == 6


@pytest.mark.parametrize(
    ("counts", "weights", "expected"),
    [
        ({}, "linear", undefined("no item is shared", n=0)),
        ({("right", "right"): 5}, "unweighted", undefined(f"{CERTAIN} label only", n=5)),
        # labels of one rank differ only where they are not weighed
        ({("right", "same"): 2, ("same", "right"): 2}, "unweighted", Estimate(value=-1.0, n=4)),
        *(
            ({("right", "same"): 2, ("same", "right"): 2}, weights, undefined(ONE_RANK, n=4))
            for weights in ("linear", "quadratic")
        ),
    ],
)
def test_cohen_kappa_says_why_it_is_undefined(
    counts: dict[tuple[str, str], int], weights: KappaWeights, expected: Estimate
) -> None:
    assert cohen_kappa(PairTable(RATERS, counts), UNEVEN, weights) == expected


def test_cohen_kappa_names_an_unknown_label() -> None:
    with pytest.raises(
        ValueError, match=r"raters \('al', 'bo'\): label 'odd' is not in the scheme"
    ):
        cohen_kappa(PairTable(RATERS, {("right", "odd"): 1}), UNEVEN, "linear")


def test_cohen_kappa_of_uneven_ranks_differs_from_weights_by_place() -> None:
    # scikit-learn weighs by the place in `labels`.
    table = PairTable(RATERS, {("right", "part"): 2, ("part", "wrong"): 2, ("wrong", "wrong"): 3})
    pairs = [pair for pair, items in table.counts.items() for _ in range(items)]
    first, second = np.array(pairs).T
    by_place = cohen_kappa_score(first, second, labels=list(UNEVEN.labels), weights="linear")
    assert cohen_kappa(table, UNEVEN, "linear").value != pytest.approx(by_place, abs=1e-3)
