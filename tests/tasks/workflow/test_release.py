"""Publishing: a row for every whole folder, and for nothing else. On both databases."""

from pathlib import Path

import pytest
from pytest_django import Settings

from exporters.errors import ReleaseError
from exporters.release import ReleaseContent, write_release
from exporters.verify import verify_release
from tasks.models import Campaign, Release
from tasks.workflow import release as stage
from tasks.workflow.intake import import_items
from tasks.workflow.rating_import import import_ratings
from tasks.workflow.release import ReleaseRefused, publish_release, release_folder
from tests.tasks.conftest import MakeCampaign, item_row, rating_row

SPLIT = "document:dev=40,test=60"


def rate(campaign: Campaign, items: range) -> None:
    rows = [rating_row(n, rater, "equivalent") for n in items for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=rows)


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """Six items of three documents, each rated twice."""
    campaign = make_campaign(items=6)
    rate(campaign, range(1, 7))
    return campaign


def publish(campaign: Campaign, out: Path, version: str = "1.0.0", seed: int = 0) -> Release:
    return publish_release(campaign=campaign, version=version, split=SPLIT, seed=seed, out=out)


def test_publish_lists_what_the_folder_holds(campaign: Campaign, tmp_path: Path) -> None:
    publish(campaign, tmp_path / "out")
    listed = Release.objects.get()
    assert verify_release(listed.folder) == []
    assert (listed.version, listed.items, listed.ratings) == ("1.0.0", 6, 12)
    assert (listed.folder, listed.split, listed.seed) == (tmp_path / "out", SPLIT, 0)
    assert listed.splits == {"dev": 2, "test": 4}
    assert set(listed.documents) == {"document-0", "document-1", "document-2"}


def test_publish_lists_after_the_folder_is_whole(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed_while_writing = []

    def watch(content: ReleaseContent, out: Path) -> None:
        listed_while_writing.append(Release.objects.count())
        write_release(content, out)
        listed_while_writing.append(Release.objects.count())

    monkeypatch.setattr(stage, "write_release", watch)
    publish(campaign, tmp_path / "out")
    assert listed_while_writing == [0, 0]
    assert Release.objects.count() == 1


def test_publish_takes_over_a_folder_whose_row_was_never_written(
    campaign: Campaign, tmp_path: Path
) -> None:
    publish(campaign, tmp_path / "out")
    Release.objects.all().delete()  # as if killed after the rename
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}
    publish(campaign, tmp_path / "out")
    assert Release.objects.get().folder == tmp_path / "out"
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")} == before


def test_publish_does_not_take_over_a_damaged_folder(campaign: Campaign, tmp_path: Path) -> None:
    publish(campaign, tmp_path / "out")
    Release.objects.all().delete()
    (tmp_path / "out" / "agreement.json").write_text("{}")
    with pytest.raises(ReleaseError, match="is there already"):
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


def test_publish_refuses_other_content_under_a_listed_version(
    campaign: Campaign, tmp_path: Path
) -> None:
    publish(campaign, tmp_path / "one")
    with pytest.raises(ReleaseRefused, match=r"1\.0\.0 is released already, with other content"):
        publish(campaign, tmp_path / "two", seed=1)
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_publish_that_loses_a_race_for_the_version_leaves_nothing(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def overtaken(content: ReleaseContent, out: Path) -> None:
        """Somebody else lists this version, with other content, while the folder is written."""
        write_release(content, out)
        monkeypatch.setattr(stage, "write_release", write_release)
        publish(campaign, tmp_path / "theirs", seed=1)

    monkeypatch.setattr(stage, "write_release", overtaken)
    with pytest.raises(ReleaseRefused, match="released already"):
        publish(campaign, tmp_path / "ours")
    assert Release.objects.get().folder == tmp_path / "theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["theirs"]


def test_publish_keeps_documents_in_their_split_when_items_are_added(
    campaign: Campaign, tmp_path: Path
) -> None:
    first = publish(campaign, tmp_path / "one")
    rows = [item_row(n, document=f"further-{n % 5}") for n in range(7, 40)]
    import_items(campaign=campaign, rows=rows)
    rate(campaign, range(7, 40))
    second = publish(campaign, tmp_path / "two", "1.1.0")
    assert {name: second.documents[name] for name in first.documents} == first.documents
    assert len(second.documents) == 8


def test_publish_moves_documents_freely_under_another_seed(
    campaign: Campaign, tmp_path: Path
) -> None:
    first = publish(campaign, tmp_path / "one")
    others = [publish(campaign, tmp_path / f"{n}", f"2.0.{n}", seed=n) for n in range(1, 5)]
    assert any(other.documents != first.documents for other in others)


@pytest.mark.parametrize("is_made_before", [True, False])
def test_nothing_is_listed_or_left_when_the_disk_refuses(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_made_before: bool
) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("exporters.release.write_table", full)
    if is_made_before:
        (tmp_path / "out").mkdir()
    with pytest.raises(OSError, match="No space left"):
        publish(campaign, tmp_path / "out")
    assert not Release.objects.exists()
    assert [path.name for path in tmp_path.iterdir()] == (["out"] if is_made_before else [])
    monkeypatch.undo()
    assert verify_release(publish(campaign, tmp_path / "out").folder) == []


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


def test_release_folders_are_kept_by_campaign_and_version(
    campaign: Campaign, tmp_path: Path, settings: Settings
) -> None:
    settings.RELEASES_DIR = tmp_path
    assert release_folder(campaign, "1.0.0") == tmp_path / campaign.slug / "1.0.0"
