"""The Celery functions called as plain functions; a fake broker notes what is sent."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from celery.exceptions import OperationalError
from django.db.models.functions import Now
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from exporters.planned_release import ReleasePlan
from tasks.campaigns.workflow.lives import archive
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.jobs import work as jobs
from tasks.jobs.workflow import jobs as job_table
from tasks.jobs.workflow.jobs import RUN_JOB, send_waiting_jobs, start_job
from tasks.models import (
    Campaign,
    Candidate,
    Job,
    JobFailure,
    JobKind,
    JobState,
    Release,
    Suggestion,
)
from tasks.prefill.workflow import matchers
from tests.tasks.conftest import MakeCampaign, item_row
from tests.tasks.intake.questions import question
from tomahto.matching.f1 import TokenF1
from tomahto.matching.interface import Pair
from tomahto.releases.dataset.choices import Selection


class FakeBroker:
    """Takes messages while `is_up`."""

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.calls = 0
        self.is_up = True

    def send_task(self, task: str, args: tuple[int], expires: float | None) -> None:
        assert (task, expires) == (RUN_JOB, None)
        self.calls += 1
        if not self.is_up:
            raise OperationalError("connection refused")
        self.sent.append(*args)


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> FakeBroker:
    fake = FakeBroker()
    monkeypatch.setattr("annotation_site.celery.app.send_task", fake.send_task)
    return fake


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=3)


def queue(campaign: Campaign, kind: JobKind = JobKind.SUGGEST, **parameters: Any) -> Job:
    return start_job(campaign=campaign, kind=kind, parameters=parameters)


def run(job: Job) -> Job:
    """The job as it is after one attempt."""
    jobs.run_job(job.pk)
    job.refresh_from_db()
    return job


class Stubborn(TokenF1):
    """Fails with whatever it is given, until that is taken away."""

    error: Exception | None = None

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        if self.error is not None:
            raise self.error
        return super().score(pairs)


@pytest.fixture
def stubborn(monkeypatch: pytest.MonkeyPatch) -> Stubborn:
    matcher = Stubborn()
    monkeypatch.setattr("tasks.prefill.work.load_matcher", lambda name: matcher)
    return matcher


def test_start_job_wakes_a_worker_after_the_commit(
    campaign: Campaign,
    broker: FakeBroker,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        job = queue(campaign, name="f1")
        assert broker.sent == []
    assert broker.sent == [job.pk]


def test_sending_asks_a_dead_broker_once(campaign: Campaign, broker: FakeBroker) -> None:
    for name in ("em", "f1", "cfmatch"):
        queue(campaign, name=name)
    broker.is_up = False
    send_waiting_jobs()
    assert (broker.calls, broker.sent) == (1, [])


def test_sweep_sends_what_is_due(campaign: Campaign, broker: FakeBroker) -> None:
    due, running = queue(campaign, name="em"), queue(campaign, name="f1")
    Job.objects.filter(pk=running.pk).update(state=JobState.DONE)
    jobs.sweep()
    assert broker.sent == [due.pk]


def test_suggest_scores_every_item(campaign: Campaign) -> None:
    job = run(queue(campaign, name="f1"))
    assert (job.state, job.done, job.total) == (JobState.DONE, 3, 3)
    assert job.result == {"matcher": "f1", "version": TokenF1.version, "items": 3}
    # "reference 1" and "candidate 1" share one token of two: precision = recall = F1 = 1/2
    assert list(Suggestion.objects.values_list("score", "is_correct")) == [(0.5, True)] * 3


def test_a_message_that_comes_twice_does_nothing(campaign: Campaign) -> None:
    job = run(queue(campaign, name="f1"))
    assert run(job).attempts == 1


def test_progress_counts_what_an_earlier_attempt_did(
    campaign: Campaign, stubborn: Stubborn, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(queue(campaign, name="f1"))
    import_items(campaign=campaign, rows=[item_row(n) for n in (4, 5)])
    monkeypatch.setattr(matchers, "BATCH", 1)
    reports: list[tuple[int, int]] = []
    monkeypatch.setattr(
        job_table, "report_progress", lambda job, done, total: reports.append((done, total))
    )
    job = run(queue(campaign, name="f1"))
    assert reports == [(3, 5), (4, 5), (5, 5)]
    assert job.result is not None
    assert job.result["items"] == 5


def test_answer_makes_candidates_of_every_question(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    import_questions(campaign=campaign, records=[question(n) for n in (1, 2)])
    job = run(queue(campaign, JobKind.ANSWER, name="lexical"))
    assert (job.state, job.done, job.total) == (JobState.DONE, 2, 2)
    assert job.result is not None
    assert (job.result["answerer"], job.result["questions"]) == ("lexical", 2)
    assert Candidate.objects.filter(system__name="lexical").count() == 2


def test_release_is_published_in_the_folder_of_releases(
    campaign: Campaign, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RELEASES_DIR = Path("/releases")
    asked: list[dict[str, Any]] = []

    def publish(
        require_held: Callable[[], None],
        report: Callable[[int, int], None],
        note: Callable[[str], None],
        **wanted: Any,
    ) -> Release:
        require_held()
        report(2, 3)
        asked.append(wanted)
        if wanted["plan"].labels == "majority":
            note("0.9.0 cannot be compared with")
        return Release(version=wanted["plan"].version, digest="d1")

    # the real one begins its own transaction, which a test that is one cannot have
    monkeypatch.setattr("tasks.releases.work.publish_release", publish)
    wanted: dict[str, Any] = {"version": "1.0.0", "split": "document:dev=50,test=50", "seed": 1}
    selection = Selection(guideline_versions=(2, 3), consented_only=True)
    chosen = ReleasePlan(**wanted, labels="dawid-skene", selection=selection)
    job = run(queue(campaign, JobKind.RELEASE, **chosen.as_json()))
    assert (job.state, job.result) == (JobState.DONE, {"version": "1.0.0", "digest": "d1"})
    assert (job.done, job.total) == (2, 3)
    older = run(queue(campaign, JobKind.RELEASE, **wanted))  # as older versions have queued it
    assert older.result == {
        "version": "1.0.0",
        "digest": "d1",
        "notes": "0.9.0 cannot be compared with",
    }
    out = Path("/releases") / campaign.slug / "1.0.0"
    assert asked == [
        {"campaign": campaign, "plan": plan, "out": out, "created_by": None}
        for plan in (chosen, ReleasePlan(**wanted, formats=()))
    ]


@pytest.mark.parametrize(
    ("kind", "parameters", "error"),
    [
        (JobKind.SUGGEST, {"name": "blue"}, "no matcher 'blue'; known: em, f1, cfmatch"),
        (JobKind.ANSWER, {"name": "oracle"}, "no answerer 'oracle'; known: lexical"),
        (JobKind.RELEASE, {"version": "1.0.0", "split": "by luck", "seed": 1}, "by luck"),
    ],
)
def test_what_cannot_be_done_is_given_up_at_once(
    campaign: Campaign, kind: JobKind, parameters: dict[str, Any], error: str
) -> None:
    job = run(queue(campaign, kind, **parameters))
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert error in job.error


@pytest.mark.parametrize(
    "error", [ValueError("odd"), KeyError("odd"), OSError(28, "No space left on device")]
)
def test_any_other_failure_is_tried_again(
    campaign: Campaign, stubborn: Stubborn, error: Exception
) -> None:
    job = queue(campaign, name="f1")
    stubborn.error = error
    assert (run(job).state, job.error) == (JobState.QUEUED, f"{type(error).__name__}: {error}")
    stubborn.error = None
    Job.objects.filter(pk=job.pk).update(not_before=Now())
    assert (run(job).state, job.error, job.attempts) == (JobState.DONE, "", 2)


def test_a_worker_that_was_overtaken_leaves_the_job_alone(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queue(campaign, name="f1")

    class Overtaken(TokenF1):
        def score(self, pairs: Sequence[Pair]) -> list[float]:
            Job.objects.filter(pk=job.pk).update(fence=2, attempts=2)
            return super().score(pairs)

    monkeypatch.setattr("tasks.prefill.work.load_matcher", lambda name: Overtaken())
    assert (run(job).state, job.fence, job.error) == (JobState.RUNNING, 2, "")


def test_a_cancelled_job_stops_at_its_next_batch_and_keeps_what_it_has_done(
    make_campaign: MakeCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queue(make_campaign(items=5), name="f1")
    monkeypatch.setattr(matchers, "BATCH", 1)

    class CancelledAtTheSecond(TokenF1):
        def score(self, pairs: Sequence[Pair]) -> list[float]:
            if pairs[0].candidate == "candidate 2":
                job_table.cancel(job=job)
            return super().score(pairs)

    monkeypatch.setattr("tasks.prefill.work.load_matcher", lambda name: CancelledAtTheSecond())
    assert (run(job).state, job.done, job.error) == (JobState.CANCELLED, 1, "")
    assert Suggestion.objects.count() == 2
    job_table.restart(job=job)
    monkeypatch.setattr("tasks.prefill.work.load_matcher", lambda name: TokenF1())
    assert (run(job).state, job.done, job.total) == (JobState.DONE, 5, 5)
    assert Suggestion.objects.count() == 5


def test_a_campaign_archived_while_items_are_scored_gets_no_suggestions(
    make_campaign: MakeCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queue(make_campaign(items=2), name="f1")

    class ArchivedMeanwhile(TokenF1):
        def score(self, pairs: Sequence[Pair]) -> list[float]:
            archive(campaign=Campaign.objects.get())
            return super().score(pairs)

    monkeypatch.setattr("tasks.prefill.work.load_matcher", lambda name: ArchivedMeanwhile())
    assert run(job).state == JobState.CANCELLED
    assert not Suggestion.objects.exists()


def test_a_release_that_was_cancelled_is_not_written(
    campaign: Campaign, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queue(campaign, JobKind.RELEASE, version="1.0.0", split="x", seed=1)

    def publish(require_held: Callable[[], None], **wanted: Any) -> Release:
        job_table.cancel(job=job)
        require_held()
        raise AssertionError("was written")

    monkeypatch.setattr("tasks.releases.work.publish_release", publish)
    assert (run(job).state, job.error) == (JobState.CANCELLED, "")


class Picky(TokenF1):
    """Raises for a batch that holds an odd candidate; remembers what it was given."""

    def __init__(self) -> None:
        self.odd = {"candidate 2", "candidate 4"}
        self.seen: set[str] = set()

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        self.seen |= {pair.candidate for pair in pairs}
        if bad := sorted(self.odd & {pair.candidate for pair in pairs}):
            raise ValueError(f"cannot read {bad[0]}\0")
        return super().score(pairs)


@pytest.fixture
def picky(monkeypatch: pytest.MonkeyPatch) -> Picky:
    matcher = Picky()
    monkeypatch.setattr("tasks.prefill.work.load_matcher", lambda name: matcher)
    return matcher


def failures_of(job: Job) -> list[tuple[Any, ...]]:
    found = JobFailure.objects.filter(job=job).order_by("item")
    return list(found.values_list("item__key", "reason", "attempts", "is_due"))


def test_items_that_a_matcher_fails_at_are_recorded_and_the_others_scored(
    make_campaign: MakeCampaign, picky: Picky
) -> None:
    job = run(queue(make_campaign(items=5), name="f1"))
    assert (job.state, job.done, job.total, job.error) == (JobState.DONE, 5, 5, "")
    assert failures_of(job) == [
        ("item-2", "ValueError: cannot read candidate 2\u2400", 1, False),
        ("item-4", "ValueError: cannot read candidate 4\u2400", 1, False),
    ]
    scored = Suggestion.objects.order_by("item__key").values_list("item__key", flat=True)
    assert list(scored) == ["item-1", "item-3", "item-5"]


def test_only_what_failed_is_tried_again(make_campaign: MakeCampaign, picky: Picky) -> None:
    job = run(queue(make_campaign(items=5), name="f1"))
    picky.odd = {"candidate 4"}
    assert job_table.restart(job=job)
    picky.seen.clear()
    assert (run(job).state, job.done, job.total) == (JobState.DONE, 5, 5)
    assert picky.seen & {f"candidate {n}" for n in range(1, 6)} == {"candidate 2", "candidate 4"}
    assert failures_of(job) == [("item-4", "ValueError: cannot read candidate 4\u2400", 2, False)]
    assert Suggestion.objects.count() == 4


def test_a_new_job_takes_the_failures_of_an_earlier_one_over(
    make_campaign: MakeCampaign, picky: Picky
) -> None:
    campaign = make_campaign(items=5)
    earlier = run(queue(campaign, name="f1"))
    later = run(queue(campaign, name="f1"))
    assert (failures_of(earlier), len(failures_of(later))) == ([], 2)
    picky.odd = set()
    run(queue(campaign, name="f1"))
    assert not JobFailure.objects.exists()


def test_an_item_that_fails_is_not_progress_twice(
    make_campaign: MakeCampaign, picky: Picky, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that fails at single items and then kills its worker is given up all the same."""
    monkeypatch.setattr(matchers, "BATCH", 1)
    job = queue(make_campaign(items=3), name="f1")
    picky.odd = {"candidate 1", "candidate 2"}
    reports: list[int] = []
    monkeypatch.setattr(job_table, "report_progress", lambda job, done, total: reports.append(done))
    run(job)
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
    run(job)
    assert reports == [0, 1, 2, 3, 3]


def test_a_matcher_without_its_model_is_given_up_at_once(
    campaign: Campaign, broker: FakeBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trying again would not set the variable."""
    monkeypatch.setattr("tomahto.pretrained.files._configured", {})
    job = run(queue(campaign, name="bem"))
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert job.error.startswith("TOMAHTO_BEM_MODEL is not set: ")
