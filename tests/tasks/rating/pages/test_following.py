"""The item after the one in hand, as the page fetches it, and what a submission then answers."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from tasks.models import Assignment, Campaign, Item, Membership, Rating, Slot, Suggestion
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.browsers import HTMX, compact, signed_in
from tests.tasks.rating.forms import assignment_in, fields_of, open_item

EQUIVALENT = {"action": "submit", "q1": "no", "q2": "yes"}


def open_both(client: Client) -> tuple[str, dict[str, str], Any]:
    """The form in hand and the answer that brings the item after it."""
    address, fields = open_item(client)
    return address, fields, client.post(f"{address}following/")


def test_following_is_a_fragment_of_another_item_that_leads_back(rater: Membership) -> None:
    address, _fields, response = open_both(signed_in(rater))
    html = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in html
    assert f'action="{address}"' not in html
    assert f'data-previous="{address}"' in html
    assert Assignment.objects.filter(rater=rater).count() == 2


def test_following_is_empty_when_nothing_follows_or_the_campaign_is_paused(
    rater: Membership, campaign: Campaign
) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    client.post(address, {**fields, **EQUIVALENT})
    address, _fields, response = open_both(client)
    assert (response.status_code, response.content) == (204, b"")
    make_item(campaign)
    Campaign.objects.filter(pk=campaign.pk).update(state="paused")
    assert client.post(f"{address}following/").status_code == 204


def test_following_is_claimed_only_by_post(rater: Membership) -> None:
    client = signed_in(rater)
    address, _fields = open_item(client)
    assert client.get(f"{address}following/").status_code == 405
    assert Assignment.objects.count() == 1


def test_submission_with_the_following_item_shown_is_only_acknowledged(rater: Membership) -> None:
    client = signed_in(rater)
    address, fields, response = open_both(client)
    shown = assignment_in(response.content.decode())
    answer = client.post(address, {**fields, **EQUIVALENT, "shown": shown}, headers=HTMX)
    html = answer.content.decode()
    assert (answer.status_code, answer["HX-Replace-Url"]) == (200, "/c/rivers/rate/")
    assert 'id="rate"' not in html
    assert 'Stored: <b lang="en">Equivalent</b>' in html
    assert '<span id="mine" hx-swap-oob="true"><b>1</b>rated by you</span>' in compact(html)


def test_submission_with_an_item_shown_that_went_to_somebody_else_brings_another(
    db: None,
) -> None:
    campaign = make_campaign("rivers", overlap=1)
    for _item in range(3):
        make_item(campaign)
    rater, other = make_member(campaign), make_member(campaign)
    client = signed_in(rater)
    address, fields, response = open_both(client)
    shown = assignment_in(response.content.decode())
    Slot.objects.filter(holder_id=int(shown)).update(expires_at=Now() - timedelta(seconds=1))
    open_item(signed_in(other))
    answer = client.post(address, {**fields, **EQUIVALENT, "shown": shown}, headers=HTMX)
    brought = assignment_in(answer.content.decode())
    assert brought not in {shown, address.split("/")[-2]}
    assert list(Slot.objects.filter(holder_id=int(brought)).values("holder__rater")) == [
        {"holder__rater": rater.pk}
    ]
    assert Rating.objects.count() == 1


def test_item_shown_early_can_be_rated_like_any_other(rater: Membership) -> None:
    client = signed_in(rater)
    address, fields, response = open_both(client)
    shown = assignment_in(response.content.decode())
    client.post(address, {**fields, **EQUIVALENT, "shown": shown}, headers=HTMX)
    second = {**fields_of(response), "action": "submit", "q1": "yes"}
    answer = client.post(f"/c/rivers/rate/{shown}/", second, headers=HTMX)
    assert "No items are left for you" in answer.content.decode()
    assert [str(r.assignment_id) for r in Rating.objects.order_by("id")] == [
        address.split("/")[-2],
        shown,
    ]
    assert all(rating.is_counted for rating in Rating.objects.all())


@pytest.mark.parametrize(
    ("policy", "in_following", "in_answer"),
    [("hidden", False, False), ("before", True, False), ("after", False, True)],
)
def test_suggestions_stay_where_the_policy_wants_them(
    rater: Membership, campaign: Campaign, policy: str, in_following: bool, in_answer: bool
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(suggestions=policy)
    for item in Item.objects.filter(campaign=campaign):
        Suggestion.objects.create(
            item=item, matcher="feather", version="1", score=0.8125, is_correct=True
        )
    client = signed_in(rater)
    address, fields, response = open_both(client)
    shown = assignment_in(response.content.decode())
    answer = client.post(address, {**fields, **EQUIVALENT, "shown": shown}, headers=HTMX)
    found = ["0.81" in each.content.decode() for each in (response, answer)]
    assert found == [in_following, in_answer]
