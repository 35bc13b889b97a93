"""A campaign's own bem: trained by a job, kept in a folder, used like the matchers of text."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from pytest_django import Settings

from tasks.campaigns.workflow.campaign import change_settings
from tasks.jobs import work as jobs
from tasks.jobs.workflow.jobs import cancel, require_held, start_job
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
from tasks.prefill.queries.matchers import load_trained_matcher
from tests.factories import make_campaign, make_item, make_labelled_items
from tests.tomahto.tiny_models import save_tiny_encoder
from tomahto.pretrained.folders import finish

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_tiny_encoder(tmp_path_factory.mktemp("models") / "tiny-bert")


@pytest.fixture
def matchers(
    tmp_path: Path, settings: Settings, base: str, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The folder of the campaign's matchers, on a site with a model to train from and no bem."""
    settings.MATCHERS_DIR = tmp_path / "matchers"
    locations = {"TOMAHTO_BEM_BASE": base}
    monkeypatch.setattr("tomahto.pretrained.files._configured", locations)
    return tmp_path / "matchers" / "lakes"


@pytest.fixture
def campaign(db: None, matchers: Path) -> Campaign:
    campaign = make_campaign("lakes", overlap=1)
    make_labelled_items(campaign, items=24)
    return campaign


def run(campaign: Campaign, kind: JobKind = JobKind.TRAIN, **parameters: Any) -> Job:
    """The job as it is after one attempt."""
    job = start_job(campaign=campaign, kind=kind, parameters=parameters)
    jobs.run_job(job.pk)
    job.refresh_from_db()
    return job


def train(campaign: Campaign, seed: int = 0) -> Job:
    return run(campaign, name="bem", seed=seed)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_training_stores_a_folder_and_its_row(campaign: Campaign, matchers: Path) -> None:
    job = train(campaign)
    assert (job.state, job.error) == (JobState.DONE, "")
    trained = TrainedMatcher.objects.get()
    assert job.result == {
        "matcher": "bem@lakes",
        "digest": trained.digest,
        "labels": 24,
        "documents": 12,
        "is_new": True,
    }
    assert (trained.weights, trained.folder) == ("", f"lakes/{trained.digest}")
    assert names(matchers) == [trained.digest]
    assert names(matchers / trained.digest) == [
        "card.json",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    # 12 documents of 2 labels in 3 folds leave 16; half of them before; 2 × 3 trainings, and
    # the baselines and the matcher itself
    curve = trained.learning_curve
    assert (curve["folds"], [point["labels"] for point in curve["points"]]) == (3, [8, 16])
    assert curve["baselines"]["shipped"]["reason"] == "this site has no bem of its own"
    assert (job.done, job.total) == (8, 8)


def test_the_same_labels_are_the_same_matcher_stored_once(
    campaign: Campaign, matchers: Path
) -> None:
    first, second, other = (train(campaign, seed).result for seed in (0, 0, 1))
    assert first is not None
    assert other is not None
    assert second == {**first, "is_new": False}
    assert names(matchers) == sorted([first["digest"], other["digest"]])
    assert TrainedMatcher.objects.count() == 2


def test_its_suggestions_put_the_most_uncertain_first(campaign: Campaign) -> None:
    for candidate in ("77 metres, nobody knows", "in the hills", "about 30 metres"):
        make_item(campaign, candidate=candidate, references=("30 metres",))
    train(campaign)
    settings = {"suggestion_matcher": "bem@lakes", "item_order": ItemOrder.UNCERTAIN}
    change_settings(campaign=campaign, changes=settings)
    job = run(campaign, JobKind.SUGGEST, name="bem@lakes")
    digest = TrainedMatcher.objects.get().digest
    assert job.result is not None
    assert f"|model:{digest[:12]}|" in job.result["version"]
    scores = dict(Suggestion.objects.filter(matcher="bem@lakes").values_list("item", "score"))
    assert len(scores) == 27
    open_slots = Slot.objects.filter(campaign=campaign, is_filled=False).order_by("order_key")
    distances = [abs(scores[item] - 0.5) for item in open_slots.values_list("item", flat=True)]
    assert len(distances) == 3
    assert distances == sorted(distances)


def test_changed_files_are_not_loaded_and_training_again_mends_them(
    campaign: Campaign, matchers: Path
) -> None:
    train(campaign)
    digest = TrainedMatcher.objects.get().digest
    (matchers / digest / "model.safetensors").write_bytes(b"")
    job = run(campaign, JobKind.SUGGEST, name="bem@lakes")
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert job.error.endswith(
        f"{digest}: contains other files than were stored; train the matcher again"
    )
    shutil.rmtree(matchers / digest)
    assert "is not there; train" in run(campaign, JobKind.SUGGEST, name="bem@lakes", again=1).error
    train(campaign)
    assert load_trained_matcher(campaign, "bem@lakes").name == "bem@lakes"
    assert (TrainedMatcher.objects.count(), names(matchers)) == (1, [digest])


def test_a_kill_before_the_row_leaves_nothing_that_a_retry_minds(
    campaign: Campaign, matchers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the folder has its name, and once it lies half written under its hidden one."""

    class Killed(BaseException):
        """Nothing catches it, as nothing does a kill."""

    def kill(*_arguments: object, **_options: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(TrainedMatcher.objects, "bulk_create", kill)
        with pytest.raises(Killed):
            train(campaign)
    assert not TrainedMatcher.objects.exists()
    [digest] = names(matchers)
    job = Job.objects.get()
    half = matchers / f".job-{job.pk}.0123.partial"
    half.mkdir()
    (half / "config.json").write_text("{")
    Job.objects.update(state=JobState.QUEUED)
    jobs.run_job(job.pk)
    assert TrainedMatcher.objects.get().digest == digest
    assert names(matchers) == [digest]


def test_a_training_cancelled_while_files_are_written_leaves_none(
    campaign: Campaign, matchers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancelling(folder: Path) -> str:
        assert "model.safetensors" in names(folder)
        cancel(job=Job.objects.get())
        return finish(folder)

    monkeypatch.setattr("tasks.prefill.workflow.matchers.finish", cancelling)
    assert train(campaign).state == JobState.CANCELLED
    assert names(matchers) == []
    assert not TrainedMatcher.objects.exists()


def test_a_cancelled_training_ends_between_its_own_steps(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def cancelling(*, job: Job) -> None:
        asked.append(job.pk)
        if len(asked) == 3:
            cancel(job=job)
        require_held(job=job)

    monkeypatch.setattr("tasks.jobs.workflow.jobs.require_held", cancelling)
    job = train(campaign)
    # in the third of the 10 epochs of the first training
    assert (job.state, job.done, len(asked)) == (JobState.CANCELLED, 1, 3)


def test_a_missing_base_model_is_refused_in_one_line(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    locations = {"TOMAHTO_BEM_BASE": "nobody/nothing"}
    monkeypatch.setattr("tomahto.pretrained.files._configured", locations)
    job = train(campaign)
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    start = "the model to train, TOMAHTO_BEM_BASE: nobody/nothing: no such folder, and no model"
    assert job.error.startswith(start)
    assert "\n" not in job.error


def test_missing_torch_is_refused_in_one_line(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tomahto.pretrained.runtime.has_torch", lambda: False)
    job = train(campaign)
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert job.error.startswith(
        "this needs torch and transformers, which are not installed: call ./run with --models"
    )


@pytest.mark.parametrize(("weights", "folder"), [("", ""), ("{}", "lakes/0")])
def test_a_row_has_either_weights_or_a_folder(
    campaign: Campaign, weights: str, folder: str
) -> None:
    train(campaign)
    row = TrainedMatcher.objects.get()
    row.pk, row.digest, row.weights, row.folder = None, "0", weights, folder
    with (
        pytest.raises(DatabaseError, match="trained_matcher_weights_or_folder"),
        transaction.atomic(),
    ):
        row.save(force_insert=True)
