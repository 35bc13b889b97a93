"""The parts that a selection leaves out of a release. On both databases."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tasks.adjudication.workflow import adjudicate
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership, Release, User
from tasks.people.workflow.members import deactivate, give_consent, publish_consent_text
from tasks.releases.queries.releasable import left_out
from tasks.releases.workflow.listing import ReleaseRefused
from tests.exporters.folders import names
from tests.factories import make_campaign, make_member
from tests.stored_at_once import store_items
from tests.tasks.conftest import (
    EQUIVALENT,
    item_row,
    rate_next,
    rating_row,
)
from tests.tasks.releases import releasing
from tests.tasks.releases.releasing import rated_campaign
from tomahto.interchange.reading.records import GivenAnswer
from tomahto.releases.dataset.choices import LeftOut, Selection
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


ITEMS = 6


def rate_all(rater: Membership) -> None:
    while rate_next(rater):
        pass


@pytest.fixture(scope="module")
def _kept(kept_rows: None) -> Campaign:
    campaign = make_campaign("selected", overlap=3)
    store_items(campaign, [item_row(n) for n in range(1, ITEMS + 1)])
    oak, elm = (make_member(campaign, username=name) for name in ("oak", "elm"))
    publish_consent_text(campaign=campaign, text="Take part?")
    oak.refresh_from_db()
    give_consent(membership=oak, version=1)
    rate_all(oak)
    publish_consent_text(campaign=campaign, text="")
    publish_guideline(campaign=campaign, text="Look closer.")
    elm = Membership.objects.get(pk=elm.pk)
    rate_all(elm)
    deactivate(member=elm)
    rows = [rating_row(n, "imported", "equivalent") for n in range(1, ITEMS + 1)]
    import_ratings(campaign=campaign, rows=rows)
    return campaign


@pytest.fixture
def campaign(_kept: Campaign, db: None) -> Campaign:
    """Oak has consented and rated all items under guidelines 1; elm under guidelines 2, and has
    left since; of an imported rater nothing is known."""
    return Campaign.objects.get(pk=_kept.pk)


@pytest.fixture
def raters(campaign: Campaign) -> dict[str, Membership]:
    members = {member.name: member for member in Membership.objects.filter(campaign=campaign)}
    assert set(members) == {"oak", "elm", "imported"}
    return members


def publish(campaign: Campaign, out: Path, version: str = "1.0.0", **selection: Any) -> Release:
    return releasing.publish(campaign, out, version, selection=Selection(**selection))


def released(release: Release) -> dict[str, set[str]]:
    """The items that each rater's ratings are of."""
    found: dict[str, set[str]] = {}
    for rating in read_release(release.folder).dataset.ratings:
        found.setdefault(rating.rater, set()).add(rating.item_id)
    return found


ALL = {f"item-{n}" for n in range(1, ITEMS + 1)}


@pytest.mark.parametrize(
    ("selection", "kept"),
    [
        ({}, ("oak", "elm", "imported")),
        ({"without_deactivated": True}, ("oak", "imported")),
        ({"guideline_versions": (1,)}, ("oak",)),
        ({"guideline_versions": (2, 1)}, ("oak", "elm")),
        ({"consented_only": True}, ("oak",)),
        ({"without_deactivated": True, "guideline_versions": (1, 2)}, ("oak",)),
    ],
)
def test_selection_leaves_out_the_ratings_of_its_filters(
    raters: dict[str, Membership],
    campaign: Campaign,
    tmp_path: Path,
    selection: dict[str, Any],
    kept: tuple[str, ...],
) -> None:
    release = publish(campaign, tmp_path / "out", **selection)
    assert verify_release(release.folder) == []
    assert released(release) == {raters[name].pseudonym: ALL for name in kept}
    assert (release.items, release.ratings) == (ITEMS, ITEMS * len(kept))
    guidelines = [f"v{n}.md" for n in (1, 2) if n in selection.get("guideline_versions", (1, 2))]
    assert names(release.folder / "guidelines") == guidelines


def test_a_deactivated_account_counts_and_consent_to_an_earlier_version_too(
    raters: dict[str, Membership], campaign: Campaign, tmp_path: Path
) -> None:
    campaign.refresh_from_db()
    publish_consent_text(campaign=campaign, text="Take part, please?")
    release = publish(campaign, tmp_path / "one", consented_only=True)
    assert released(release) == {raters["oak"].pseudonym: ALL}
    User.objects.filter(memberships=raters["oak"]).update(is_active=False)
    release = publish(campaign, tmp_path / "two", "2.0.0", without_deactivated=True)
    assert released(release) == {raters["imported"].pseudonym: ALL}


def test_left_out_counts_each_filter_and_the_ratings_of_all_once(campaign: Campaign) -> None:
    # Of 18 ratings elm's 6 are of somebody who left; elm's and the imported ones are under other
    # guidelines than 1, and by somebody who has agreed to nothing.
    selection = Selection(without_deactivated=True, guideline_versions=(1,), consented_only=True)
    by_filter = {"without_deactivated": 6, "guideline_versions": 12, "consented_only": 12}
    assert left_out(campaign, selection) == LeftOut(items=0, ratings=12, by_filter=by_filter)
    assert left_out(campaign, Selection()) == LeftOut()


@pytest.fixture
def control(campaign: Campaign) -> None:
    """A control item that says what the live item 1 does, and one that says something else."""
    known = {"id": None, "purpose": "control", "expected": GivenAnswer("equivalent")}
    rows = [item_row(1, **known), item_row(2, **{**known, "candidate": "another"})]
    import_items(campaign=campaign, rows=rows)


@pytest.mark.usefixtures("control")
def test_without_controls_leaves_out_items_whose_answer_is_known(
    raters: dict[str, Membership], campaign: Campaign, tmp_path: Path
) -> None:
    campaign.adjudicates_blind = False
    campaign.save()
    judge = make_member(campaign, "researcher", "judge")
    for item in campaign.items.filter(key__in=["item-1", "item-2"]):
        adjudicate(
            item=item, adjudicator=judge, answers=EQUIVALENT, reason="So.", idempotency_key=item.key
        )
    release = publish(campaign, tmp_path / "out", without_controls=True)
    assert verify_release(release.folder) == []
    assert released(release) == {rater.pseudonym: ALL - {"item-1"} for rater in raters.values()}
    dataset = read_release(release.folder).dataset
    assert [each.item_id for each in dataset.adjudications] == ["item-2"]
    manifest = json.loads((release.folder / "manifest.json").read_text())
    assert manifest["left_out"] == {
        "items": 1,
        "ratings": 3,
        "ratings_by_filter": {"without_controls": 3},
    }


@pytest.mark.usefixtures("control")
def test_a_control_item_of_another_campaign_makes_no_item_known(
    tmp_path: Path,
) -> None:
    other = rated_campaign(items=ITEMS)
    assert publish(other, tmp_path / "out", without_controls=True).items == ITEMS


def test_surplus_stays_surplus_where_a_counted_rating_is_left_out(
    campaign: Campaign, tmp_path: Path
) -> None:
    rows = [rating_row(n, "late", "equivalent", counted=False) for n in range(1, ITEMS + 1)]
    import_ratings(campaign=campaign, rows=rows)
    release = publish(campaign, tmp_path / "out", without_deactivated=True)
    ratings = list(read_release(release.folder).dataset.ratings)
    counted = [rating for rating in ratings if rating.counted]
    assert (len(ratings), len(counted), release.ratings) == (18, 12, 12)


def test_items_that_keep_only_surplus_ratings_are_not_released(
    campaign: Campaign, tmp_path: Path
) -> None:
    import_items(campaign=campaign, rows=[item_row(7, document="document-1")])
    rows = [rating_row(7, "imported", "equivalent")]
    import_ratings(campaign=campaign, rows=[*rows, replace(rows[0], rater="late", counted=False)])
    assert publish(campaign, tmp_path / "one").items == ITEMS + 1
    release = publish(campaign, tmp_path / "two", version="2.0.0", consented_only=True)
    assert set().union(*released(release).values()) == ALL
    card = (release.folder / "README.md").read_text()
    assert "1 item of the campaign had no counted rating that was selected and is left out." in card


@pytest.mark.usefixtures("control")
def test_a_release_that_leaves_a_document_out_does_not_set_it_free(
    campaign: Campaign, tmp_path: Path
) -> None:
    # Item 1 is alone in its document, and goes out with it; meanwhile its side grows so much that
    # it would go to the other one if it were placed anew. A system's answer would keep it there.
    campaign.items.get(key="item-1").item_systems.all().delete()
    question = campaign.items.get(key="item-2").question
    campaign.items.filter(key="item-4").update(question=question)
    first = releasing.publish(campaign, tmp_path / "one", seed=5)
    side = first.documents["document-1"]
    beside = [name for name, split in first.documents.items() if split == side]
    assert (len(beside), len(first.documents)) == (2, 3)
    (grown,) = (name for name in beside if name != "document-1")
    import_items(campaign=campaign, rows=[item_row(n, document=grown) for n in range(10, 40)])
    rows = [rating_row(n, "ann", "equivalent") for n in range(10, 40)]
    import_ratings(campaign=campaign, rows=rows)
    selection = Selection(without_controls=True)
    second = releasing.publish(campaign, tmp_path / "two", "2.0.0", seed=5, selection=selection)
    assert second.documents.keys() == first.documents.keys() - {"document-1"}
    third = releasing.publish(campaign, tmp_path / "three", "2.1.0", seed=5)
    assert third.documents == first.documents


def test_a_version_of_guidelines_that_does_not_exist_is_refused_by_name(
    campaign: Campaign, tmp_path: Path
) -> None:
    with pytest.raises(ReleaseRefused) as caught:
        publish(campaign, tmp_path / "out", guideline_versions=(2, 3, 9))
    assert str(caught.value) == "guidelines of version 3, 9 do not exist; known: 1, 2"
    assert list(tmp_path.iterdir()) == []


def test_a_selection_that_leaves_nothing_says_why(campaign: Campaign, tmp_path: Path) -> None:
    unknown = rated_campaign(items=1)
    with pytest.raises(ReleaseError) as caught:
        publish(unknown, tmp_path / "out", without_deactivated=True, consented_only=True)
    assert str(caught.value) == (
        "the selection leaves no item with a counted rating: of 2 ratings "
        "without_deactivated leaves out 0, consented_only leaves out 2"
    )
    assert not Release.objects.exists()


def test_another_selection_is_another_release_though_it_leaves_out_nothing(
    campaign: Campaign, tmp_path: Path
) -> None:
    publish(campaign, tmp_path / "one")
    with pytest.raises(ReleaseRefused, match="is already released with other content"):
        publish(campaign, tmp_path / "two", without_controls=True)
