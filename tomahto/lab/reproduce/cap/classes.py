"""The classes of CAP as the paper names them, and what a report says of them."""

from collections.abc import Callable

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.ranking.monotonicity import MonotonicityReport, OrderedPair
from tomahto.ranking.order_intervals import OrderIntervals, OrderStatistic

PAIRS_OF_PAPER = 27
CLASSES = {
    "Exact": "exact",
    "Equivalent": "equivalent",
    "Partial": "partial",
    "OV": "overinclusive-valid",
    "OI": "overinclusive-invalid",
    "Invalid": "invalid",
    "Contradictory": "contradictory",
    "Alt.": "alternative-correct",
    "Eq": "equivalent",
    "Part": "partial",
    "Alt": "alternative-correct",
    "Inv": "invalid",
}
"""By the paper's short names."""
MEAN_CLASSES = ("Exact", "Equivalent", "Partial", "OV", "OI", "Invalid", "Contradictory", "Alt.")
"""In the order of Tab. 17."""


def value_of(report: OrderIntervals | str, value: Callable[[OrderIntervals], Estimate]) -> Estimate:
    """What a report says, or the reason that it is not there for."""
    return undefined(report, n=0) if isinstance(report, str) else value(report)


def pair_of(report: MonotonicityReport, name: str) -> OrderedPair:
    """The pair of classes that the paper writes as "Eq > Part"."""
    higher, lower = (CLASSES[part] for part in name.split(" > "))
    (pair,) = (
        one for one in report.pairs if (one.higher.label, one.lower.label) == (higher, lower)
    )
    return pair


def statistic(report: OrderIntervals | str, name: OrderStatistic) -> Estimate:
    """What a report says of all classes, or why it is not there."""
    return value_of(report, lambda one: one.statistic(name))


def mean_of(report: OrderIntervals, name: str) -> Estimate:
    """The mean score of a class."""
    label = CLASSES[name]
    found = report.class_mean(label)
    return undefined(_needed(label), n=0) if found.value is None else found


def lacking(pair: OrderedPair) -> str:
    """Which answers the pair needs, "" if both classes have some."""
    empty = [one.label for one in (pair.higher, pair.lower) if one.mean.value is None]
    return _needed(*empty) if empty else ""


def violating(report: MonotonicityReport) -> Estimate:
    """How many of the strictly ordered pairs of classes are violations."""
    empty = [one.label for one in report.classes if one.mean.value is None]
    if empty:
        return undefined(_needed(*empty), n=report.n)
    return Estimate(value=sum(pair.is_violation is True for pair in report.pairs), n=report.n)


def _needed(*labels: str) -> str:
    return f"needs answers of the class {', '.join(labels)}: there is none"
