"""Conformal answer sets as a section of a report (Bulian 2022 §5, Tab. 8, Fig. 2)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from tomahto.charts.chart_data import TableChart
from tomahto.charts.table import Cell, Column, ColumnKind, PaperTable
from tomahto.conformal.answer_sets import GAMMA, labelled_questions
from tomahto.conformal.trials import (
    PERCENTILES,
    Calibrated,
    ConformalTrials,
    SetFigures,
    TrialPlan,
    conformal_trials,
    set_figures,
    signature,
)
from tomahto.lab.report import MetricSignature, RankedCandidates, Section

TABLE_8_TARGETS = tuple(Fraction(percent, 100) for percent in (99, 95, 90, 80, 70))
CURVE_TARGETS = tuple(Fraction(percent, 100) for percent in range(50, 100))

_WAYS: dict[Calibrated, str] = {"exact": "labels", "raw": "matcher", "corrected": "corrected"}
_APPROXIMATE: tuple[Calibrated, ...] = ("raw", "corrected")
_KEY, _TITLE, _CURVE = "answer_sets", "Answer sets", "answer_set_curve"
_LEAD = (
    "How many answers must a system return to be right as often as is wanted? Sets that are"
    " calibrated with more admissible answers are smaller and no less accurate."
)

_WAYS_NOTE = (
    "Exact: what is admitted calibrates and judges the sets. Raw and corrected: the metric admits"
    " in the calibration, and people's labels and exact matches judge; corrected divides p-values"
    f" by one minus the upper bound (gamma = {GAMMA}) of how often its top answer is wrong,"
    " counted on a tenth of the calibration questions."
)


def answer_sets_section(
    trials: ConformalTrials,
    *,
    targets: Sequence[Fraction],
    source: str,
    matcher: MetricSignature | None = None,
) -> Section:
    """The sets at `targets` as a table, and those at CURVE_TARGETS as a curve if they were tried.

    `source` says what was tried, `matcher` what admitted the answers that labels did not. Raises
    KeyError if the trials have not all the targets.
    """
    tables = [_table(trials, _KEY, _TITLE, targets, source, matcher)]
    charts: tuple[TableChart, ...] = ()
    if set(CURVE_TARGETS) <= set(trials.targets):
        title = "Answer sets at every target"
        tables.append(_table(trials, _CURVE, title, CURVE_TARGETS, source, matcher))
        charts = _charts(trials)
    return Section(_KEY, _TITLE, _LEAD, tuple(tables), charts)


def admission_tables(
    found: RankedCandidates, plan: TrialPlan, source: str
) -> tuple[PaperTable, PaperTable]:
    """Size and accuracy at TABLE_8_TARGETS by who admits (Tab. 8): people, and every metric.

    A metric has three rows: exact, where what it admits is taken for right throughout; raw and
    corrected, where it admits in the calibration only and people's labels judge.
    """
    ways = list(_admissions(found, plan))
    notes = (
        _WAYS_NOTE,
        *(
            f"{metric.metric} admits from {metric.threshold:g} ({metric.version})."
            for metric, _ in found.metrics
        ),
    )
    columns = (Column("admission", "Admission", "text"), Column("way", "Calibration", "text"))

    def table(key: str, title: str, kind: ColumnKind) -> PaperTable:
        return PaperTable(
            key=f"{_KEY}_{key}",
            title=f"{title} by who admits answers, at target accuracies",
            columns=(
                *columns,
                *(
                    Column(f"target_{100 * target}", f"Target {float(target)}", kind)
                    for target in TABLE_8_TARGETS
                ),
            ),
            rows=tuple(
                (admission, way, *(getattr(each, key) for each in figures))
                for admission, way, figures in ways
            ),
            notes=notes,
            source=f"{source}; {plan.trials} trials, seed {plan.seed}; after Bulian et al. (2022),"
            " Tab. 8 and Fig. 2",
        )

    return (
        table("size", "Mean number of answers", "number"),
        table("accuracy", "How often a right answer is among them,", "percent"),
    )


def _admissions(
    found: RankedCandidates, plan: TrialPlan
) -> Iterator[tuple[str, Calibrated, list[SetFigures]]]:
    by_people = conformal_trials(found.labels, TABLE_8_TARGETS, plan)
    yield "people", "exact", set_figures(by_people, "exact")
    for metric, admitted in found.metrics:
        by_metric = conformal_trials(admitted, TABLE_8_TARGETS, plan)
        yield metric.metric, "exact", set_figures(by_metric, "exact")
        mixed = conformal_trials(found.labels, TABLE_8_TARGETS, plan, approximate=admitted)
        for way in _APPROXIMATE:
            yield metric.metric, way, set_figures(mixed, way)


def no_answer_sets(reason: str) -> Section:
    """The section without anything to make sets of."""
    return Section(_KEY, _TITLE, _LEAD, (), reason=reason)


def _table(
    trials: ConformalTrials,
    key: str,
    title: str,
    targets: Sequence[Fraction],
    source: str,
    matcher: MetricSignature | None,
) -> PaperTable:
    columns = [Column("target", "Target accuracy", "percent")]
    rows: dict[Fraction, list[Cell]] = {target: [float(target)] for target in targets}
    for kind in trials.sets:
        columns.append(Column(f"{kind}_size", f"Size, {_WAYS[kind]}", "number"))
        columns.append(Column(f"{kind}_accuracy", f"Accuracy, {_WAYS[kind]}", "percent"))
        figures = {each.target: each for each in set_figures(trials, kind)}
        for target, row in rows.items():
            row += [figures[target].size, figures[target].accuracy]
    return PaperTable(
        key=key,
        title=f"{title}: mean number of answers, and how often a right one is among them",
        columns=tuple(columns),
        rows=tuple(map(tuple, rows.values())),
        notes=tuple(_notes(trials, matcher)),
        source=f"{source}; {signature(trials)}; after Bulian et al. (2022), Tab. 8 and Fig. 2",
    )


def _notes(trials: ConformalTrials, matcher: MetricSignature | None) -> Iterator[str]:
    low, high = PERCENTILES
    tested = trials.questions - trials.calibration
    yield (
        f"n = {trials.plan.trials:,} random splits of {trials.questions:,} questions, in each"
        f" {trials.calibration:,} to calibrate and {tested:,} to test. Values are means over the"
        f" splits; in brackets are the {low}th and {high}th percentiles over the splits, which show"
        " how much a split matters and are no confidence interval of the mean."
    )
    yield (
        "An answer stays if its p-value, (#{M > s} + #{M = s} + 1) / (n + 1), exceeds 1 - target;"
        " M is the smallest nonconformity of a calibration question's admissible answers."
    )
    if trials.dropped:
        yield f"{trials.dropped:,} more questions have no admissible answer and were left out."
    if trials.unanswerable:
        most = 1 - trials.unanswerable / trials.questions
        yield (
            f"{trials.unanswerable:,} questions have no admissible answer among their candidates"
            f" and count as infinite: sets cannot be right in more than {100 * most:.1f} % of all."
        )
    if trials.bounds is not None:
        labelled = labelled_questions(trials.calibration)
        yield _matcher_note(float(trials.bounds.mean()), labelled, matcher)


def _matcher_note(bound: float, labelled: int, matcher: MetricSignature | None) -> str:
    name = "a matcher"
    if matcher:
        name = f"{matcher.metric} from {matcher.threshold:g} ({matcher.version})"
    return (
        f"Matcher: {name} admitted the answers of calibration questions; labels judge the sets."
        f" Corrected: p-values divided by one minus the upper bound (gamma = {GAMMA}) of how often"
        f" the matcher's top answer is wrong, counted on {labelled:,} calibration questions; the"
        f" mean bound is {bound:.3f}. The correction holds for questions whose top"
        " answer the matcher has right; of the others it promises nothing."
    )


def _charts(trials: ConformalTrials) -> tuple[TableChart, TableChart]:
    """Fig. 2 b and a; the target stands beside the accuracies, as what they are to reach."""
    across = "Target accuracy (%)"
    return (
        TableChart(
            kind="line",
            table=_CURVE,
            title="Size of the sets by target accuracy",
            label="target",
            series=tuple(f"{kind}_size" for kind in trials.sets),
            across=across,
            up="Mean number of answers",
            low=0.0,
        ),
        TableChart(
            kind="line",
            table=_CURVE,
            title="Measured accuracy by target accuracy",
            label="target",
            series=("target", *(f"{kind}_accuracy" for kind in trials.sets)),
            across=across,
            up="Accuracy (%)",
        ),
    )
