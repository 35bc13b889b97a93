"""Evaluations to look at: of a campaign by a real job, or of a report made by hand."""

import json
from typing import Any

from tasks.evaluations.workflow.evaluation import EvaluationPlan
from tasks.jobs import work as jobs
from tasks.jobs.workflow.jobs import start_job
from tasks.models import Campaign, Evaluation, Job, JobKind, JobState
from tomahto.charts.chart_data import TableChart
from tomahto.charts.table import Column, PaperTable
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.report import LabReport, MetricSignature, Section, report_as_json
from tomahto.lab.sections import SECTIONS

SECTION = next(iter(SECTIONS))


def plan(**changes: Any) -> EvaluationPlan:
    """One section with few replicates."""
    chosen = {"metrics": ("f1",), "seed": 3, "sections": (SECTION,), "replicates": 20}
    return EvaluationPlan(**{**chosen, **changes})


def run_job(campaign: Campaign, chosen: EvaluationPlan) -> Job:
    """The job as a worker leaves it."""
    job = start_job(
        campaign=campaign, kind=JobKind.EVALUATE, parameters=chosen.as_json(), created_by=None
    )
    jobs.run_job(job.pk)
    job.refresh_from_db()
    return job


def store(campaign: Campaign, report: LabReport, **fields: Any) -> Evaluation:
    """An evaluation with a report that nobody has to work out."""
    number = Job.objects.count()
    job = Job.objects.create(
        campaign=campaign, kind=JobKind.EVALUATE, input_hash=str(number), state=JobState.DONE
    )
    return Evaluation.objects.create(
        campaign=campaign,
        job=job,
        parameters={"metrics": [metric.metric for metric in report.metrics], "tune_on": None},
        digest=report.digest,
        report=json.dumps(report_as_json(report)),
        **fields,
    )


def sample_report() -> LabReport:
    """Every kind of cell and chart, a table too long to be read at once, and an empty section."""
    return LabReport(
        name="Rivers",
        protocol="ae",
        digest="0123456789abcdef" * 4,
        items=1234,
        metrics=(MetricSignature("f1", "f1 of tokens 1", 0.5),),
        seed=7,
        replicates=2000,
        tune_on=None,
        sections=(
            Section("quality", "Metrics and people", "Do they agree?", _tables(), _CHARTS),
            Section("transfer", "Transfer", "Does it hold?", (), reason="the data have no splits"),
        ),
    )


_CHARTS = (
    TableChart("points", "rates", "Accuracy", "metric", ("accuracy",), "Accuracy", "", 0, 1),
    TableChart("line", "sweep", "By threshold", "threshold", ("rate",), "Threshold", "Rate"),
)


def _tables() -> tuple[PaperTable, ...]:
    accuracy = Estimate(value=0.8125, low=0.75, high=0.875, n=1234, replicates=2000, seed=7)
    rates = PaperTable(
        key="rates",
        title="Rates of each metric",
        columns=(
            Column("system", "System", "text"),
            Column("metric", "Metric", "text"),
            Column("n", "n"),
            Column("accuracy", "Accuracy", "percent"),
            Column("auc", "AUC", "number"),
        ),
        rows=(
            ("juniper", "f1", 1234, accuracy, -0.25),
            ("<b>larch</b>", "em", 5, undefined("all labels are right", n=5), 0.5),
        ),
        notes=("n is the number of items.",),
        source="Rivers",
    )
    sweep = PaperTable(
        key="sweep",
        title="Rates by threshold",
        columns=(Column("threshold", "Threshold", "number"), Column("rate", "Rate", "percent")),
        rows=tuple((place / 20, place / 40) for place in range(21)),
        notes=(),
        source="Rivers",
    )
    return rates, sweep
