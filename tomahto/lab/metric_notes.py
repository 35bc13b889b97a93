"""Notes below the tables of metrics and systems: names, intervals, sources."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.figures.rows import R, Shown, as_texts, table_of
from tomahto.figures.table import PaperTable
from tomahto.lab.judged_units import UNIT_NAMES
from tomahto.lab.report import LabInput
from tomahto.lab.scores import MetricScores
from tomahto.matching.trainable import campaign_of


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
