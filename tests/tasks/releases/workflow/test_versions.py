"""Numbers of releases: compared with the release they continue, refused where they say too little.
On both databases."""

from pathlib import Path
from typing import Any

import pytest

from tasks.models import Campaign, Release
from tasks.releases.workflow.listing import withdraw_release
from tasks.releases.workflow.release import publish_release, release_content
from tasks.releases.workflow.versions import DishonestVersion, Step, honest_version
from tests.exporters.builders import compared
from tests.tasks.conftest import MakeCampaign
from tests.tasks.releases import releasing
from tests.tasks.releases.releasing import MOVED, SPLIT, rate, rated_campaign, release_plan
from tomahto.releases.comparison.compared import ComparedRelease
from tomahto.releases.records.fields import ReleaseError

pytestmark = pytest.mark.slow


NEW_ITEM = "1 item is new: 'item-5'"
ANSWER = "1 answer says something else: 'question-5' by 'juniper'"


@pytest.fixture(scope="module")
def _kept(kept_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    campaign = rated_campaign(items=8, rated=4)
    publish(campaign, tmp_path_factory.mktemp("releases"), "1.0.0")
    return campaign


@pytest.fixture
def campaign(_kept: Campaign, db: None) -> Campaign:
    """Four of eight items are rated, and released as 1.0.0."""
    return Campaign.objects.get(pk=_kept.pk)


def publish(campaign: Campaign, folder: Path, version: str, **changes: Any) -> Release:
    return releasing.publish(campaign, folder / version, version, **changes)


def planned(campaign: Campaign, **changes: Any) -> ComparedRelease:
    return compared(release_content(campaign=campaign, plan=release_plan("0.0.1", **changes)))


def test_the_first_release_may_have_any_number(campaign: Campaign, tmp_path: Path) -> None:
    Release.objects.all().delete()
    assert honest_version(planned(campaign), campaign) == Step(None, "none", "1.0.0", ())
    assert publish(campaign, tmp_path, "3.1.4").version == "3.1.4"


def test_honest_version_of_the_same_or_of_other_documentation_is_the_next_patch(
    campaign: Campaign, tmp_path: Path
) -> None:
    assert honest_version(planned(campaign), campaign) == Step("1.0.0", "none", "1.0.1", ())
    Campaign.objects.update(description="Said more clearly.")
    campaign.refresh_from_db()
    assert honest_version(planned(campaign), campaign) == Step(
        "1.0.0", "patch", "1.0.1", ("documentation differs: description",)
    )
    assert publish(campaign, tmp_path, "1.0.1").version == "1.0.1"


def test_new_items_and_ratings_want_a_minor_step(campaign: Campaign, tmp_path: Path) -> None:
    rate(campaign, 5)
    raters = campaign.memberships.order_by("pseudonym").values_list("pseudonym", flat=True)
    ratings = "2 ratings are new: " + ", ".join(f"'item-5' by '{rater}'" for rater in raters)
    assert honest_version(planned(campaign), campaign) == Step(
        "1.0.0", "minor", "1.1.0", (NEW_ITEM, ratings, ANSWER)
    )
    refusal = (
        rf"^version 1\.0\.1 is too small a step from 1\.0\.0: {NEW_ITEM}; {ratings}; {ANSWER}; "
        r"the version must be at least 1\.1\.0, a minor step$"
    )
    with pytest.raises(DishonestVersion, match=refusal):
        publish(campaign, tmp_path, "1.0.1")
    assert list(tmp_path.iterdir()) == []
    assert Release.objects.count() == 1
    assert publish(campaign, tmp_path, "1.1.0").items == 5


def test_other_splits_want_a_major_step(campaign: Campaign, tmp_path: Path) -> None:
    step = honest_version(planned(campaign, split=MOVED), campaign)
    assert (step.previous, step.required, step.least) == ("1.0.0", "major", "2.0.0")
    assert "in another split: 'item-" in step.reasons[0]
    for version in ("1.0.1", "1.1.0"):
        with pytest.raises(DishonestVersion, match=r"must be at least 2\.0\.0, a major step"):
            publish(campaign, tmp_path, version, split=MOVED)
    assert publish(campaign, tmp_path, "2.0.0", split=MOVED).version == "2.0.0"


def test_an_old_line_is_compared_with_its_own_predecessor(
    campaign: Campaign, tmp_path: Path
) -> None:
    publish(campaign, tmp_path, "2.0.0", split=MOVED)
    Campaign.objects.update(title="Rivers, corrected")
    campaign.refresh_from_db()
    assert publish(campaign, tmp_path, "1.0.1").version == "1.0.1"
    step = honest_version(planned(campaign), campaign)
    assert (step.previous, step.required, step.least) == ("2.0.0", "major", "3.0.0")


def test_a_least_number_on_an_old_line_passes_over_those_that_are_taken(
    campaign: Campaign, tmp_path: Path
) -> None:
    # 1.0.1 wants a minor step from 1.0.0. 1.1.0 is taken, and from there as well: 1.2.0. With other
    # splits 1.2.0 wants a major step, to 2.0.0, which is taken, but has these very splits: 2.1.0.
    publish(campaign, tmp_path, "1.1.0")
    publish(campaign, tmp_path, "2.0.0", split=MOVED)
    rate(campaign, 5)
    with pytest.raises(DishonestVersion, match=r"from 1\.0\.0: .* must be at least 1\.2\.0,"):
        publish(campaign, tmp_path, "1.0.1")
    with pytest.raises(DishonestVersion, match=r"from 1\.1\.0: .* must be at least 2\.1\.0,"):
        publish(campaign, tmp_path, "1.2.0", split=MOVED)
    assert publish(campaign, tmp_path, "2.1.0", split=MOVED).items == 5
    assert publish(campaign, tmp_path, "1.2.0").items == 5


def test_a_number_below_all_others_continues_none(campaign: Campaign, tmp_path: Path) -> None:
    refusal = (
        r"^version 0\.9\.0 is lower than 1\.0\.0, the first release, and continues none; "
        r"the version must be at least 1\.0\.1$"
    )
    with pytest.raises(DishonestVersion, match=refusal):
        publish(campaign, tmp_path, "0.9.0")


def test_withdrawn_releases_are_not_compared_with_and_keep_their_number(
    campaign: Campaign, tmp_path: Path
) -> None:
    withdraw_release(release=publish(campaign, tmp_path, "2.0.0", split=MOVED), reason="Leaks.")
    rate(campaign, 5)
    step = honest_version(planned(campaign), campaign)
    assert (step.previous, step.required, step.least) == ("1.0.0", "minor", "1.1.0")
    # a major change cannot take 2.0.0 any more
    step = honest_version(planned(campaign, split=MOVED), campaign)
    assert (step.previous, step.required, step.least) == ("1.0.0", "major", "3.0.0")


def test_where_all_are_withdrawn_the_next_number_is_free(
    campaign: Campaign, tmp_path: Path
) -> None:
    withdraw_release(release=Release.objects.get(), reason="Leaks.")
    assert honest_version(planned(campaign), campaign) == Step(None, "none", "1.0.1", ())
    assert publish(campaign, tmp_path, "1.0.1", split=MOVED).version == "1.0.1"


def test_what_cannot_be_read_is_named_and_passed_over(campaign: Campaign, tmp_path: Path) -> None:
    rate(campaign, 5)
    publish(campaign, tmp_path, "1.1.0")
    publish(campaign, tmp_path, "1.2.0", split=f"{SPLIT}:leaks=report")
    (tmp_path / "1.1.0/items/dev.parquet").write_bytes(b"damaged")
    (tmp_path / "1.2.0").rename(tmp_path / "elsewhere")
    unread = (
        "1.2.0 cannot be compared with: manifest.json: is missing or not a regular file",
        "1.1.0 cannot be compared with: items/dev.parquet: its SHA-256 is not",
    )
    step = honest_version(planned(campaign), campaign)
    assert (step.previous, step.required, step.least) == ("1.0.0", "minor", "1.3.0")
    assert step.reasons[0] == NEW_ITEM
    assert all(map(str.startswith, step.reasons[-2:], unread))
    notes: list[str] = []
    publish_release(
        campaign=campaign, plan=release_plan("1.2.1"), out=tmp_path / "1.2.1", note=notes.append
    )
    assert all(map(str.startswith, notes, unread))
    assert len(notes) == 2


def test_a_folder_that_holds_another_release_is_not_compared_with(
    campaign: Campaign, tmp_path: Path
) -> None:
    other = publish(campaign, tmp_path, "2.0.0", split=MOVED)
    Release.objects.filter(version="1.0.0").update(path=other.path)
    Release.objects.filter(version="2.0.0").update(path=str(tmp_path))
    step = honest_version(planned(campaign), campaign)
    assert (step.previous, step.least) == (None, "2.0.1")
    assert step.reasons[1] == "1.0.0 cannot be compared with: its folder holds another release"


def test_a_release_of_nothing_is_no_fault_of_the_number(
    make_campaign: MakeCampaign, campaign: Campaign
) -> None:
    with pytest.raises(ReleaseError, match="no item has a counted rating"):
        honest_version(planned(make_campaign()), campaign)
