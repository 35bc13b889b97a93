"""Training a matcher on a campaign's own majority labels."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from tasks.jobs.workflow import jobs
from tasks.models import AuditAction, Campaign, Job, TrainedMatcher, TrainedMatcherKind
from tasks.prefill.queries.labelled import LabelledItems, labelled_items
from tasks.storing.acts import record
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined
from tomahto.matching.interface import Matcher
from tomahto.matching.registry import available_matchers, load_matcher
from tomahto.matching.trainable import (
    TrainedModel,
    TrainedWeights,
    curve_plan,
    require_trainable,
    train_matcher,
)
from tomahto.matching.training.labelled_pairs import LabelledPair
from tomahto.matching.training.learning_curve import CurvePoint, LearningCurve
from tomahto.pretrained.content_folder import finish, publish
from tomahto.pretrained.output_folder import remove_unfinished, unfinished_folder


class TrainingRefused(ValueError):
    """Nothing can be learned from the labels as they are; the message says what is missing."""


def train_on_labels(*, job: Job, kind: TrainedMatcherKind, seed: int) -> TrainedMatcher:
    """Draw the learning curve point by point, then train on all labels and store the matcher.

    The same labels and seed give the same matcher, which is stored once. Raises TrainingRefused,
    ModelError, and LeaseLost before anything is stored.
    """
    labelled = sufficient_labels(job.campaign)
    require_trainable(kind)
    training = _Training(job, kind, seed, labelled)
    learning_curve = training.draw_curve()
    trained = TrainedMatcher(
        campaign=job.campaign,
        kind=kind,
        labels=len(labelled.examples),
        correct=labelled.correct,
        ties=labelled.ties,
        documents=labelled.document_count,
        seed=seed,
        learning_curve=learning_curve,
        job=job,
    )
    weights = training.on_all_labels()
    if isinstance(weights, TrainedWeights):
        trained.weights, trained.digest = weights.text, weights.digest
        stored = _store(job, trained)
    else:
        stored = _store_folder(job, trained, weights)
    training.report_step()
    return stored


def sufficient_labels(campaign: Campaign) -> LabelledItems:
    """The campaign's labels. Raises TrainingRefused if they are not enough to learn from."""
    protocol = campaign.annotation_protocol
    if not protocol.correct_labels:
        raise TrainingRefused(
            f"protocol {protocol.name} has no label for correct answers, so nothing can be learned"
        )
    labelled = labelled_items(campaign)
    if missing := labelled.missing():
        raise TrainingRefused(f"too few labels to learn from: {'; '.join(missing)}")
    return labelled


class _Training:
    """One job's trainings, each of which is a step of its progress."""

    def __init__(
        self, job: Job, kind: TrainedMatcherKind, seed: int, labelled: LabelledItems
    ) -> None:
        plan = curve_plan(kind)
        self._job, self._kind, self._seed, self._labelled = job, kind, seed, labelled
        self._curve = LearningCurve(
            labelled.examples, labelled.documents, plan.folds, seed, plan.points
        )
        self._done = 0
        # the baselines, each point's trainings, and the matcher itself
        self._total = len(self._curve.label_numbers) * plan.folds + 2

    def draw_curve(self) -> dict[str, Any]:
        """The curve as it is stored."""
        baselines = {
            "shipped": estimate_as_json(self._untrained()),
            "token_f1": estimate_as_json(self._curve.token_f1()),
        }
        self.report_step()
        folds = self._curve.folds
        points: list[dict[str, Any]] = []
        for labels in self._curve.label_numbers:
            points.append(_as_json(self._curve.point(labels, self._trained_for_curve)))
            self._report(1 + len(points) * folds)  # an undefined point trains nothing
        return {"folds": folds, "points": points, "baselines": baselines}

    def on_all_labels(self) -> TrainedWeights | TrainedModel:
        return self._train(self._labelled.examples)

    def report_step(self) -> None:
        self._report(self._done + 1)

    def _report(self, done: int) -> None:
        self._done = done
        jobs.report_progress(job=self._job, done=done, total=self._total)

    def _train(self, examples: Sequence[LabelledPair]) -> TrainedWeights | TrainedModel:
        held = partial(jobs.require_held, job=self._job)
        return train_matcher(self._kind, examples, seed=self._seed, step=held)

    def _trained_for_curve(self, examples: Sequence[LabelledPair]) -> Matcher:
        matcher = self._train(examples).matcher
        self.report_step()
        return matcher

    def _untrained(self) -> Estimate:
        """The site's own matcher of the kind, where it has one."""
        if self._kind in available_matchers():
            return self._curve.untrained(load_matcher(self._kind))
        reason = f"this site has no {self._kind} of its own"
        return undefined(reason, n=len(self._labelled.examples), seed=self._seed)


def _store(
    job: Job, trained: TrainedMatcher, before: Callable[[], object] = lambda: None
) -> TrainedMatcher:
    """The row, or the one there is of the same weights.

    `before` happens while nobody can cancel the job or take it over.
    """
    with transaction.atomic():
        jobs.require_held(job=job)
        before()
        same = TrainedMatcher.objects.select_related("campaign").filter(
            campaign=trained.campaign, kind=trained.kind, digest=trained.digest
        )
        if not same.exists():
            TrainedMatcher.objects.bulk_create([trained], ignore_conflicts=True)
        stored = same.get()
        if stored.job_id == job.pk:
            record(
                AuditAction.MATCHER_TRAINED,
                campaign=job.campaign,
                subject=("matcher", stored.name),
                details={"digest": stored.digest},
            )
        return stored


def _store_folder(job: Job, trained: TrainedMatcher, model: TrainedModel) -> TrainedMatcher:
    """The folder, and then its row.

    Without a row, what a kill has left is nobody's; the same training takes it over.
    """
    with _new_folder(job) as folder:
        model.save(folder)
        trained.digest = finish(folder)
        trained.folder = f"{job.campaign.slug}/{trained.digest}"
        return _store(job, trained, before=partial(publish, folder, trained.digest))


@contextmanager
def _new_folder(job: Job) -> Iterator[Path]:
    """Beside the campaign's others; what an earlier attempt left, being killed, is removed."""
    place = Path(settings.MATCHERS_DIR) / job.campaign.slug
    owner = f"job-{job.pk}"
    remove_unfinished(place, owner)
    with unfinished_folder(place, owner) as folder:
        yield folder


def _as_json(point: CurvePoint) -> dict[str, Any]:
    return {
        "labels": point.labels,
        "accuracy": estimate_as_json(point.accuracy),
        "folds": list(point.folds),
    }
