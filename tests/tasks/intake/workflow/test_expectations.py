"""Calibration and control items: stored with the answer they are known to have, never as votes."""

import pytest

from tasks.intake.workflow.items import ItemIntake, import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import ExpectedAnswer, Item, Rating, Slot
from tests.tasks.conftest import MakeCampaign, item_row, rating_row
from tomahto.interchange.reading.records import GivenAnswer, InputError, ItemRow

SAME = GivenAnswer(None, {"q1": False, "q2": True})


def known(number: int, expected: GivenAnswer = SAME, **changes: object) -> ItemRow:
    return item_row(number, **{"purpose": "calibration", "expected": expected, **changes})


def stored() -> list[tuple[str, str, str, str]]:
    expected = ExpectedAnswer.objects.order_by("item__key")
    return list(expected.values_list("item__key", "item__purpose", "outcome", "explanation"))


def test_items_with_a_known_answer_have_it_and_no_slots(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, overlap=3)
    rows = [
        known(1, explanation="The same words."),
        known(2, GivenAnswer("not-equivalent"), purpose="control"),
        item_row(3),
    ]
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(3, 0)
    assert stored() == [
        ("item-1", "calibration", "ae:q1=no,q2=yes", "The same words."),
        ("item-2", "control", "ae:not-equivalent", ""),
    ]
    assert set(Slot.objects.values_list("item__key", flat=True)) == {"item-3"}


def test_items_with_a_known_answer_come_again_without_effect(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    rows = [known(1), known(1), known(2, GivenAnswer("equivalent"), id=None, purpose="control")]
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(2, 0)
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(0, 2)
    assert len(stored()) == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"purpose": "live", "expected": None},
            "field purpose: item 'item-1' already exists for another purpose (calibration)",
        ),
        (
            {"purpose": "control"},
            "field purpose: item 'item-1' already exists for another purpose (calibration)",
        ),
        (
            {"expected": GivenAnswer(None, {"q1": True})},
            "field expected: item 'item-1' already exists with another expected answer",
        ),
        (
            {"explanation": "Because."},
            "field explanation: item 'item-1' already exists with another explanation",
        ),
        (
            {"expected": GivenAnswer("fine")},
            "field expected: 'fine' is not one of equivalent, not-equivalent",
        ),
        (
            {"expected": GivenAnswer(None, {"q1": False})},
            "field q2: is not answered",
        ),
        (
            {"expected": GivenAnswer("not-equivalent", {"q1": False, "q2": True})},
            (
                "field expected: 'not-equivalent' does not match the answers, which mean "
                "'equivalent'"
            ),
        ),
        (
            {"id": None, "references": ("one", "two")},
            "field references: a calibration item must have exactly one reference",
        ),
    ],
)
@pytest.mark.parametrize("is_one_file", [True, False])
def test_items_that_contradict_what_is_known_are_refused(
    make_campaign: MakeCampaign, changes: dict[str, object], message: str, is_one_file: bool
) -> None:
    campaign = make_campaign(items=0)
    rows = [known(1), item_row(1, **{"purpose": "calibration", "expected": SAME, **changes})]
    if not is_one_file:
        import_items(campaign=campaign, rows=rows[:1])
    before = stored()
    with pytest.raises(InputError) as caught:
        import_items(campaign=campaign, rows=rows)
    assert str(caught.value) == f"items.jsonl, line 1, {message}"
    assert stored() == before
    assert Item.objects.count() == len(before)


def test_a_live_item_does_not_become_one_for_calibration(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=1)
    with pytest.raises(InputError, match=r"for another purpose \(live\)"):
        import_items(campaign=campaign, rows=[known(1)])
    assert stored() == []


def test_items_without_an_id_are_told_apart_by_their_purpose(make_campaign: MakeCampaign) -> None:
    """Otherwise a prediction that equals a calibration item could never be rated."""
    campaign = make_campaign(items=0)
    rows = [known(1, id=None), item_row(1, id=None)]
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(2, 0)
    live = Item.objects.get(purpose="live")
    assert Item.objects.get(purpose="calibration").key == f"calibration-{live.key}"
    assert set(Slot.objects.values_list("item", flat=True)) == {live.pk}


@pytest.mark.parametrize("purpose", ["calibration", "control"])
def test_ratings_of_items_with_a_known_answer_are_not_imported(
    make_campaign: MakeCampaign, purpose: str
) -> None:
    campaign = make_campaign(items=0)
    import_items(campaign=campaign, rows=[known(1, purpose=purpose)])
    with pytest.raises(InputError) as caught:
        import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent")])
    assert str(caught.value) == (
        "ratings.jsonl, line 1, field id: item 'item-1' is for training or checking raters"
    )
    assert not Rating.objects.exists()
