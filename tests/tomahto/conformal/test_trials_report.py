from fractions import Fraction

import numpy as np
import pytest

from tomahto.conformal.trials import (
    ConformalTrials,
    TrialPlan,
    TrialSets,
    mean_bound,
    set_figures,
    signature,
    trials_as_json,
)

# Five trials at two targets; NumPy's percentiles of 1, ..., 5: place 4 * 0.16 = 0.64 is 1.64.
SIZES = np.array([[1.0, 10], [2, 10], [3, 10], [4, 10], [5, 20]])
EXACT = TrialSets(SIZES, np.full((5, 2), 0.5))
RAW = TrialSets(SIZES / 2, np.full((5, 2), 0.25))


def _trials(bounds: list[float] | None = None, dropped: int = 0) -> ConformalTrials:
    return ConformalTrials(
        TrialPlan(trials=5, seed=9),
        (Fraction("0.5"), Fraction("0.9")),
        questions=100,
        calibration=80,
        unanswerable=3,
        dropped=dropped,
        sets={"exact": EXACT, "raw": RAW, "corrected": EXACT} if bounds else {"exact": EXACT},
        bounds=None if bounds is None else np.array(bounds),
    )


def test_set_figures_are_means_with_percentiles_over_the_trials() -> None:
    first, second = set_figures(_trials(), "exact")
    assert (first.target, second.target) == (Fraction("0.5"), Fraction("0.9"))
    assert first.size.value == 3
    assert (first.size.low, first.size.high) == pytest.approx((1.64, 4.36))
    assert (first.size.n, first.size.replicates, first.size.confidence) == (20, 5, 0.68)
    # of 10, 10, 10, 10, 20 the 84th percentile lies 0.36 of the way to 20
    assert second.size.value == 12
    assert (second.size.low, second.size.high) == pytest.approx((10, 13.6))
    assert (second.accuracy.value, second.accuracy.low, second.accuracy.high) == (0.5, 0.5, 0.5)


def test_mean_bound_counts_the_labelled_tenth() -> None:
    assert mean_bound(_trials()) is None
    bound = mean_bound(_trials([0.1, 0.2, 0.3, 0.4, 0.5]))
    assert bound is not None
    assert bound.value == pytest.approx(0.3)
    assert bound.n == 8


def test_signature_says_how_the_figures_came_about() -> None:
    assert signature(_trials()) == (
        "conformal|p:(greater+equal+1)/(n+1)|calibration:80of100|trials:5|seed:9"
        "|unanswerable:infinite|v1"
    )
    assert signature(_trials([0.1] * 5, dropped=2)) == (
        "conformal|p:(greater+equal+1)/(n+1)|calibration:80of100|trials:5|seed:9"
        "|unanswerable:2dropped|error:tenth,gamma:0.01|v1"
    )


def test_trials_as_json_has_the_matchers_sets_below_the_exact_ones() -> None:
    values = trials_as_json(_trials([0.1] * 5), ["0.5", "0.90"])
    assert [*values["targets"]] == ["0.5", "0.90"]
    target = values["targets"]["0.5"]
    assert target["mean_set_size"] == {
        "value": 3.0,
        "low": pytest.approx(1.64),
        "high": pytest.approx(4.36),
        "n": 20,
        "replicates": 5,
        "seed": 9,
    }
    assert [*target["approximate"]] == ["raw", "corrected"]
    assert target["approximate"]["raw"]["accuracy"]["value"] == 0.25
    assert values["error_bound"]["n"] == 8
    counts = ("questions", "calibration", "test", "unanswerable", "dropped", "trials", "seed")
    assert [values[name] for name in counts] == [100, 80, 20, 3, 0, 5, 9]
    assert values["percentiles"] == [16, 84]
    alone = trials_as_json(_trials(), ["0.5", "0.90"])
    assert "error_bound" not in alone
    assert [*alone["targets"]["0.5"]] == ["mean_set_size", "accuracy"]
