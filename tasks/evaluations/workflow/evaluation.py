"""Evaluations: what metrics and systems are worth on a campaign or a release, reported once."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from django.db import transaction

from tasks.evaluations.queries.judged import judged_data_of_campaign
from tasks.evaluations.queries.metric_scores import (
    cap_scores,
    is_quick,
    ranked_candidates,
    stored_scores,
    suggests,
)
from tasks.intake.queries import ImportedScores, imported_scores
from tasks.jobs.workflow import jobs
from tasks.jobs.workflow.jobs import start_job
from tasks.models import AuditAction, Campaign, Evaluation, Job, JobKind, Membership, Release
from tasks.prefill.queries.matchers import is_trained_name, load_trained_matcher
from tasks.release_store.released import compared_folder
from tasks.storing.acts import record
from tasks.storing.database import one_moment
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.lab.judged import JudgedData, JudgedItem, Unit
from tomahto.lab.release_data import judged_data_of_release
from tomahto.lab.report import (
    LabInput,
    LabReport,
    MetricScores,
    RankedCandidates,
    report_as_json,
    score_items,
)
from tomahto.lab.sections import SECTIONS, check_sections, check_split, make_report
from tomahto.matching.interface import Matcher
from tomahto.matching.registry import load_matcher

REPLICATES = 2000
Report = Callable[[int, int], None]  # done, total


class EvaluationRefused(ValueError):
    """There is nothing to report on, or not with these choices; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationPlan:
    """The subject of an evaluation. `release` is a version, None for the campaign as it stands;
    `sections` None for all; thresholds are tuned on the split `tune_on`, if one is named. Metrics
    are set against people by the `unit`."""

    metrics: tuple[str, ...]
    seed: int
    release: str | None = None
    sections: tuple[str, ...] | None = None
    tune_on: str | None = None
    replicates: int = REPLICATES
    unit: Unit = "items"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "EvaluationPlan":
        sections = data["sections"]
        chosen = None if sections is None else tuple(sections)
        return cls(**{**data, "metrics": tuple(data["metrics"]), "sections": chosen})


def start_evaluation(*, plan: EvaluationPlan, by: Membership) -> Job:
    parameters = plan.as_json()
    return start_job(
        campaign=by.campaign, kind=JobKind.EVALUATE, parameters=parameters, created_by=by.user
    )


def run_evaluation(*, job: Job) -> Evaluation:
    """Evaluate as the parameters of the job say, and store the report.

    A job that has stored its report before changes nothing. Raises EvaluationRefused, what
    matchers and releases raise, and LeaseLost before anything is stored.
    """
    if stored := Evaluation.objects.filter(job=job).first():
        return stored
    plan = EvaluationPlan.from_json(job.parameters)

    def report(done: int, total: int) -> None:
        jobs.report_progress(job=job, done=done, total=total)

    made = evaluate(campaign=job.campaign, plan=plan, report=report)
    parameters = plan.as_json()
    del parameters["release"]
    with transaction.atomic():
        jobs.require_held(job=job)
        evaluation = Evaluation.objects.create(
            campaign=job.campaign,
            release=_release(job.campaign, plan),
            job=job,
            parameters=parameters,
            digest=made.digest,
            report=json.dumps(report_as_json(made), ensure_ascii=False, allow_nan=False),
            created_by=job.created_by,
        )
        record(
            AuditAction.EVALUATION_MADE,
            campaign=job.campaign,
            subject=("evaluation", evaluation.pk),
            details={"digest": made.digest},
        )
        return evaluation


def evaluate(
    *, campaign: Campaign, plan: EvaluationPlan, report: Report = lambda _done, _total: None
) -> LabReport:
    """The report on what is judged now, or in a release. `report` is told of each step: the data,
    every metric, every section.

    Raises EvaluationRefused, ReleaseError, StoreError, and what a matcher raises.
    """
    with _refused():
        check_sections(plan.sections)
        if len(set(plan.metrics)) < len(plan.metrics):
            raise ValueError(f"the same metric is named twice: {', '.join(plan.metrics)}")
    before = 1 + len(plan.metrics)
    total = before + len(SECTIONS if plan.sections is None else plan.sections)
    data = judged_data(campaign, _release(campaign, plan))
    with _refused():
        _check_data(data, plan.tune_on)
    report(1, total)
    scores = []
    for done, name in enumerate(plan.metrics, start=2):
        scores.append(metric_scores(campaign, data.items, name))
        report(done, total)
    given = LabInput(
        data,
        scores,
        Bootstrap(plan.replicates, plan.seed),
        plan.tune_on,
        cap_scores=cap_scores(campaign, _matcher(campaign, "cap"), data.items)
        if "cap" in plan.metrics
        else None,
        candidates=_candidates(campaign, plan),
        unit=plan.unit,
    )
    return make_report(
        given, plan.sections, lambda done, _sections, _next: report(before + done, total)
    )


def judged_data(campaign: Campaign, release: Release | None) -> JudgedData:
    if release is None:
        with one_moment():
            return judged_data_of_campaign(campaign)
    with compared_folder(release.path) as folder:
        return judged_data_of_release(folder)


def metric_scores(campaign: Campaign, items: Sequence[JudgedItem], name: str) -> MetricScores:
    """The scores of the items: those that are stored, and those that a quick matcher gives now.

    Raises EvaluationRefused if another matcher, or the last file of scores imported under that
    name, has not scored all of them.
    """
    if imported := imported_scores(campaign, name):
        return _as_imported(name, imported, items)
    matcher = _matcher(campaign, name)
    stored = stored_scores(campaign, matcher, items)
    if stored.missing and not is_quick(name):
        raise EvaluationRefused(
            f"{name} has not scored {len(stored.missing):,} of {len(items):,} items with its "
            f"version {matcher.version}; let it make suggestions first"
        )
    scores = dict(stored.scores)
    if stored.missing:
        new = score_items(stored.missing, matcher).scores.tolist()
        scores.update(zip((item.id for item in stored.missing), new, strict=True))
    in_order = np.array([scores[item.id] for item in items], dtype=np.float64)
    return MetricScores(matcher.name, matcher.version, matcher.threshold, in_order)


def _as_imported(name: str, imported: ImportedScores, items: Sequence[JudgedItem]) -> MetricScores:
    missing = sum(item.id not in imported.scores for item in items)
    if missing:
        raise EvaluationRefused(
            f"{name} has no score of {missing:,} of {len(items):,} items in the latest import "
            f"({imported.version}); import a file with all of them"
        )
    try:
        threshold = imported.threshold
    except ValueError as error:
        raise EvaluationRefused(f"{name}: {error}") from error
    in_order = np.array([imported.scores[item.id] for item in items], dtype=np.float64)
    return MetricScores(name, imported.version, threshold, in_order)


def _candidates(campaign: Campaign, plan: EvaluationPlan) -> RankedCandidates | None:
    """Admitted also by the metrics whose threshold means something, however long that takes."""
    if plan.release is not None or (
        plan.sections is not None and "answer_sets" not in plan.sections
    ):
        return None
    metrics = [_matcher(campaign, name) for name in plan.metrics if suggests(name)]
    return ranked_candidates(campaign, metrics)


def _matcher(campaign: Campaign, name: str) -> Matcher:
    if is_trained_name(name):
        return load_trained_matcher(campaign, name)
    return load_matcher(name)


def _release(campaign: Campaign, plan: EvaluationPlan) -> Release | None:
    if plan.release is None:
        return None
    releases = Release.objects.filter(campaign=campaign).select_related("withdrawal")
    release = releases.filter(version=plan.release).first()
    if release is None:
        raise EvaluationRefused(f"there is no release {plan.release} of {campaign.slug}")
    if release.withdrawn:
        raise EvaluationRefused(f"release {plan.release} was withdrawn: {release.withdrawn.reason}")
    return release


@contextmanager
def _refused() -> Iterator[None]:
    """A ValueError of the block says why there can be no report."""
    try:
        yield
    except ValueError as error:
        raise EvaluationRefused(str(error)) from error


def _check_data(data: JudgedData, tune_on: str | None) -> None:
    if not data.correct_labels:
        raise ValueError(f"protocol {data.protocol} has no label for right answers")
    if not data.items:
        raise ValueError("nothing has been judged yet: no item has a label")
    check_split(data, tune_on)
