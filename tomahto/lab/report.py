"""A report: sections of tables with their charts, and what every number in them rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from tomahto.conformal.answer_sets import CandidateTable
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.figures.table import PaperTable
from tomahto.figures.table_chart import TableChart
from tomahto.lab.judged import JudgedData
from tomahto.lab.judged_units import Unit
from tomahto.lab.scores import MetricScores
from tomahto.matching.cap.score import CapScore


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


@dataclass(frozen=True, slots=True)
class MetricSignature:
    """Which metric, exactly."""

    metric: str
    version: str
    threshold: float


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
