"""Publishing into a real object store: a row for every whole release, and for nothing else."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from bootstrap.services import PrivateObjectStore
from tasks.jobs import work as jobs
from tasks.jobs.workflow import jobs as job_table
from tasks.jobs.workflow.jobs import start_job
from tasks.models import Campaign, Job, JobKind, JobState, Release
from tasks.release_store.bucket import Bucket, client
from tasks.release_store.files import ObjectPlace, StoreError
from tasks.release_store.places import release_place
from tasks.releases.workflow.listing import ReleaseRefused
from tests.object_store import objects, used
from tests.tasks.releases import releasing
from tests.tasks.releases.releasing import SPLIT
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(rated: Campaign) -> Campaign:
    return rated


@pytest.fixture
def place(
    campaign: Campaign, object_store: PrivateObjectStore, settings: Settings,
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> Iterator[ObjectPlace]:  # fmt: skip
    """The place of version 1.0.0 of the campaign."""
    with used(object_store, monkeypatch) as place:
        settings.RELEASES_URL, settings.RELEASES_DIR = str(place), tmp_path / "releases"
        yield place / campaign.slug / "1.0.0"


@pytest.fixture
def few_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Releases without tables and figures, which are half of the files to be stored."""
    monkeypatch.setattr("exporters.release.paper_files", lambda *_: ())


def publish(campaign: Campaign, seed: int = 0) -> Release:
    return releasing.publish(campaign, release_place(campaign.slug, "1.0.0"), seed=seed)


def start(campaign: Campaign) -> Job:
    parameters = {"version": "1.0.0", "split": SPLIT, "seed": 0}
    return start_job(campaign=campaign, kind=JobKind.RELEASE, parameters=parameters)


def run(job: Job) -> Job:
    """Let a worker have it now, whenever its next try is due."""
    Job.objects.filter(pk=job.pk).update(not_before=job.created_at)
    jobs.run_job(job.pk)
    return Job.objects.get(pk=job.pk)


def do_once(action: Callable[[], object], patch: pytest.MonkeyPatch, *, before: str) -> None:
    """Have something happen before the file of that name is stored."""
    put = Bucket.put

    def watched(bucket: Bucket, key: str, path: Path) -> None:
        if key.endswith(before):
            patch.setattr(Bucket, "put", put)
            action()
        put(bucket, key, path)

    patch.setattr(Bucket, "put", watched)


def stored_release(server: PrivateObjectStore, release: Release, target: Path) -> Path:
    """A copy of what the store holds at the place that the row names."""
    prefix = release.path.removeprefix(f"s3://{server.bucket}/")
    return Path(shutil.copytree(server.objects / prefix, target))


def names_at(server: PrivateObjectStore, place: ObjectPlace) -> set[str]:
    """The releases at the place, whole or not."""
    return {path.partition("/")[0] for path in objects(server, place)}


def name_of(release: Release) -> str:
    return release.path.rpartition("/")[2]


def test_publish_lists_what_the_store_holds_and_leaves_nothing_on_the_disk(
    campaign: Campaign, place: ObjectPlace, object_store: PrivateObjectStore, tmp_path: Path
) -> None:
    killed = tmp_path / "releases" / f".{campaign.slug}.0123456789abcdef.partial"
    (killed / "1.0.0").mkdir(parents=True)  # of a worker that was killed
    publish(campaign)
    listed = Release.objects.get()
    assert listed.path.startswith(f"{place}/")
    assert verify_release(stored_release(object_store, listed, tmp_path / "copy")) == []
    assert (listed.items, listed.ratings, listed.splits) == (6, 12, {"dev": 2, "test": 4})
    assert list((tmp_path / "releases").iterdir()) == []


@pytest.mark.usefixtures("few_files")
def test_publish_again_stores_nothing_more_and_no_other_content(
    campaign: Campaign, place: ObjectPlace, object_store: PrivateObjectStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    first = publish(campaign)
    before = objects(object_store, place)
    again = publish(campaign)
    assert (again.pk, again.path) == (first.pk, first.path)
    with pytest.raises(ReleaseRefused, match="is already released with other content"):
        publish(campaign, seed=1)
    assert objects(object_store, place) == before
    Release.objects.all().delete()  # as if killed after the last file
    monkeypatch.delattr(Bucket, "put")
    taken_over = publish(campaign)
    assert (taken_over.path, taken_over.digest) == (first.path, first.digest)
    assert objects(object_store, place) == before
    assert Release.objects.get() == taken_over


@pytest.mark.usefixtures("few_files")
def test_publish_repairs_what_a_killed_worker_left(
    campaign: Campaign, place: ObjectPlace, object_store: PrivateObjectStore
) -> None:
    whole = publish(campaign)
    content = set(objects(object_store, place / name_of(whole)))
    left = object_store.objects / place.prefix / "0123456789abcdef"
    stored_release(object_store, whole, left)
    (left / "manifest.json").unlink()
    shutil.rmtree(object_store.objects / whole.path.removeprefix("s3://releases/"))
    Release.objects.all().delete()
    release = publish(campaign)
    assert release.digest == whole.digest
    assert names_at(object_store, place) == {name_of(release)}
    assert set(objects(object_store, place / name_of(release))) == content


@pytest.mark.usefixtures("few_files")
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("before", "error"),
    [("agreement.json", "did not keep a file intact"), ("manifest.json", "already released")],
)
def test_publish_that_loses_a_race_for_the_version_leaves_nothing(
    campaign: Campaign, place: ObjectPlace, object_store: PrivateObjectStore,
    monkeypatch: pytest.MonkeyPatch, before: str, error: str,
) -> None:  # fmt: skip
    # somebody else lists this version, with other content, while files are stored
    do_once(lambda: publish(campaign, seed=1), monkeypatch, before=before)
    with pytest.raises((StoreError, ReleaseRefused), match=error):
        publish(campaign)
    theirs = Release.objects.get()
    assert theirs.seed == 1
    assert names_at(object_store, place) == {name_of(theirs)}
    with pytest.raises(ReleaseRefused, match="already released"):
        publish(campaign)


@pytest.mark.usefixtures("few_files")
def test_publish_that_comes_second_with_the_same_content_leaves_only_the_first(
    campaign: Campaign, place: ObjectPlace, object_store: PrivateObjectStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    do_once(lambda: publish(campaign), monkeypatch, before="manifest.json")
    second = publish(campaign)
    listed = Release.objects.get()
    assert (second, second.path) == (listed, listed.path)
    assert names_at(object_store, place) == {name_of(listed)}


@pytest.mark.thorough
@pytest.mark.parametrize("before", ["agreement.json", "manifest.json"])
def test_a_release_cancelled_while_its_files_are_stored_is_not_published(
    campaign: Campaign, place: ObjectPlace, object_store: PrivateObjectStore, before: str,
    tmp_path: Path,
) -> None:  # fmt: skip
    job = start(campaign)
    with pytest.MonkeyPatch.context() as patch:
        do_once(lambda: job_table.cancel(job=job), patch, before=before)
        jobs.run_job(job.pk)
    assert Job.objects.get().state == JobState.CANCELLED
    assert not Release.objects.exists()
    assert objects(object_store, place) == {}
    job_table.restart(job=job)
    assert run(job).state == JobState.DONE
    release = Release.objects.get()
    assert verify_release(stored_release(object_store, release, tmp_path / "copy")) == []


@pytest.mark.thorough
def test_a_job_is_tried_again_later_when_the_store_goes_down_in_the_middle(
    campaign: Campaign, place: ObjectPlace, object_store: PrivateObjectStore, tmp_path: Path
) -> None:
    job = start(campaign)
    with pytest.MonkeyPatch.context() as patch:
        do_once(object_store.kill, patch, before="agreement.json")
        jobs.run_job(job.pk)
    tried = Job.objects.get()
    object_store.start()
    assert (tried.state, tried.failures) == (JobState.QUEUED, 1)
    assert tried.not_before > tried.created_at
    assert tried.error.startswith("StoreError: the store of releases s3://releases: Could not")
    assert not Release.objects.exists()
    done = run(job)
    assert (done.state, done.result) == (
        JobState.DONE,
        {"version": "1.0.0", "digest": Release.objects.get().digest},
    )
    release = Release.objects.get()
    assert verify_release(stored_release(object_store, release, tmp_path / "copy")) == []
    # what the first try stored is gone
    assert names_at(object_store, place) == {name_of(release)}


def test_a_job_with_wrong_credentials_says_so(
    campaign: Campaign, place: ObjectPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "guessed")
    client.cache_clear()
    tried = run(start(campaign))
    assert tried.state == JobState.QUEUED
    start_of = "StoreError: the store of releases s3://releases: the credentials are refused: "
    assert tried.error.startswith(start_of)
    assert "guessed" not in tried.error
    assert not Release.objects.exists()
