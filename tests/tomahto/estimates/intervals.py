"""The intervals of estimates that have one."""

from tomahto.estimates.estimate import Estimate


def ends(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high


def width(estimate: Estimate) -> float:
    low, high = ends(estimate)
    return high - low


def covers(estimate: Estimate, value: float) -> bool:
    low, high = ends(estimate)
    return low <= value <= high
