"""One thing that is counted has one number, wherever it stands."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from tasks.campaigns.workflow.campaign import change_settings
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tests.factories import make_campaign, make_member
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import item_row, rating_row
from tomahto.interchange.reading.records import GivenAnswer

DAY = timedelta(days=1)


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Three items, three ratings wanted of each, and a control item after the first of them."""
    campaign = make_campaign("rivers", title="Rivers", overlap=3)
    change_settings(campaign=campaign, changes={"control_every": 1, "item_order": "oldest"})
    control = item_row(9, purpose="control", expected=GivenAnswer("equivalent"))
    import_items(campaign=campaign, rows=[*map(item_row, (1, 2, 3)), control])
    return campaign


def rate(member: Membership, times: int) -> None:
    for _ in range(times):
        claim = claim_item(membership=member)
        assert claim is not None
        for answers in ({"q1": True}, {"q1": False, "q2": True}):  # and a revision
            submit_rating(
                assignment_id=claim.assignment_id,
                membership=member,
                answers=answers,
                idempotency_key=f"{claim.assignment_id} {answers}",
            )


def import_of(raters: int, campaign: Campaign, rated_at: datetime) -> None:
    rows = [
        rating_row(3, f"annotator-{number}", "equivalent", rated_at=rated_at)
        for number in range(raters)
    ]
    import_ratings(campaign=campaign, rows=rows)


def text_of(client: Client, address: str) -> str:
    html = client.get(address).content.decode()
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def api(client: Client, place: str = "") -> Any:
    return client.get(f"/api/v1/campaigns/rivers{place}").json()


def figures(client: Client, name: str) -> Any:
    return api(client, f"/figures/{name}")["figures"]


def test_ratings_done_are_the_same_everywhere_and_ones_own_are_among_them(
    campaign: Campaign,
) -> None:
    admin = make_member(campaign)
    rate(admin, 2)  # a live item and a control item, which raters alone get
    Membership.objects.filter(pk=admin.pk).update(role="admin")
    client = signed_in(admin)
    progress = {"done": 1, "wanted": 9}
    assert api(client)["progress"] == progress
    assert {name: figures(client, "progress")[name] for name in progress} == progress
    assert "1 of 9 ratings, 1 of them by you" in text_of(client, "/")
    overview = text_of(client, "/c/rivers/")
    assert "1 of 9 ratings are in." in overview
    assert "11.1 % 1 of 9 ratings, 3 needed per item" in overview
    assert "Ratings 1 of 9 ratings needed" in text_of(client, "/c/rivers/agreement/progress/")


def test_a_rater_is_told_their_own_ratings_alone_and_the_same_everywhere(
    campaign: Campaign,
) -> None:
    rater = make_member(campaign)
    client = signed_in(rater)
    rate(rater, 2)
    assert (api(client)["progress"], api(client)["own"]["ratings"]) == (None, 2)
    assert "2 items rated by you" in text_of(client, "/")
    assert "2 rated by you" in text_of(client, "/c/rivers/rate/")
    assert len(api(client, "/history")["results"]) == 2
    assert " of 9" not in text_of(client, "/") + text_of(client, "/c/rivers/rate/")


def test_people_who_rate_are_counted_once(campaign: Campaign) -> None:
    rate(make_member(campaign), 1)
    import_of(7, campaign, datetime.now(UTC) - 10 * DAY)
    client = signed_in(make_member(campaign, "admin"))
    contents = api(client)["contents"]
    assert (contents["raters"], contents["have_rated"], contents["ratings"]) == (1, 8, 8)
    rows = figures(client, "raters")["raters"]
    assert len([row for row in rows if row["items"]]) == 8


def test_who_is_active_gave_a_rating_of_these_days(campaign: Campaign) -> None:
    for _ in range(2):
        rate(make_member(campaign), 1)
    import_of(7, campaign, datetime.now(UTC) - 10 * DAY)
    found = figures(signed_in(make_member(campaign, "admin")), "progress")
    today = found["days"][-1]
    assert (found["raters"]["today"], today["ratings"]) == (2, 2)
    assert found["raters"]["this_week"] >= found["raters"]["today"]
    assert sum(day["ratings"] for day in found["days"]) + found["undated"] == found["done"]
    assert found["forecast"]["reason"] == "nobody rated on the last 7 whole days"


def test_a_revision_or_a_surplus_rating_makes_nobody_active(campaign: Campaign) -> None:
    import_of(1, campaign, datetime.now(UTC) - 10 * DAY)
    row = rating_row(1, "late", "equivalent", counted=False, rated_at=datetime.now(UTC))
    import_ratings(campaign=campaign, rows=[row])
    found = figures(signed_in(make_member(campaign, "admin")), "progress")
    assert (found["raters"], found["days"][-1]["ratings"]) == ({"today": 0, "this_week": 0}, 0)
