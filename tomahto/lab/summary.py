"""The conclusions of a report, decided by the intervals of its own tables.

A difference is sure where its interval leaves out 0, as in the tables. Every interval stands by
itself: of many pairs that do not differ at all, about one in 20 seems sure. Metrics are compared
by their accuracy at the tuned threshold, which is fair to metrics whose scores have different
scales (Bulian et al. 2022, Tab. 4); systems by people's verdicts on the questions both answered.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, TypeAlias

from tomahto.charts.table import Cell, PaperTable
from tomahto.estimates.bootstrap import FEW
from tomahto.estimates.estimate import Estimate, turned
from tomahto.lab.report import LabReport

CHANCE = 0.5  # AUC of a metric whose scores say nothing
_PEOPLE = "People"  # as the table of flips calls them
_WEIGHED = (
    *("metric_quality", "metric_quality_by_system", "metric_differences"),
    *("systems", "system_differences"),
)

Why = Literal["left out", "reason", "one system", "no metric", "undefined", "not in it"]
"""The section is not in the report or has a reason; there is one system, no metric, no accuracy; or
the report is from before its table was."""


@dataclass(frozen=True, slots=True)
class Unsaid:
    """Why a question has no answer, with the section's own `reason` where it has one."""

    why: Why
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Margin:
    """The lead of `first` over `second`."""

    first: str
    second: str
    difference: Estimate

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves out 0."""
        low, high = self.difference.low, self.difference.high
        return low is not None and high is not None and (low > 0 or high < 0)

    @property
    def is_open(self) -> bool:
        """Whether there is an interval, and it holds 0."""
        return self.difference.low is not None and not self.is_sure


@dataclass(frozen=True, slots=True)
class Margins:
    """Differences by what their intervals say. `resolution` is half the width of the median
    interval: a difference smaller than that would hardly show; None without intervals."""

    sure: tuple[Margin, ...]
    open: tuple[Margin, ...]
    unknown: tuple[Margin, ...]

    @property
    def pairs(self) -> int:
        return len(self.sure) + len(self.open) + len(self.unknown)

    @property
    def resolution(self) -> float | None:
        bounds = [(each.difference.low, each.difference.high) for each in (*self.sure, *self.open)]
        halves = [(high - low) / 2 for low, high in bounds if low is not None and high is not None]
        return median(halves) if halves else None


@dataclass(frozen=True, slots=True)
class MetricVerdict:
    """The metric that agrees with people most, at its tuned threshold and, `own`, at its own.

    `others` are its margins over every other metric, the closest first. Thresholds were tuned
    `in_sample` if on the very items that metrics are judged on.
    """

    best: str
    accuracy: Estimate
    own: Estimate
    auc: Estimate
    others: Margins
    in_sample: bool

    @property
    def is_chance(self) -> bool:
        """Whether its scores may say nothing of what is right, as far as the interval shows."""
        return self.auc.low is None or self.auc.low <= CHANCE


@dataclass(frozen=True, slots=True)
class Flip:
    """People put `better` above `worse`, the metric below it; differences are those of `better`
    less `worse`."""

    metric: str
    better: str
    worse: str
    people: Estimate
    to_metric: Estimate
    probability: Estimate

    @property
    def is_sure(self) -> bool:
        """Whether both intervals leave out 0."""
        margins = (self.people, self.to_metric)
        return all(Margin(self.better, self.worse, each).is_sure for each in margins)


@dataclass(frozen=True, slots=True)
class OrderVerdict:
    """Of the systems under people and under `metrics`: flips, those of the highest probability
    first, and the metrics that have none."""

    metrics: tuple[str, ...]
    flips: tuple[Flip, ...]

    @property
    def sure(self) -> tuple[Flip, ...]:
        return tuple(flip for flip in self.flips if flip.is_sure)

    @property
    def unsure(self) -> tuple[Flip, ...]:
        return tuple(flip for flip in self.flips if not flip.is_sure)

    @property
    def keeping(self) -> tuple[str, ...]:
        flipping = {flip.metric for flip in self.flips}
        return tuple(metric for metric in self.metrics if metric not in flipping)


@dataclass(frozen=True, slots=True)
class Shortage:
    """Rows of a table of which too little is judged: they have numbers without an interval for
    this `reason`, or, where it is "", that rest on fewer than FEW judgements."""

    table: str  # its title
    rows: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    metrics: MetricVerdict | Unsaid
    systems: Margins | Unsaid
    order: OrderVerdict | Unsaid
    shortages: tuple[Shortage, ...]


_Row: TypeAlias = Mapping[str, Cell]


def summary_of(report: LabReport) -> Summary:
    """The answers of the sections `metric_quality` and `systems`."""
    tables = {table.key: table for section in report.sections for table in section.tables}
    weighed = [tables[key] for key in _WEIGHED if key in tables]
    return Summary(
        metrics=_metrics(report, tables),
        systems=_systems(report, tables),
        order=_order(report, tables),
        shortages=tuple(shortage for table in weighed for shortage in _shortages(table)),
    )


def _metrics(report: LabReport, tables: Mapping[str, PaperTable]) -> MetricVerdict | Unsaid:
    if "metric_quality" not in tables:
        return _without_section(report, "metric_quality")
    rows = {str(row["metric"]): row for row in _rows(tables["metric_quality"])}
    known = {
        name: value
        for name, row in rows.items()
        if (value := _estimate(row["tuned_accuracy"]).value) is not None
    }
    if not known:
        return Unsaid("undefined")
    best = max(known, key=lambda name: known[name])
    differences = _rows(tables["metric_differences"]) if "metric_differences" in tables else ()
    margins = (_margin(row, "tuned_accuracy") for row in differences)
    others = [
        each if each.first == best else _turned(each)
        for each in margins
        if best in (each.first, each.second)
    ]
    return MetricVerdict(
        best=best,
        accuracy=_estimate(rows[best]["tuned_accuracy"]),
        own=_estimate(rows[best]["accuracy_own"]),
        auc=_estimate(rows[best]["auc"]),
        others=_sorted_out(sorted(others, key=_size)),
        in_sample=report.tune_on is None,
    )


def _systems(report: LabReport, tables: Mapping[str, PaperTable]) -> Margins | Unsaid:
    if unsaid := _without_pairs(report, tables):
        return unsaid
    if "system_differences" not in tables:
        return Unsaid("not in it")
    margins = [_margin(row, "people") for row in _rows(tables["system_differences"])]
    better = [each if (each.difference.value or 0) >= 0 else _turned(each) for each in margins]
    return _sorted_out(sorted(better, key=_size, reverse=True))


def _order(report: LabReport, tables: Mapping[str, PaperTable]) -> OrderVerdict | Unsaid:
    if unsaid := _without_pairs(report, tables):
        return unsaid
    if "rank_agreement" not in tables:
        return Unsaid("no metric")
    flips = [
        Flip(
            metric=str(row["other_judge"]),
            better=str(row["system"]),
            worse=str(row["other_system"]),
            people=_estimate(row["difference"]),
            to_metric=_estimate(row["other_difference"]),
            probability=_estimate(row["probability"]),
        )
        for row in _rows(tables["rank_flips"])
        if row["judge"] == _PEOPLE
    ]
    return OrderVerdict(
        metrics=tuple(str(row["metric"]) for row in _rows(tables["rank_agreement"])),
        flips=tuple(sorted(flips, key=lambda flip: -(flip.probability.value or 0))),
    )


def _without_section(report: LabReport, key: str) -> Unsaid:
    for section in report.sections:
        if section.key == key:
            return Unsaid("reason", section.reason)
    return Unsaid("left out")


def _without_pairs(report: LabReport, tables: Mapping[str, PaperTable]) -> Unsaid | None:
    """Why there are no two systems to compare, if there are none."""
    if "systems" not in tables:
        return _without_section(report, "systems")
    return Unsaid("one system") if len(tables["systems"].rows) < 2 else None


def _rows(table: PaperTable) -> list[_Row]:
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def _estimate(cell: Cell) -> Estimate:
    if isinstance(cell, Estimate):
        return cell
    raise TypeError(f"{cell!r:.80} is not an estimate")


def _margin(row: _Row, key: str) -> Margin:
    return Margin(str(row["first"]), str(row["second"]), _estimate(row[key]))


def _turned(margin: Margin) -> Margin:
    return Margin(margin.second, margin.first, turned(margin.difference))


def _size(margin: Margin) -> float:
    return margin.difference.value or 0.0


def _sorted_out(margins: Sequence[Margin]) -> Margins:
    return Margins(
        sure=tuple(each for each in margins if each.is_sure),
        open=tuple(each for each in margins if each.is_open),
        unknown=tuple(each for each in margins if each.difference.low is None),
    )


def _shortages(table: PaperTable) -> Iterator[Shortage]:
    """Each reason once, in the order of the rows."""
    rows_by_reason: dict[str, list[str]] = {}
    for row in table.rows:
        name = ", ".join(cell for cell in row[:2] if isinstance(cell, str))
        for reason in dict.fromkeys(_reasons(row)):
            rows_by_reason.setdefault(reason, []).append(name)
    for reason, names in rows_by_reason.items():
        yield Shortage(table.title, tuple(names), reason)


def _reasons(row: Sequence[Cell]) -> Iterator[str]:
    for cell in row:
        if isinstance(cell, Estimate):
            if cell.reason:
                yield cell.reason
            elif cell.n < FEW:
                yield ""
