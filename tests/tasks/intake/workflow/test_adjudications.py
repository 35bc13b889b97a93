"""Decisions from files stand beside the votes like any other. On both databases."""

from typing import Any

import pytest

from tasks.adjudication.queries.decisions import current_adjudications
from tasks.adjudication.workflow import adjudicate
from tasks.intake.workflow.adjudications import (
    NO_REASON,
    AdjudicationIntake,
    import_adjudications,
)
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Adjudication, Campaign, ItemPurpose, Membership
from tasks.votes.ratings import counted_ratings
from tests.tasks.conftest import EQUIVALENT, LOSES, MakeCampaign, MakeMember, rating_row
from tomahto.interchange.reading.records import AdjudicationRow, GivenAnswer, InputError, Source


def row(number: int, adjudicator: str = "oak", label: str | None = None, **more: Any) -> Any:
    given = GivenAnswer(label or "not-equivalent", more.pop("answers", {}))
    source = Source("decisions.jsonl", number)
    return AdjudicationRow(source, f"item-{number}", adjudicator, given, **more)


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=3)


def test_import_stores_decisions(campaign: Campaign) -> None:
    rows = [
        row(1, first_label="equivalent", reason=" It leaves out the year. "),
        row(1, "fern", answers=LOSES),
        row(2),
    ]
    intake = import_adjudications(campaign=campaign, rows=rows)
    assert intake == AdjudicationIntake(
        adjudications_created=3, adjudications_existing=0, adjudicators=2
    )
    stored = current_adjudications(campaign).select_related("item", "adjudicator", "outcome")
    assert {
        (each.item.key, each.adjudicator.name): (
            each.outcome_id,
            each.first_outcome_id,
            each.reason,
        )
        for each in stored
    } == {
        ("item-1", "oak"): ("ae:not-equivalent", "ae:q1=no,q2=yes", "It leaves out the year."),
        ("item-1", "fern"): ("ae:q1=no,q2=no,q3=yes,q4=no", None, NO_REASON),
        ("item-2", "oak"): ("ae:not-equivalent", None, NO_REASON),
    }
    assert not counted_ratings(campaign).exists()


def test_import_again_changes_nothing(campaign: Campaign) -> None:
    rows = [row(1, first_label="equivalent"), row(2), row(2)]
    import_adjudications(campaign=campaign, rows=rows)
    again = import_adjudications(campaign=campaign, rows=rows)
    assert again == AdjudicationIntake(0, 3, 1)
    assert Adjudication.objects.count() == 2


def test_import_takes_a_decision_with_answers_for_its_label(
    campaign: Campaign, make_member: MakeMember
) -> None:
    campaign.adjudicates_blind = False
    campaign.save()
    oak = make_member(campaign, "oak", "researcher")
    item = campaign.items.get(key="item-1")
    adjudicate(item=item, adjudicator=oak, answers=LOSES, reason="So.", idempotency_key="k")
    assert import_adjudications(campaign=campaign, rows=[row(1)]).adjudications_existing == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row(1), row(9)], "line 9, field id: there is no item 'item-9'"),
        (
            [row(1), row(2, label="wrong")],
            "line 2, field label: 'wrong' is not one of equivalent, not-equivalent",
        ),
        (
            [row(1), row(2, first_label="wrong")],
            "line 2, field first_label: 'wrong' is not one of equivalent, not-equivalent",
        ),
        (
            [row(1), row(1, label="equivalent")],
            "line 1, field adjudicator: 'oak' has already decided this item differently",
        ),
        (
            [row(1), row(1, first_label="equivalent")],
            "line 1, field adjudicator: 'oak' has already decided this item differently",
        ),
        ([row(1), row(2, answers=EQUIVALENT)], "line 2, field label: 'not-equivalent' does not"),
        ([row(1), row(2, "rater")], "line 2, field adjudicator: 'rater' has rated this item"),
        ([row(1), row(3)], "line 3, field id: item 'item-3' is for training or checking raters"),
    ],
)
def test_import_refuses_what_cannot_be_and_stores_nothing(
    campaign: Campaign, rows: list[AdjudicationRow], message: str
) -> None:
    import_ratings(campaign=campaign, rows=[rating_row(2, "rater", "equivalent")])
    campaign.items.filter(key="item-3").update(purpose=ItemPurpose.CONTROL)
    with pytest.raises(InputError) as caught:
        import_adjudications(campaign=campaign, rows=rows)
    assert str(caught.value).startswith(f"decisions.jsonl, {message}")
    assert not Adjudication.objects.exists()
    assert not Membership.objects.filter(name="oak").exists()


def test_import_knows_items_of_its_own_campaign_alone(
    campaign: Campaign, make_campaign: MakeCampaign
) -> None:
    other = make_campaign(items=1)
    with pytest.raises(InputError, match="there is no item 'item-2'"):
        import_adjudications(campaign=other, rows=[row(2)])
