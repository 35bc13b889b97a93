"""The progress of a release: every row read, labelled and written once."""

from pathlib import Path

import pytest

from tasks.jobs.workflow.jobs import LeaseLost
from tasks.models import Campaign, Release
from tasks.releases.workflow.listing import ReleaseProgress
from tasks.releases.workflow.release import publish_release
from tests.tasks.conftest import MakeCampaign
from tests.tasks.releases.releasing import rate, release_plan


def test_progress_counts_every_row_twice_and_those_of_the_splits_once_more() -> None:
    reports: list[tuple[int, int]] = []
    progress = ReleaseProgress(lambda done, total: reports.append((done, total)))
    progress.read(120)
    progress.labelled(100)  # 20 rows are in no split
    for rows in (30, 50, 40):  # and 20 in two
        progress.wrote(rows)
    progress.finished()
    assert reports == [(120, 360), (240, 340), (270, 340), (320, 340), (340, 340), (340, 340)]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """Four of six items are rated once: 6 items, 4 ratings and 6 answers, of which 4, 4 and 6 are
    in a split."""
    campaign = make_campaign(items=6)
    rate(campaign, 1, 2, 3, 4, raters=("ann",))
    return campaign


def steps_of(campaign: Campaign, out: Path) -> list[tuple[int, int]]:
    """The reports of publishing: how many steps are done, of how many."""
    reports: list[tuple[int, int]] = []
    publish_release(
        campaign=campaign,
        plan=release_plan(),
        out=out,
        report=lambda done, total: reports.append((done, total)),
    )
    return reports


def test_publishing_reports_reading_labels_and_each_table(
    campaign: Campaign, tmp_path: Path
) -> None:
    for steps in ([16, 32, 34, 36, 38, 40, 42, 46, 46], [16, 32, 46]):
        reports = steps_of(campaign, tmp_path / "out")
        # the second time the folder is there already, and nothing is written
        assert ([done for done, _total in reports], reports[-1]) == (steps, (46, 46))


def test_nothing_is_left_when_a_report_finds_that_the_job_is_cancelled(
    campaign: Campaign, tmp_path: Path
) -> None:
    def report(done: int, _total: int) -> None:
        if done > 36:
            raise LeaseLost("cancelled")

    with pytest.raises(LeaseLost):
        publish_release(campaign=campaign, plan=release_plan(), out=tmp_path / "out", report=report)
    assert not Release.objects.exists()
    assert list(tmp_path.iterdir()) == []
