"""Publishing: a row for every whole folder, and for nothing else. On both databases."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from exporters.planned_release import PlannedRelease
from exporters.release import write_release
from tasks.intake.workflow.items import import_items
from tasks.jobs import work as jobs
from tasks.jobs.workflow import jobs as job_table
from tasks.jobs.workflow.jobs import start_job
from tasks.models import Campaign, Job, JobKind, JobState, Release
from tasks.releases.workflow import release as stage
from tasks.releases.workflow.listing import ReleaseRefused
from tasks.releases.workflow.release import release_content
from tests.exporters.builders import build_dataset
from tests.exporters.folders import names
from tests.tasks.conftest import MakeCampaign, item_row
from tests.tasks.releases.releasing import SPLIT, publish, rate, rated_campaign, release_plan
from tomahto.releases.dataset.choices import EVERYTHING, Selection
from tomahto.releases.files.folder import Publish
from tomahto.releases.files.table_files import write_table
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import AdjudicationRecord
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(rated: Campaign) -> Campaign:
    return rated


def test_publish_lists_what_the_folder_holds(campaign: Campaign, tmp_path: Path) -> None:
    publish(campaign, tmp_path / "out")
    listed = Release.objects.get()
    assert verify_release(listed.folder) == []
    assert (listed.version, listed.items, listed.ratings) == ("1.0.0", 6, 12)
    assert (listed.folder, listed.split, listed.seed) == (tmp_path / "out", SPLIT, 0)
    assert listed.splits == {"dev": 2, "test": 4}
    assert set(listed.documents) == {"document-0", "document-1", "document-2"}


def test_a_release_of_more_items_asks_the_database_no_more(db: None, tmp_path: Path) -> None:
    asked = []
    for items in (6, 60):
        campaign = rated_campaign(items)
        with CaptureQueriesContext(connection) as queries:
            publish(campaign, tmp_path / str(items))
        asked.append([query["sql"] for query in queries])
    few, many = asked
    assert len(many) == len(few), sorted(set(many) - set(few))


def test_publish_lists_after_the_folder_is_whole(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed_while_writing = []

    def watch(planned: PlannedRelease, out: Path, *, publish: Publish, **others: Any) -> None:
        listed_while_writing.append(Release.objects.count())

        def watched(take_name: Callable[[], None]) -> None:
            listed_while_writing.append(Release.objects.count())
            publish(take_name)

        write_release(planned, out, publish=watched, **others)

    monkeypatch.setattr(stage, "write_release", watch)
    publish(campaign, tmp_path / "out")
    assert listed_while_writing == [0, 0]
    assert Release.objects.count() == 1


def test_publish_takes_over_a_folder_whose_row_was_never_written_unless_it_is_damaged(
    campaign: Campaign, tmp_path: Path
) -> None:
    publish(campaign, tmp_path / "out")
    Release.objects.all().delete()  # as if killed after the rename
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}
    publish(campaign, tmp_path / "out")
    assert Release.objects.get().folder == tmp_path / "out"
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")} == before
    Release.objects.all().delete()
    (tmp_path / "out" / "agreement.json").write_text("{}")
    with pytest.raises(ReleaseError, match="already exists"):
        publish(campaign, tmp_path / "out")
    assert not Release.objects.exists()


def test_publish_again_leaves_the_listed_release_as_it_is(
    campaign: Campaign, tmp_path: Path
) -> None:
    first = publish(campaign, tmp_path / "one")
    again = publish(campaign, tmp_path / "two")
    assert (again.pk, again.digest, again.folder) == (first.pk, first.digest, tmp_path / "two")
    assert Release.objects.get().folder == tmp_path / "one"
    assert verify_release(tmp_path / "two") == []
    for other in ({"seed": 1}, {"labels": "dawid-skene"}):
        with pytest.raises(ReleaseRefused, match=r"1\.0\.0 is already released with other content"):
            publish(campaign, tmp_path / "three", **other)
    assert names(tmp_path) == ["one", "two"]


def test_publish_that_loses_a_race_for_the_version_leaves_nothing(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def overtaken(planned: PlannedRelease, out: Path, **options: Any) -> None:
        """Somebody else lists this version, with other content, while the folder is written."""
        monkeypatch.setattr(stage, "write_release", write_release)
        publish(campaign, tmp_path / "theirs", seed=1)
        write_release(planned, out, **options)

    monkeypatch.setattr(stage, "write_release", overtaken)
    with pytest.raises(ReleaseRefused, match="already released"):
        publish(campaign, tmp_path / "ours")
    assert Release.objects.get().folder == tmp_path / "theirs"
    assert names(tmp_path) == ["theirs"]


def test_publish_keeps_documents_in_their_split_however_it_is_written(
    campaign: Campaign, tmp_path: Path
) -> None:
    first = publish(campaign, tmp_path / "one")
    rows = [item_row(n, document=f"further-{n % 5}") for n in range(7, 40)]
    import_items(campaign=campaign, rows=rows)
    rate(campaign, *range(7, 40))
    for version, split in (("1.1.0", SPLIT), ("1.2.0", "document:dev=40.0,test=60:leaks=report")):
        grown = publish(campaign, tmp_path / version, version, split=split)
        assert {name: grown.documents[name] for name in first.documents} == first.documents
        assert len(grown.documents) == 8
    others = [
        build_dataset(release_content(campaign=campaign, plan=release_plan("2.0.0", seed=seed)))
        for seed in range(1, 5)
    ]
    assert any(
        each.record.document in first.documents
        and each.split != first.documents[each.record.document]
        for other in others
        for each in other.items
    )


def test_publish_refuses_a_bridge_between_sides_unless_leaks_are_reported(
    campaign: Campaign, tmp_path: Path
) -> None:
    first = publish(campaign, tmp_path / "one")
    (dev, *_), (test, *_) = (
        [name for name, split in first.documents.items() if split == side]
        for side in ("dev", "test")
    )
    rows = [item_row(7, document=dev), item_row(8, document=test)]
    rows = [replace(row, question="Who is asked twice?") for row in rows]
    import_items(campaign=campaign, rows=rows)
    rate(campaign, *range(7, 9))
    with pytest.raises(ReleaseError, match="near-duplicate questions are on two sides: 'question-"):
        publish(campaign, tmp_path / "two", "1.1.0")
    assert names(tmp_path) == ["one"]
    second = publish(campaign, tmp_path / "two", "1.1.0", split=f"{SPLIT}:leaks=report")
    assert second.documents == first.documents
    assert verify_release(second.folder) == []


def test_publish_by_system_keeps_no_documents(campaign: Campaign, tmp_path: Path) -> None:
    release = publish(campaign, tmp_path / "one", split="system:dev=juniper")
    assert (release.splits, release.documents) == ({"dev": 6}, {})
    assert verify_release(release.folder) == []


@pytest.mark.parametrize("is_made_before", [True, False])
def test_nothing_is_listed_or_left_when_the_disk_refuses(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_made_before: bool
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("exporters.release.write_table", full)
    if is_made_before:
        (tmp_path / "out").mkdir()
    with pytest.raises(OSError, match="No space left"):
        publish(campaign, tmp_path / "out")
    assert not Release.objects.exists()
    assert names(tmp_path) == (["out"] if is_made_before else [])
    monkeypatch.undo()
    assert verify_release(publish(campaign, tmp_path / "out").folder) == []


@pytest.mark.parametrize("is_made_before", [True, False])
def test_a_release_cancelled_while_its_files_are_written_is_not_published(
    campaign: Campaign,
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    is_made_before: bool,
) -> None:
    settings.RELEASES_DIR = tmp_path
    out = tmp_path / campaign.slug / "1.0.0"
    if is_made_before:
        out.mkdir(parents=True)
    parameters = {"version": "1.0.0", "split": SPLIT, "seed": 0}
    job = start_job(campaign=campaign, kind=JobKind.RELEASE, parameters=parameters)

    def cancelling(*arguments: Any, **options: Any) -> None:
        write_table(*arguments, **options)
        job_table.cancel(job=job)

    with monkeypatch.context() as patch:
        patch.setattr("exporters.release.write_table", cancelling)
        jobs.run_job(job.pk)
    assert Job.objects.get().state == JobState.CANCELLED
    assert not Release.objects.exists()
    assert names(out.parent) == (["1.0.0"] if is_made_before else [])
    job_table.restart(job=job)
    jobs.run_job(job.pk)
    assert Job.objects.get().state == JobState.DONE
    assert verify_release(Release.objects.get().folder) == []


def test_publish_of_nothing_rated_lists_nothing(
    make_campaign: MakeCampaign, tmp_path: Path
) -> None:
    with pytest.raises(ReleaseError, match="no item has a counted rating"):
        publish(make_campaign(), tmp_path / "out")
    assert not Release.objects.exists()
    assert list(tmp_path.iterdir()) == []


def test_publish_refuses_what_cannot_be_listed_before_it_writes(
    campaign: Campaign, tmp_path: Path
) -> None:
    with pytest.raises(ReleaseRefused, match="version: Ensure this value has at most 40"):
        publish(campaign, tmp_path / "out", f"1.0.{'9' * 60}")
    assert list(tmp_path.iterdir()) == []


def test_publish_puts_adjudications_into_the_release(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = campaign.items.order_by("key")[0]

    def decisions(of: Campaign, selection: Selection) -> Iterator[AdjudicationRecord]:
        assert (of, selection) == (campaign, EVERYTHING)
        yield AdjudicationRecord(first.key, "expert-1", "not-equivalent", "equivalent")

    without = publish(campaign, tmp_path / "without")
    monkeypatch.setattr(stage, "adjudication_records", decisions)
    release = publish(campaign, tmp_path / "out", "2.0.0", labels="adjudicated")
    assert verify_release(release.folder) == []
    dataset = read_release(release.folder).dataset
    labels = {item.record.id: (item.label.label, item.label.source) for item in dataset.items}
    assert labels.pop(first.key) == ("not-equivalent", "adjudicated")
    assert set(labels.values()) == {("equivalent", "majority")}
    assert release.digest != without.digest
