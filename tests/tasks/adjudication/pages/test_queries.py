"""The number of statements of adjudication, whatever the size of the campaign."""

import pytest
from django.db import connection

from tasks.models import Campaign, Item, Rating, Slot
from tests.bulk import BATCH, OVERLAP, fill
from tests.factories import make_campaign, make_member
from tests.tasks.adjudication.forms import post
from tests.tasks.browsers import signed_in
from tests.tasks.statements import statements

pytestmark = pytest.mark.slow


COST = {"queue": 12, "next item": 6, "blind page": 10, "page of the decision": 18}


def rate_all(campaign: Campaign) -> None:
    """Three votes on every item, two of them alike, in few statements."""
    raters = [make_member(campaign) for _number in range(OVERLAP)]
    outcomes = ["ae:q1=yes", "ae:q1=yes", "ae:q1=no,q2=yes"]
    slots = {(slot.item_id, slot.number): slot for slot in Slot.objects.filter(campaign=campaign)}
    Rating.objects.bulk_create(
        (
            Rating(
                item_id=item,
                rater=raters[number],
                outcome_id=outcomes[number],
                slot=slot,
                idempotency_key=str(item),
            )
            for (item, number), slot in slots.items()
        ),
        batch_size=BATCH,
    )
    Slot.objects.filter(campaign=campaign).update(is_filled=True)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE tasks_rating, tasks_slot")


@pytest.mark.parametrize("items", [10, pytest.param(2000, marks=pytest.mark.thorough)])
def test_adjudicating_costs_the_same_statements_in_every_campaign(db: None, items: int) -> None:
    campaign = make_campaign("rivers", overlap=OVERLAP)
    fill(campaign, items)
    rate_all(campaign)
    browser = signed_in(make_member(campaign, "researcher"))
    queue = "/c/rivers/adjudicate/"
    cost = {}
    cost["queue"], page = statements(lambda: browser.get(queue))
    assert f"Waiting for you <b>{items:,}</b>" in page.content.decode()
    cost["next item"], found = statements(lambda: browser.get(f"{queue}next/"))
    first = Item.objects.earliest("pk")
    assert found["Location"] == f"{queue}{first.pk}/"
    cost["blind page"], _page = statements(lambda: browser.get(found["Location"]))
    post(browser, found["Location"], q1="yes")
    cost["page of the decision"], _page = statements(lambda: browser.get(found["Location"]))
    assert cost == COST
