"""The loop closes: what people said becomes a matcher, whose suggestions order what is left."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import Error, transaction

from tasks.campaigns.workflow.campaign import change_settings
from tasks.intake.workflow.ratings import import_ratings
from tasks.jobs import work as jobs
from tasks.jobs.workflow.jobs import cancel, start_job
from tasks.models import (
    Campaign,
    ItemOrder,
    Job,
    JobKind,
    JobState,
    Slot,
    Suggestion,
    TrainedMatcher,
)
from tasks.prefill.queries.matchers import labelled_items
from tasks.prefill.queries.suggestions import suggestion_for
from tasks.protocols import get_protocol
from tests.factories import make_campaign, make_item, make_labelled_items
from tests.tasks.conftest import rating_row
from tomahto.estimates.estimate import estimate_as_json
from tomahto.learning.boosted_trees import BoostingOptions
from tomahto.matching.accuracy import LearningCurve
from tomahto.matching.feather.training import TrainingOptions
from tomahto.matching.registry import load_matcher
from tomahto.matching.trainable import TrainedWeights, train_matcher

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign("lakes", overlap=1)
    make_labelled_items(campaign)
    return campaign


def run(campaign: Campaign, kind: JobKind = JobKind.TRAIN, **parameters: Any) -> Job:
    """The job as it is after one attempt."""
    job = start_job(campaign=campaign, kind=kind, parameters=parameters)
    jobs.run_job(job.pk)
    job.refresh_from_db()
    return job


def train(campaign: Campaign, kind: str = "cfmatch", seed: int = 0) -> Job:
    return run(campaign, name=kind, seed=seed)


@pytest.fixture
def few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    options = TrainingOptions(boosting=BoostingOptions(trees=20, depth=2, l2=0.1))
    monkeypatch.setattr("tomahto.matching.feather.training.TrainingOptions", lambda: options)


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("kind", ["cfmatch", "feather"])
def test_training_stores_the_matcher_of_all_labels(campaign: Campaign, kind: str) -> None:
    make_item(campaign)  # nobody has rated it
    job = train(campaign, kind)
    trained = TrainedMatcher.objects.get()
    expected = train_matcher(kind, labelled_items(campaign).examples, seed=0)
    assert isinstance(expected, TrainedWeights)
    assert trained.folder == ""
    assert (trained.kind, trained.weights, trained.digest) == (kind, expected.text, expected.digest)
    # 60 items in 12 documents, 20 of which are wrong
    assert (trained.labels, trained.correct, trained.ties, trained.documents) == (60, 40, 0, 12)
    assert (job.state, job.result) == (
        JobState.DONE,
        {
            "matcher": f"{kind}@lakes",
            "digest": expected.digest,
            "labels": 60,
            "documents": 12,
            "is_new": True,
        },
    )
    # the baselines, 25 and 45 labels (12 documents in 5 folds: two folds of 3), the matcher
    assert (job.done, job.total) == (1 + 5 + 5 + 1, 12)


def test_training_stores_the_learning_curve(campaign: Campaign) -> None:
    train(campaign, seed=3)
    labelled = labelled_items(campaign)
    curve = LearningCurve(labelled.examples, labelled.documents, folds=5, seed=3)
    points = [
        curve.point(labels, lambda part: train_matcher("cfmatch", part, seed=3).matcher)
        for labels in (25, 45)
    ]
    assert TrainedMatcher.objects.get().learning_curve == {
        "folds": 5,
        "points": [
            {
                "labels": point.labels,
                "accuracy": estimate_as_json(point.accuracy),
                "folds": list(point.folds),
            }
            for point in points
        ],
        "baselines": {
            "shipped": estimate_as_json(curve.untrained(load_matcher("cfmatch"))),
            "token_f1": estimate_as_json(curve.token_f1()),
        },
    }


def test_the_same_labels_are_stored_once(campaign: Campaign) -> None:
    first, second = (train(campaign).result for _ in range(2))
    assert first is not None
    assert second == {**first, "is_new": False}
    assert TrainedMatcher.objects.count() == 1


def test_trained_matchers_are_append_only(campaign: Campaign) -> None:
    train(campaign)
    for change in (
        lambda: TrainedMatcher.objects.update(digest="x"),
        lambda: TrainedMatcher.objects.all().delete(),
    ):
        with pytest.raises(Error, match="append-only"), transaction.atomic():
            change()


def test_training_says_what_is_missing_and_is_not_tried_again(db: None) -> None:
    campaign = make_campaign("ponds", overlap=1)
    make_labelled_items(campaign, items=19, documents=4)
    job = train(campaign)
    assert job.state == JobState.FAILED
    assert job.error == (
        "too few labels to learn from: 19 of at least 20 items have a majority label; they come "
        "from 4 of at least 5 documents"
    )
    assert not TrainedMatcher.objects.exists()


def test_a_protocol_that_calls_nothing_correct_is_refused(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    undecided = replace(get_protocol("ae"), correct_labels=frozenset())
    monkeypatch.setattr("tasks.models.campaign.get_protocol", lambda _name: undecided)
    job = train(campaign)
    reason = "protocol ae has no label for correct answers, so nothing can be learned"
    assert (job.state, job.error) == (JobState.FAILED, reason)


def test_a_cancelled_training_stops_at_its_next_step_and_stores_nothing(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained = []

    def cancelling(kind: str, examples: Any, **options: Any) -> Any:
        trained.append(len(examples))
        cancel(job=Job.objects.get())
        return train_matcher(kind, examples, **options)

    monkeypatch.setattr("tasks.prefill.workflow.matchers.train_matcher", cancelling)
    job = train(campaign)
    assert (job.state, trained) == (JobState.CANCELLED, [25])
    assert not TrainedMatcher.objects.exists()


def test_suggestions_of_the_newest_matcher_put_the_most_uncertain_first(
    campaign: Campaign,
) -> None:
    for candidate in ("77 metres, nobody knows", "in the hills", "about 30 metres"):
        make_item(campaign, candidate=candidate, references=("30 metres",))
    train(campaign)
    settings = {"suggestion_matcher": "cfmatch@lakes", "item_order": ItemOrder.UNCERTAIN}
    change_settings(campaign=campaign, changes=settings)
    job = run(campaign, JobKind.SUGGEST, name="cfmatch@lakes")
    digest = TrainedMatcher.objects.get().digest
    assert job.result is not None
    assert (job.state, job.result["matcher"]) == (JobState.DONE, "cfmatch@lakes")
    assert f"weights:{digest}" in job.result["version"]
    scores = dict(Suggestion.objects.filter(matcher="cfmatch@lakes").values_list("item", "score"))
    assert len(scores) == 63
    open_slots = Slot.objects.filter(campaign=campaign, is_filled=False).order_by("order_key")
    distances = [abs(scores[item] - 0.5) for item in open_slots.values_list("item", flat=True)]
    assert len(distances) == 3
    assert distances == sorted(distances)


def test_more_labels_make_a_new_matcher_whose_suggestions_win(campaign: Campaign) -> None:
    item = make_item(campaign)
    train(campaign)
    run(campaign, JobKind.SUGGEST, name="cfmatch@lakes")
    row = rating_row(1, "ann", "not-equivalent", item_id=item.key)
    import_ratings(campaign=campaign, rows=[row])
    train(campaign)
    job = run(campaign, JobKind.SUGGEST, name="cfmatch@lakes")
    newest, oldest = TrainedMatcher.objects.filter(campaign=campaign)
    assert (oldest.labels, newest.labels) == (60, 61)
    change_settings(campaign=campaign, changes={"suggestion_matcher": "cfmatch@lakes"})
    shown = suggestion_for(item.pk, campaign)
    assert shown is not None
    assert job.result is not None
    assert shown.version == job.result["version"]
    assert f"weights:{newest.digest}" in shown.version
    assert Suggestion.objects.filter(item=item).count() == 2


def test_matchers_of_another_campaign_are_unknown(campaign: Campaign) -> None:
    train(campaign)
    other = make_campaign("seas")
    make_item(other)
    job = run(other, JobKind.SUGGEST, name="cfmatch@lakes")
    assert (job.state, job.error) == (
        JobState.FAILED,
        "campaign 'seas' has trained no matcher 'cfmatch@lakes'; it has trained: none yet",
    )
    assert not Suggestion.objects.exists()
