"""Matchers score items, in batches, each item once per version of a matcher; they are trained on a
campaign's own majority labels, and become its own."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from tasks.campaigns.workflow.campaign import change_settings
from tasks.campaigns.workflow.slots import reorder
from tasks.jobs.workflow import jobs
from tasks.jobs.workflow.failures import failed_subjects, record_failures
from tasks.jobs.workflow.jobs import start_job
from tasks.models import (
    AuditAction,
    Campaign,
    CampaignState,
    Item,
    ItemOrder,
    Job,
    JobKind,
    Membership,
    Suggestion,
    TrainedMatcher,
    TrainedMatcherKind,
)
from tasks.prefill.queries.matchers import LabelledItems, as_pair, labelled_items
from tasks.storing.acts import record, storable
from tasks.votes.items import items_without_suggestion
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined
from tomahto.matching.accuracy import LearningCurve
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import ExplainingMatcher, Matcher, Pair
from tomahto.matching.registry import available_matchers, load_matcher
from tomahto.matching.scores import Unscored, score_apart
from tomahto.matching.trainable import (
    TrainedModel,
    TrainedWeights,
    curve_plan,
    require_trainable,
    train_matcher,
)
from tomahto.pretrained.folders import finish, publish, remove_unfinished, unfinished_folder

BATCH = 500


def suggest(*, job: Job, matcher: Matcher) -> Iterator[int]:
    """Score what is not scored yet, batch by batch; yields how many items are left.

    At the end the most uncertain items come first, where the campaign wants that order. Items
    that the matcher fails at are recorded with the job and left out of its further attempts.

    Whoever repeats it after a crash, or does it twice at once, changes nothing. Raises LeaseLost.
    """
    campaign = job.campaign
    unscored = items_without_suggestion(
        campaign, matcher=matcher.name, version=matcher.version
    ).exclude(pk__in=failed_subjects(job, "item"))
    yield unscored.count()
    last = 0
    while batch := list(unscored.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        record_failures(job=job, subject="item", reasons=store_suggestions(batch, matcher))
        yield unscored.filter(pk__gt=last).count()
    if campaign.item_order == ItemOrder.UNCERTAIN and matcher.name == campaign.suggestion_matcher:
        reorder(campaign=campaign)


def store_suggestions(items: Sequence[Item], matcher: Matcher) -> dict[int, str]:
    """Score these items and keep the scores; one that is there already stays.

    Returns why some could not be scored, by the items' ids.
    """
    pairs = [as_pair(item) for item in items]
    remembering = _Remembering(matcher) if isinstance(matcher, ExplainingMatcher) else None
    results = score_apart(remembering or matcher, pairs)
    reasons: dict[int, str] = {}
    scored = []
    for item, pair, result in zip(items, pairs, results, strict=True):
        if isinstance(result, Unscored):
            reasons[item.pk] = result.reason
        else:
            explanation = remembering.explanations[pair] if remembering else None
            scored.append(
                Suggestion(
                    item=item,
                    matcher=matcher.name,
                    version=matcher.version,
                    score=result,
                    is_correct=result >= matcher.threshold,
                    explanation=explanation,
                )
            )
    # a campaign archived meanwhile stays as it is; its job is cancelled and ends with this batch
    working = Campaign.objects.exclude(state=CampaignState.ARCHIVED)
    with transaction.atomic():
        if working.filter(pk=items[0].campaign_id).exists():
            Suggestion.objects.bulk_create(scored, ignore_conflicts=True)
    return reasons


class _Remembering:
    """An explaining matcher whose explanations are kept while it scores."""

    def __init__(self, matcher: ExplainingMatcher) -> None:
        self._matcher = matcher
        self.name, self.version = matcher.name, matcher.version
        self.threshold = matcher.threshold
        self.explanations: dict[Pair, dict[str, Any]] = {}

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        explained = self._matcher.explain(pairs)
        for pair, one in zip(pairs, explained, strict=True):
            self.explanations[pair] = storable(
                {k: v for k, v in asdict(one).items() if k != "score"}
            )
        return [one.score for one in explained]


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
        baselines = {
            "shipped": estimate_as_json(self._untrained()),
            "token_f1": estimate_as_json(self._curve.token_f1()),
        }
        self.report_step()
        folds = self._curve.folds
        points: list[dict[str, Any]] = []
        for labels in self._curve.label_numbers:
            point = self._curve.point(labels, self._trained_for_curve)
            accuracy = estimate_as_json(point.accuracy)
            points.append(
                {"labels": point.labels, "accuracy": accuracy, "folds": list(point.folds)}
            )
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
    """The folder, beside the campaign's others, and then its row.

    Without a row, what a kill has left is nobody's; the same training takes it over.
    """
    place, owner = Path(settings.MATCHERS_DIR) / job.campaign.slug, f"job-{job.pk}"
    remove_unfinished(place, owner)
    with unfinished_folder(place, owner) as folder:
        model.save(folder)
        trained.digest = finish(folder)
        trained.folder = f"{job.campaign.slug}/{trained.digest}"
        return _store(job, trained, before=partial(publish, folder, trained.digest))


@transaction.atomic
def use_matcher(*, campaign: Campaign, name: str, by: Membership) -> Job:
    change_settings(campaign=campaign, changes={"suggestion_matcher": name})
    return start_job(
        campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": name}, created_by=by.user
    )
