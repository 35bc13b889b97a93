"""How far a release is: every row read, labelled and written once."""

from pathlib import Path

import pytest

from exporters.plan import ReleasePlan
from tasks.intake.workflow.ratings import import_ratings
from tasks.jobs.workflow.jobs import LeaseLost
from tasks.models import Campaign, Release
from tasks.releases.workflow.progress import ReleaseProgress
from tasks.releases.workflow.release import publish_release
from tests.tasks.conftest import MakeCampaign, rating_row

pytestmark = pytest.mark.slow


def test_progress_counts_every_row_twice_and_those_of_the_splits_once_more() -> None:
    reports: list[tuple[int, int]] = []
    progress = ReleaseProgress(lambda done, total: reports.append((done, total)))
    progress.read(120)
    progress.labelled(100)  # 20 rows are in no split
    for rows in (30, 50, 40):  # and 20 in two
        progress.wrote(rows)
    progress.finished()
    assert reports == [
        (120, 360),
        (240, 340),
        (270, 340),
        (320, 340),
        (340, 340),
        (340, 340),
    ]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=6)
    import_ratings(
        campaign=campaign, rows=[rating_row(n, "ann", "equivalent") for n in range(1, 7)]
    )
    return campaign


PLAN = ReleasePlan(version="1.0.0", split="document:dev=40,test=60", seed=0)


def test_publishing_reports_reading_labels_and_each_table(
    campaign: Campaign, tmp_path: Path
) -> None:
    reports: list[tuple[int, int]] = []

    def report(done: int, total: int) -> None:
        reports.append((done, total))

    publish_release(campaign=campaign, plan=PLAN, out=tmp_path / "out", report=report)
    # 6 items, 6 ratings and 6 answers; of each table dev has 2 rows and test 4
    assert [done for done, _total in reports] == [18, 36, 38, 42, 44, 48, 50, 54, 54]
    assert {total for _done, total in reports} == {54}


def test_a_release_that_leaves_items_out_ends_with_all_done(
    make_campaign: MakeCampaign, tmp_path: Path
) -> None:
    campaign = make_campaign(items=6)
    rows = [rating_row(n, "ann", "equivalent") for n in range(1, 5)]
    import_ratings(campaign=campaign, rows=rows)
    reports: list[tuple[int, int]] = []

    def report(done: int, total: int) -> None:
        reports.append((done, total))

    for _again in range(2):  # the second time the folder is there already: nothing is written
        publish_release(campaign=campaign, plan=PLAN, out=tmp_path / "out", report=report)
        # 6 items, 4 ratings and 6 answers are read; 4, 4 and 6 are in a split
        assert reports[-1] == (46, 46)
        assert all(done <= total for done, total in reports)


def test_nothing_is_left_when_a_report_finds_that_the_job_is_cancelled(
    campaign: Campaign, tmp_path: Path
) -> None:
    def report(done: int, _total: int) -> None:
        if done > 38:
            raise LeaseLost("cancelled")

    with pytest.raises(LeaseLost):
        publish_release(campaign=campaign, plan=PLAN, out=tmp_path / "out", report=report)
    assert not Release.objects.exists()
    assert list(tmp_path.iterdir()) == []
