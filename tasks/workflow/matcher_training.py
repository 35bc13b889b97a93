"""Training a matcher on a campaign's own majority labels."""

from typing import Any

from django.db import transaction

from inference.matchers.learning_curve import CurvePoint, LearningCurve
from inference.matchers.registry import load_matcher
from inference.matchers.trainable import train_matcher
from measures.estimate import estimate_as_json
from tasks.models import Campaign, Job, TrainedMatcher, TrainedMatcherKind
from tasks.queries.labelled import LabelledItems, labelled_items
from tasks.workflow import jobs

FOLDS = 5


class TrainingRefused(ValueError):
    """Nothing can be learned from the labels as they are; the message says what is missing."""


def train_on_labels(*, job: Job, kind: TrainedMatcherKind, seed: int) -> TrainedMatcher:
    """Draw the learning curve point by point, then train on all labels and store the matcher.

    The same labels and seed give the same matcher, which is stored once. Raises TrainingRefused,
    and LeaseLost before anything is stored.
    """
    labelled = sufficient_labels(job.campaign)
    curve = LearningCurve(labelled.examples, labelled.documents, folds=FOLDS, seed=seed)
    total = len(curve.label_numbers) + 2  # the baselines, and the matcher itself
    baselines = {
        "shipped": estimate_as_json(curve.untrained(load_matcher(kind))),
        "token_f1": estimate_as_json(curve.token_f1()),
    }
    jobs.report_progress(job=job, done=1, total=total)
    points: list[dict[str, Any]] = []
    for labels in curve.label_numbers:
        point = curve.point(labels, lambda part: train_matcher(kind, part, seed=seed).matcher)
        points.append(_as_json(point))
        jobs.report_progress(job=job, done=1 + len(points), total=total)
    trained = _trained(job, kind, seed, labelled)
    trained.learning_curve = {"folds": FOLDS, "points": points, "baselines": baselines}
    stored = _store(job, trained)
    jobs.report_progress(job=job, done=total, total=total)
    return stored


def sufficient_labels(campaign: Campaign) -> LabelledItems:
    """The campaign's labels. Raises TrainingRefused if they are not enough to learn from."""
    protocol = campaign.annotation_protocol
    if not protocol.correct_labels:
        raise TrainingRefused(
            f"protocol {protocol.name} calls no label correct: there is nothing to learn"
        )
    labelled = labelled_items(campaign)
    if missing := labelled.missing():
        raise TrainingRefused(f"the labels are not enough to learn from: {'; '.join(missing)}")
    return labelled


def _trained(
    job: Job, kind: TrainedMatcherKind, seed: int, labelled: LabelledItems
) -> TrainedMatcher:
    weights = train_matcher(kind, labelled.examples, seed=seed)
    return TrainedMatcher(
        campaign=job.campaign,
        kind=kind,
        weights=weights.text,
        digest=weights.digest,
        labels=len(labelled.examples),
        correct=labelled.correct,
        ties=labelled.ties,
        documents=labelled.document_count,
        seed=seed,
        job=job,
    )


def _store(job: Job, trained: TrainedMatcher) -> TrainedMatcher:
    """The row, or the one there is of the same weights."""
    with transaction.atomic():
        jobs.require_held(job=job)
        TrainedMatcher.objects.bulk_create([trained], ignore_conflicts=True)
        return TrainedMatcher.objects.select_related("campaign").get(
            campaign=trained.campaign, kind=trained.kind, digest=trained.digest
        )


def _as_json(point: CurvePoint) -> dict[str, Any]:
    return {
        "labels": point.labels,
        "accuracy": estimate_as_json(point.accuracy),
        "folds": list(point.folds),
    }
