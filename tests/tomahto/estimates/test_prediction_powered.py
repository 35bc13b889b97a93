"""Golden values: ppi-python 0.2.3, ppi_mean_pointestimate and ppi_mean_ci(alpha=0.05).

Its interval is value -+ 1.96 se, which can leave 0 to 1; what is compared is the standard error.
"""

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tomahto.estimates.intervals import covers, ends, width
from tomahto.estimates.estimate import Estimate
from tomahto.estimates.prediction_powered import (
    PredictionPowered,
    prediction_powered_mean,
    with_known,
)
from tomahto.types import Floats

HUMAN = np.tile(np.array([1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1.0]), 3)
SCORES = np.array([0.9, 0.2, 0.8, 0.6, 0.4, 0.7, 0.1, 0.95, 0.5, 0.85, 0.3, 0.65])
PREDICTIONS = np.concatenate([SCORES, SCORES - 0.05, SCORES * 0.9])
FURTHER = np.array(
    [
        *(0.9, 0.1, 0.5, 0.7, 0.8, 0.3, 0.2, 0.95, 0.6, 0.4, 0.75, 0.15, 0.85, 0.55, 0.65),
        *(0.9, 0.05, 0.45, 0.35, 0.7, 0.8, 0.9, 0.25, 0.6, 0.5, 0.95, 0.3, 0.7, 0.1, 0.85),
    ]
)


class Sample(NamedTuple):
    human: Floats
    predictions: Floats
    further: Floats


@pytest.mark.parametrize(
    ("weight", "value", "low", "high"),
    [
        (None, 0.6775895953212052, 0.5498312688999845, 0.805347921742426),
        (1.0, 0.6834722222222223, 0.54779307570672, 0.8191513687377245),
        (0.0, 0.6666666666666666, 0.5126773528500358, 0.8206559804832975),
        (0.5, 0.6750694444444445, 0.5457334473974441, 0.8044054414914449),
    ],
)
def test_prediction_powered_mean_equals_ppi_python(
    weight: float | None, value: float, low: float, high: float
) -> None:
    found = prediction_powered_mean(HUMAN, PREDICTIONS, FURTHER, weight=weight)
    assert found.estimate.value == pytest.approx(value, abs=1e-12)
    # its interval is normal: 1.96 standard errors either side
    assert found.error == pytest.approx((high - low) / 2 / NormalDist().inv_cdf(0.975), abs=1e-12)
    assert (found.estimate.n, found.predicted) == (36, 30)


def test_prediction_powered_mean_by_hand() -> None:
    # 30 labels: 20 of 1 with score 1, 5 of 0 with score 1, 5 of 0 with score 0. Weight 1:
    # Y - f is 0 for 25 and -1 for 5: mean -1/6, variance 5/36. Further: 60 of 1, 20 of 0:
    # mean 3/4, variance 3/16. Value 3/4 - 1/6 = 7/12.
    human = np.array([1.0] * 20 + [0.0] * 10)
    predictions = np.array([1.0] * 25 + [0.0] * 5)
    further = np.array([1.0] * 60 + [0.0] * 20)
    found = prediction_powered_mean(human, predictions, further, weight=1)
    error = (5 / 36 / 30 + 3 / 16 / 80) ** 0.5
    assert found.estimate.value == pytest.approx(7 / 12, abs=1e-15)
    assert found.error == pytest.approx(error, rel=1e-12)
    # With half a label of 1 and score 0, and half a one of 0 and score 1: Y - f adds up to -5 + 0.5
    # - 0.5, its squares to 5 + 1, of 31, and the labels to 20.5. The ends are the shares p that
    # 7/12 is just t sqrt(p (1 - p) / n) away from, t = 2.0452 of 29 degrees of freedom, and n so
    # many that labels of that mean have this error.
    share, variance = 20.5 / 31, (6 / 31 - (5 / 31) ** 2) / 30 + 3 / 16 / 80
    n = share * (1 - share) / variance
    for end in ends(found.estimate):
        assert abs(7 / 12 - end) == pytest.approx(2.04523 * (end * (1 - end) / n) ** 0.5, rel=1e-5)
    assert found.classical.value == pytest.approx(2 / 3, abs=1e-15)
    # The labels alone: variance 2/9 over 30
    assert found.effective_n == pytest.approx(30 * (2 / 9 / 30) / error**2, rel=1e-12)
    # Tuned: cov(Y, f) = 20/30 - 2/3 * 5/6 = 1/9; f over all 110: 85 ones, variance
    # 85/110 * 25/110 * 110/109; lambda = 1/9 / ((1 + 30/80) * that)
    tuned = prediction_powered_mean(human, predictions, further).weight
    assert tuned == pytest.approx(1 / 9 / (1.375 * 85 * 25 / 110 / 109), rel=1e-12)


def test_prediction_powered_mean_covers_and_is_narrower_than_classical() -> None:
    covered, narrower = 0, 0
    for seed in range(400):
        found = prediction_powered_mean(*_sample(seed, labels=100, quality=0.85))
        covered += covers(found.estimate, 0.7)
        narrower += width(found.estimate) < width(found.classical)
    assert 0.93 <= covered / 400 <= 0.97  # 0.95 with standard deviation 0.011
    assert narrower >= 396


@pytest.mark.parametrize(("right", "wrong"), [(0.8, 0.0), (0.5, 0.3), (0.0, 0.6)])
def test_with_known_covers_the_share_of_all(right: float, wrong: float) -> None:
    """Whether an item is known to be right or wrong is drawn like everything else."""
    covered, truth = 0, right + (1 - right - wrong) * 0.7
    for seed in range(400):
        shares = [right, wrong, 1 - right - wrong]
        ones, zeros, _others = map(int, np.random.default_rng(seed).multinomial(600, shares))
        human, predictions, further = _sample(seed, labels=60, quality=0.85)
        found = prediction_powered_mean(human, predictions, further[: 600 - ones - zeros])
        covered += covers(with_known(found, right=ones, wrong=zeros, total=600), truth)
    assert 0.93 <= covered / 400 <= 0.97


def test_with_known_needs_a_value_and_others() -> None:
    found = prediction_powered_mean(HUMAN, PREDICTIONS, FURTHER)
    with pytest.raises(ValueError, match=r"66 \+ 0 of 66 items are known"):
        with_known(found, right=66, wrong=0, total=66)
    nothing = prediction_powered_mean(np.empty(0), np.empty(0), FURTHER)
    with pytest.raises(ValueError, match="and the others None"):
        with_known(nothing, right=3, wrong=0, total=33)


def test_prediction_powered_mean_is_never_much_wider_than_classical() -> None:
    ratios = []
    for seed in range(100):  # a matcher that knows nothing
        found = prediction_powered_mean(*_sample(seed, labels=400, quality=0.5))
        ratios.append(width(found.estimate) / width(found.classical))
    assert max(ratios) < 1.002
    assert np.mean(ratios) == pytest.approx(1, abs=0.005)


@given(st.permutations(range(36)), st.permutations(range(30)))
def test_prediction_powered_mean_ignores_the_order_of_items(
    labelled: list[int], further: list[int]
) -> None:
    ours = prediction_powered_mean(HUMAN, PREDICTIONS, FURTHER)
    theirs = prediction_powered_mean(HUMAN[labelled], PREDICTIONS[labelled], FURTHER[further])
    assert theirs.weight == pytest.approx(ours.weight, rel=1e-9)
    assert ends(theirs.estimate) == pytest.approx(ends(ours.estimate), rel=1e-9)


def test_prediction_powered_mean_of_wrong_labels_is_one_less_the_mean() -> None:
    ours = prediction_powered_mean(HUMAN, PREDICTIONS, FURTHER)
    theirs = prediction_powered_mean(1 - HUMAN, 1 - PREDICTIONS, 1 - FURTHER)
    low, high = ends(ours.estimate)
    assert ends(theirs.estimate) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_prediction_powered_mean_says_why_there_is_no_value_or_no_interval() -> None:
    nothing = np.empty(0)
    missing = Estimate(value=None, n=0, reason="no item has a human label")
    assert prediction_powered_mean(nothing, nothing, FURTHER) == PredictionPowered(
        missing, missing, 0.0, 30, 0.0, None
    )
    one = prediction_powered_mean(HUMAN[:1], PREDICTIONS[:1], FURTHER)
    assert one.estimate == Estimate(
        value=one.estimate.value, n=1, reason="an interval needs two human labels"
    )


@pytest.mark.parametrize("share", [0.5, 0.97])
@pytest.mark.parametrize("labels", [2, 10, 30, 60])
def test_prediction_powered_mean_covers_with_few_labels_and_near_the_ends(
    labels: int, share: float
) -> None:
    covered = 0
    for seed in range(400):
        sample = _sample(seed, labels=labels, quality=0.85, share=share)
        covered += covers(prediction_powered_mean(*sample).estimate, share)
    assert covered >= 0.93 * 400  # 0.96 to 1.00, with standard deviation 0.011 at most


def test_labels_that_are_alike_have_the_interval_of_so_many_labels() -> None:
    # Wilson's with t = 2.0227 of 39 degrees of freedom: from 40 / (40 + t^2) to 1
    found = prediction_powered_mean(np.ones(40), np.ones(40), np.ones(9))
    assert (found.estimate, found.weight, found.effective_n) == (found.classical, 0, None)
    assert ends(found.estimate) == pytest.approx((40 / (40 + 2.02269**2), 1), abs=1e-5)
    # 10 of 59 are known to be right, so only 49 / 59 of what is not known is left
    low, high = ends(with_known(found, right=10, wrong=0, total=59))
    assert (ends(found.estimate)[0] < low, high) == (True, 1)


@pytest.mark.parametrize("weight", [None, 1.0])
def test_predictions_that_never_err_have_an_interval(weight: float | None) -> None:
    # The tuned weight is 1: covariance 1/4 of the labelled, and variance 1/4 * 40 / 139 of all, so
    # lambda = 0.25 / ((1 + 40 / 100) * 0.25 * 40 / 139) = 2.48, which is more than 1.
    human = np.tile([0.0, 1.0], 20)
    found = prediction_powered_mean(human, human, np.full(100, 0.5), weight=weight)
    assert (found.weight, found.error, found.effective_n) == (1, 0, None)
    # the added labels alone err: 1 and -1 of half a weight each, a variance of 1 / 41
    low, high = ends(found.estimate)
    size = 0.25 / (1 / 41 / 40)
    assert high - 0.5 == pytest.approx(2.02269 * (high * (1 - high) / size) ** 0.5, rel=1e-5)
    assert low == pytest.approx(1 - high, abs=1e-12)


def test_prediction_powered_mean_without_further_items_is_classical() -> None:
    found = prediction_powered_mean(HUMAN, PREDICTIONS, np.empty(0), weight=1)
    assert (found.estimate, found.weight, found.effective_n) == (found.classical, 0, 36)


@pytest.mark.parametrize(
    ("human", "weight", "confidence", "message"),
    [
        (HUMAN[1:], None, 0.95, "35 human values but 36 predictions"),
        (HUMAN * np.nan, None, 0.95, "a value is not finite"),
        (HUMAN * 1.1, None, 0.95, "a human value is not between 0 and 1"),
        (HUMAN, 1.5, 0.95, "weight 1.5 is not between 0 and 1"),
        (HUMAN, None, 1.0, "confidence 1.0 is not between 0 and 1"),
    ],
)
def test_prediction_powered_mean_refuses_what_is_no_sample(
    human: Floats, weight: float | None, confidence: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        prediction_powered_mean(human, PREDICTIONS, FURTHER, weight=weight, confidence=confidence)


def _sample(seed: int, *, labels: int, quality: float, share: float = 0.7) -> Sample:
    """2000 items of which a share is right; the matcher says so with chance `quality`, noisily."""
    generator = np.random.default_rng(seed)
    truth = generator.random(2000) < share
    judged = np.where(generator.random(2000) < quality, truth, ~truth)
    scores = np.clip(judged * 0.8 + generator.normal(0.1, 0.1, 2000), 0, 1)
    return Sample(truth[:labels].astype(np.float64), scores[:labels], scores[labels:])
