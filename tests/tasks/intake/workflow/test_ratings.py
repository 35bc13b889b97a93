"""Ratings from files: votes like any other."""

from dataclasses import replace

import pytest

from tasks.intake.workflow.ratings import RatingIntake, import_ratings
from tasks.models import Item, Membership, Rating, Slot
from tasks.rating.workflow.assignment import claim_item
from tasks.votes.ratings import counted_ratings
from tests.tasks.conftest import MakeCampaign, MakeMember, item_row, rating_row
from tomahto.interchange.reading.records import InputError, RatingRow
from tomahto.votes.remarks import TYPED


def test_import_fills_slots_and_leaves_the_rest_open(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=2, overlap=1)
    intake = import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent")])
    assert intake == RatingIntake(ratings_created=1, ratings_existing=0, raters=1, items_created=0)
    claim = claim_item(membership=make_member(campaign))
    assert claim is not None
    assert Item.objects.get(assignments=claim.assignment_id).key == "item-2"


def test_import_beyond_the_overlap_gets_further_slots_and_counts(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=1, overlap=2)
    rows = [rating_row(1, f"rater-{n}", "equivalent") for n in range(4)]
    import_ratings(campaign=campaign, rows=rows)
    assert counted_ratings(campaign).count() == 4
    slots = Slot.objects.order_by("number").values_list("number", "is_filled")
    assert list(slots) == [(n, True) for n in (1, 2, 3, 4)]


def test_import_again_changes_nothing(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    rows = [rating_row(n, "ann", answers={"q1": True}) for n in (1, 2)]
    import_ratings(campaign=campaign, rows=rows)
    again = import_ratings(campaign=campaign, rows=rows)
    assert again == RatingIntake(0, 2, 1, 0)
    assert Rating.objects.count() == 2


def test_import_brings_its_items_along(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    row = rating_row(1, "ann", "equivalent", item=item_row(1), item_id=None)
    assert import_ratings(campaign=campaign, rows=[row]).items_created == 1
    assert counted_ratings(campaign).get().item.key == "item-1"


def test_import_meets_an_item_without_id_by_its_texts(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    rows = [
        rating_row(1, rater, "equivalent", item=item_row(1, id=None), item_id=None)
        for rater in ("ann", "ben")
    ]
    assert import_ratings(campaign=campaign, rows=rows).items_created == 1


def test_import_keeps_surplus_ratings_apart(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent", counted=False)])
    assert not counted_ratings(campaign).exists()
    assert not Rating.objects.get().is_counted


def test_import_without_a_time_invents_none(make_campaign: MakeCampaign) -> None:
    import_ratings(campaign=make_campaign(), rows=[rating_row(1, "ann", "equivalent")])
    assert Rating.objects.get().rated_at is None


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (rating_row(9, "ann", "equivalent"), "line 9, field id: there is no item 'item-9'"),
        (rating_row(1, "ann", "same"), "field label: 'same' is not one of"),
        (
            rating_row(1, "ann", "equivalent", wording="de-9"),
            "field wording: the form has no wording named 'de-9'",
        ),
        (rating_row(1, "ann"), "field label: '' is not one of"),
        (rating_row(1, "ann", answers={"q1": True, "q2": True}), "field q2: is not asked"),
        (rating_row(1, "ann", answers={"q1": False}), "field q2: is not answered"),
        (
            rating_row(1, "ann", "equivalent", answers={"q1": True}),
            "field label: 'equivalent' does not match",
        ),
        (
            rating_row(2, "ann", "not-equivalent"),
            "field rater: rater 'ann' has already rated this item",
        ),
        (
            rating_row(1, "ann", "equivalent", item=item_row(1, id=None, references=("a", "b"))),
            "field references: a rating must have exactly one reference",
        ),
    ],
)
def test_import_of_a_wrong_row_says_where_and_stores_nothing(
    make_campaign: MakeCampaign, row: RatingRow, message: str
) -> None:
    campaign = make_campaign()
    good = rating_row(2, "ann", "equivalent")
    with pytest.raises(InputError, match=message):
        import_ratings(campaign=campaign, rows=[good, row])
    assert not Rating.objects.exists()
    assert not Membership.objects.exists()


def test_import_of_a_bare_label_that_is_also_asked_for(make_campaign: MakeCampaign) -> None:
    # "rules" asks for the label and for rules; a file may know the label alone
    campaign = make_campaign(items=1, protocol="rules")
    answers = {"label": "correct", "rules": None}
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "correct", answers=answers)])
    assert Rating.objects.get().outcome_id == "rules:correct"


def test_import_of_a_remark_that_does_not_match_its_pattern_is_refused(
    make_campaign: MakeCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterned = replace(TYPED[0], pattern="sure|unsure", example="sure")
    monkeypatch.setattr("tasks.intake.workflow.ratings.TYPED", (patterned,))
    campaign = make_campaign()
    rows = [rating_row(n, "ann", "equivalent", comment=text) for n, text in ((1, ""), (2, "maybe"))]
    with pytest.raises(InputError) as caught:
        import_ratings(campaign=campaign, rows=rows)
    assert str(caught.value) == (
        "ratings.jsonl, line 2, field comment: 'maybe' is not a comment such as `sure`"
    )
    assert not Rating.objects.exists()
