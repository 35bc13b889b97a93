"""Golden values: scikit-learn; the rest by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

from tomahto.estimates.estimate import Estimate
from tomahto.ranking.order_counts import PairOutcomes, pair_outcomes, sum_of_outcomes
from tomahto.types import Floats

# Few different values make ties likely; the last two lie closer than any sum could tell.
VALUES = st.sampled_from([-1e300, -2.5, 0.0, 0.1, 0.2, 0.3, 0.1 + 0.2])


def _series(values: list[float]) -> Floats:
    return np.array(values, dtype=np.float64)


def test_pair_outcomes_count_every_pair_by_hand() -> None:
    # 3 beats 1, 2; ties with 3. 2 beats 1; ties with 2; loses to 3. 0 loses all.
    outcomes = pair_outcomes(_series([3, 2, 0]), _series([1, 2, 3]))
    assert outcomes == PairOutcomes(won=3, tied=2, lost=4)
    assert outcomes.accuracy == Estimate(value=3 / 9, n=9)
    assert outcomes.auc == Estimate(value=4 / 9, n=9)


def test_pair_outcomes_without_pairs_have_no_share() -> None:
    nothing = pair_outcomes(_series([1, 2]), _series([]))
    assert nothing == PairOutcomes(0, 0, 0)
    assert (
        nothing.accuracy
        == nothing.auc
        == Estimate(value=None, reason="there is no pair to compare", n=0)
    )


def test_sum_of_outcomes_pools_the_pairs() -> None:
    pooled = sum_of_outcomes([PairOutcomes(1, 2, 3), PairOutcomes(10, 20, 30)])
    assert pooled == PairOutcomes(11, 22, 33)


@given(st.lists(VALUES, min_size=1), st.lists(VALUES, min_size=1))
def test_auc_equals_scikit_learn(higher: list[float], lower: list[float]) -> None:
    outcomes = pair_outcomes(_series(higher), np.sort(_series(lower)))
    # Ranks keep the order and stay apart where scikit-learn would drop thresholds as collinear.
    ranks = rankdata([*higher, *lower], method="dense")
    golden = roc_auc_score([1] * len(higher) + [0] * len(lower), ranks)
    assert outcomes.auc.value == pytest.approx(golden, abs=1e-12)
