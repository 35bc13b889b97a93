"""A report: what it is made from, its sections, the notes below their tables, and its JSON."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from tomahto.charts.chart_data import CHART_KINDS, TableChart
from tomahto.charts.rows import R, Shown, as_texts, table_of
from tomahto.charts.table import PaperTable, one_of
from tomahto.conformal.answer_sets import CandidateTable
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.lab.judged import UNIT_NAMES, JudgedData, JudgedItem, Unit
from tomahto.matching.cap import CapScore
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.trainable import campaign_of
from tomahto.types import Floats


@dataclass(frozen=True, slots=True)
class MetricSignature:
    """A metric by name, version and threshold."""

    metric: str
    version: str
    threshold: float


@dataclass(frozen=True, eq=False)
class MetricScores:
    """A metric's scores (I,) of I items, in their order.

    `version` is the metric's signature: it changes whenever a score could. An item is right to the
    metric if its score is at least `threshold`.

    Raises ValueError if a score is not from 0 to 1.
    """

    metric: str
    version: str
    threshold: float
    scores: Floats

    def __post_init__(self) -> None:
        if not ((self.scores >= 0) & (self.scores <= 1)).all():
            raise ValueError(f"{self.metric}: a score is not from 0 to 1")


def separating_threshold(flagged: Collection[tuple[float, bool]], usual: float) -> float:
    """The score from which just the accepted of these scores are: the usual one, or else the lowest
    of the accepted.

    Raises ValueError if a score is not accepted although one as low or lower is.
    """
    accepted = [score for score, is_accepted in flagged if is_accepted]
    others = max((score for score, is_accepted in flagged if not is_accepted), default=-math.inf)
    if others < usual <= min(accepted, default=math.inf):
        return usual
    lowest = min(accepted, default=math.nextafter(others, math.inf))
    if others >= lowest:
        pair = f"one of {lowest:g} is accepted, and one of {others:g} is not"
        raise ValueError(f"no score is its threshold: {pair}")
    return lowest


def pair_of(item: JudgedItem) -> Pair:
    return Pair(item.question, item.context, item.references, item.candidate)


def score_items(items: Sequence[JudgedItem], matcher: Matcher) -> MetricScores:
    """The matcher's scores. Raises what it raises."""
    scores = np.array(matcher.score([pair_of(item) for item in items]), dtype=np.float64)
    return MetricScores(matcher.name, matcher.version, matcher.threshold, scores)


@dataclass(frozen=True, slots=True)
class Section:
    """Tables that answer one question. `reason` says why there is none, or why some are lacking.

    `lead` is what the section asks, in one or two sentences.
    """

    key: str
    title: str
    lead: str
    tables: tuple[PaperTable, ...]
    charts: tuple[TableChart, ...] = ()
    reason: str = ""


@dataclass(frozen=True, eq=False)
class RankedCandidates:
    """The answers that a system weighed for each question, admitted by people's labels and exact
    matches, and the same admitted by metrics from their thresholds."""

    system: str
    labels: CandidateTable
    metrics: Sequence[tuple[MetricSignature, CandidateTable]] = ()


@dataclass(frozen=True)
class LabInput:
    """The input of every section.

    `scores` are of all `data.items`, in their order. Thresholds are tuned on the items of the split
    `tune_on`, and what was tuned is then judged on the others; without it they are tuned and judged
    on the same items, and tables say so. `cap_scores` are what CAP says of all items, in their
    order, where it has scored them; `candidates` are a system's, where they are known. Metrics are
    set against people by the `unit`.
    """

    data: JudgedData
    scores: Sequence[MetricScores]
    bootstrap: Bootstrap
    tune_on: str | None = None
    cap_scores: Sequence[CapScore] | None = None
    candidates: RankedCandidates | None = None
    unit: Unit = "items"


@dataclass(frozen=True)
class LabReport:
    """`digest` is that of the data; `metrics` are the signatures of those in the tables."""

    name: str
    protocol: str
    digest: str
    items: int
    metrics: tuple[MetricSignature, ...]
    seed: int
    replicates: int
    tune_on: str | None
    sections: tuple[Section, ...]


def metric_names(scores: Sequence[MetricScores]) -> tuple[str, ...]:
    """The metrics' names, with their versions where two of them have the same name."""
    times = Counter(metric.metric for metric in scores)
    return tuple(
        metric.metric if times[metric.metric] == 1 else f"{metric.metric} {metric.version}"
        for metric in scores
    )


def named(given: LabInput) -> str:
    """The unit, as captions have it."""
    return f"unit: {UNIT_NAMES[given.unit]}"


def interval_note(bootstrap: Bootstrap) -> str:
    return (
        "In brackets 95 % percentile intervals of a bootstrap over questions"
        f" ({bootstrap.replicates:,} replicates, seed {bootstrap.seed})."
    )


def by_chance(pairs: int, of: str) -> str:
    return (
        "The intervals are not adjusted for multiple comparisons: without any difference, about "
        f"one in 20 excludes 0 by chance. Pairs of {of}: {pairs}."
    )


def points_chart(
    table: str,
    title: str,
    label: str,
    series: tuple[str, ...],
    across: str,
    *,
    ends: tuple[float, float] = (0, 1),
) -> TableChart:
    """The rows of a table by name, one below the other, between the ends of their values."""
    return TableChart("points", table, title, label, series, across, label.capitalize(), *ends)


def lab_table(
    given: LabInput,
    key: str,
    title: str,
    rows: Iterable[R],
    *columns: Shown[R],
    notes: str | Iterable[str],
    after: str,
) -> PaperTable:
    """A table of the data of a report, `after` those of a paper. Metrics that were trained on
    labels are named below it."""
    source = f"{given.data.named}; after {after}"
    notes = (*as_texts(notes), *_trained(given.scores))
    return table_of(key, title, rows, *columns, notes=notes, source=source)


def _trained(scores: Iterable[MetricScores]) -> Iterator[str]:
    for name in dict.fromkeys(metric.metric for metric in scores):
        if campaign := campaign_of(name):
            yield (
                f"{name} was trained on the labels of the campaign {campaign}: figures of items"
                " that it learned from are in-sample, and not to be compared with those of metrics"
                " that did not."
            )


FORMAT = 1


def report_as_json(report: LabReport) -> dict[str, Any]:
    """All of the report by the names of its fields; nothing in it is rounded."""
    return {"format": FORMAT, **_as_json(report)}


def report_from_json(content: Mapping[str, Any]) -> LabReport:
    """The report that `report_as_json` wrote.

    Raises KeyError if a part is missing, and ValueError if it has another format or its parts
    contradict each other.
    """
    if content["format"] != FORMAT:
        raise ValueError(f"a report of format {content['format']!r}; this version reads {FORMAT}")
    parts = _parts(LabReport, content)
    metrics = (MetricSignature(**_parts(MetricSignature, each)) for each in parts["metrics"])
    sections = map(_section_from_json, parts["sections"])
    return LabReport(**parts | {"metrics": tuple(metrics), "sections": tuple(sections)})


def _as_json(value: Any) -> Any:
    if isinstance(value, PaperTable):
        return value.as_json()
    if isinstance(value, tuple):
        return list(map(_as_json, value))
    if is_dataclass(value):
        return {each.name: _as_json(getattr(value, each.name)) for each in fields(value)}
    return value


def _parts(kind: type[LabReport | MetricSignature | Section | TableChart], content: Any) -> Any:
    """The content's values under the names of the fields."""
    return {each.name: content[each.name] for each in fields(kind)}


def _section_from_json(content: Mapping[str, Any]) -> Section:
    parts = _parts(Section, content)
    tables, charts = map(PaperTable.from_json, parts["tables"]), map(_chart, parts["charts"])
    return Section(**parts | {"tables": tuple(tables), "charts": tuple(charts)})


def _chart(content: Mapping[str, Any]) -> TableChart:
    parts = _parts(TableChart, content)
    kind, series = one_of(CHART_KINDS, parts["kind"]), tuple(parts["series"])
    return TableChart(**parts | {"kind": kind, "series": series})
