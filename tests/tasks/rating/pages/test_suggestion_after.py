"""The suggestion after the answer stands with its own item, apart from the next, until the rater
goes on; what was seen, and for how long, is kept."""

import json
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from tasks.campaigns.workflow.campaign import change_settings
from tasks.models import (
    Assignment,
    Campaign,
    Item,
    Membership,
    Rating,
    Suggestion,
    SuggestionView,
)
from tasks.rating.queries.exported_ratings import rating_lines
from tests.factories import make_campaign, make_items, make_member
from tests.tasks.browsers import HTMX, compact, signed_in
from tests.tasks.rating.forms import open_item

pytestmark = pytest.mark.slow


PAGE = "/c/rivers/rate/"
EQUIVALENT = {"action": "submit", "q1": "no", "q2": "yes"}
DIFFERENT = {"action": "submit", "q1": "yes"}


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Three items with suggestions, shown after the answer."""
    campaign = make_campaign("rivers", overlap=1, suggestions="after")
    change_settings(campaign=campaign, changes={"item_order": "oldest"})
    make_items(campaign, 3)
    suggest(campaign)
    return campaign


def suggest(campaign: Campaign) -> None:
    Suggestion.objects.bulk_create(
        Suggestion(
            item=item,
            matcher=campaign.suggestion_matcher,
            version="1",
            score=0.8125,
            is_correct=True,
        )
        for item in campaign.items.all()
    )


def question(place: int) -> str:
    """The question of an item, by its place in the order."""
    return Item.objects.order_by("id")[place].question.text


def asked_by(html: str) -> list[str]:
    return [text for text in map(question, range(3)) if text in html]


def submit(client: Client, answers: dict[str, str], **headers: Any) -> Any:
    address, fields = open_item(client)
    return client.post(address, {**fields, **answers}, follow=not headers, **headers)


def go_on(client: Client, **headers: Any) -> Any:
    html = client.get(PAGE).content.decode()
    found = re.search(r'action="(/c/rivers/rate/\d+/go-on/)"', html)
    assert found
    return client.post(found[1], follow=not headers, **headers)


def test_the_suggestion_stands_with_its_item_and_the_label_given(rater: Membership) -> None:
    client = signed_in(rater)
    html = submit(client, DIFFERENT).content.decode()
    text = " ".join(re.sub("<[^>]*>", " ", html.split('id="go-on"')[1]).split())
    assert "You: Not equivalent Matcher: Equivalent feather, score 0.81" in text
    assert asked_by(html) == [question(0)]
    assert 'id="rating"' not in html
    # reloading shows the same, and the item after it is nobody's yet
    assert asked_by(client.get(PAGE).content.decode()) == [question(0)]
    assert Assignment.objects.count() == 1


def test_going_on_leads_to_the_next_item_without_the_suggestion(rater: Membership) -> None:
    client = signed_in(rater)
    submit(client, DIFFERENT)
    html = go_on(client).content.decode()
    assert asked_by(html) == [question(1)]
    assert "score 0.81" not in html
    assert 'id="rating"' in html


def test_a_fragment_shows_the_suggestion_first_and_then_acknowledges_the_next_item(
    rater: Membership,
) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    ahead = client.post(f"{address}following/").content.decode()
    shown = re.search(r'data-assignment="(\d+)"', ahead)
    assert shown
    sent = {**fields, **EQUIVALENT, "shown": shown[1]}
    first = client.post(address, sent, headers=HTMX).content.decode()
    assert (asked_by(first), "<html" in first) == ([question(0)], False)
    assert '<span id="mine" hx-swap-oob="true"><b>1</b>rated by you</span>' in compact(first)
    then = client.post(f"{address}go-on/", {"shown": shown[1]}, headers=HTMX).content.decode()
    assert (asked_by(then), 'id="rate"' in then) == ([], False)


def test_going_on_is_by_post_and_with_a_number(rater: Membership) -> None:
    client = signed_in(rater)
    submit(client, DIFFERENT)
    address = f"{PAGE}{Assignment.objects.get().pk}/go-on/"
    assert client.get(address).status_code == 405
    assert client.post(address, {"shown": "x"}).status_code == 400
    assert SuggestionView.objects.get().closed_at is None


def shift(minutes: int) -> None:
    """As if what stands open had been shown so much earlier."""
    earlier = F("shown_at") - timedelta(minutes=minutes)
    SuggestionView.objects.filter(closed_at=None).update(shown_at=earlier)


def looks() -> list[tuple[str, str, int | None]]:
    """Arm, ending and whole minutes of the view of every item rated, in their order."""
    views = SuggestionView.objects.exclude(assignment__ratings=None).order_by("assignment")
    return [(view.arm, view.length.ending, minutes_of(view.length.seconds)) for view in views]


def minutes_of(seconds: float | None) -> int | None:
    return None if seconds is None else int(seconds) // 60


def test_how_long_it_was_seen_is_kept_and_exported(
    rater: Membership, researcher: Membership, campaign: Campaign
) -> None:
    client = signed_in(rater)
    submit(client, DIFFERENT)
    shift(7)
    client.get(PAGE)  # a reload does not begin anew
    go_on(client)
    submit(client, EQUIVALENT)
    shift(31)
    go_on(client)
    submit(client, EQUIVALENT)
    assert looks() == [
        ("after", "closed", 7),
        ("after", "left-open", None),
        ("after", "never-closed", None),
    ]
    lines = [json.loads(line) for line in rating_lines(campaign)]
    assert [
        (line["suggestion_arm"], line["suggestion_view"], line.get("suggestion_seconds", -60) // 60)
        for line in lines
    ] == [("after", "closed", 7), ("after", "left-open", -1), ("after", "never-closed", -1)]
    change_settings(campaign=campaign, changes={"adjudicates_blind": False})
    listed = signed_in(researcher).get("/api/v1/campaigns/rivers/ratings").json()["results"][-1]
    view = listed["suggestion_view"]
    shown_at, closed_at = (
        datetime.fromisoformat(view.pop(name)) for name in ("shown_at", "closed_at")
    )
    assert view.pop("seconds") == (closed_at - shown_at).total_seconds()
    assert view == {
        "matcher": campaign.suggestion_matcher,
        "version": "1",
        "score": 0.8125,
        "is_correct": True,
        "ending": "closed",
    }


def test_with_the_item_it_is_seen_from_the_item_to_the_answer(
    rater: Membership, campaign: Campaign
) -> None:
    change_settings(campaign=campaign, changes={"suggestions": "before"})
    client = signed_in(rater)
    address, fields = open_item(client)
    ahead = client.post(f"{address}following/").content.decode()
    shown = re.search(r'data-assignment="(\d+)"', ahead)
    assert shown
    # what is fetched ahead has not been seen
    assert list(SuggestionView.objects.values_list("closed_at", flat=True)) == [None]
    shift(5)
    client.post(address, {**fields, **DIFFERENT, "shown": shown[1]}, headers=HTMX)
    shift(3)
    submit(client, EQUIVALENT)
    assert looks() == [("before", "closed", 5), ("before", "closed", 3)]


@pytest.mark.parametrize("policy", ["before", "after"])
def test_no_suggestion_no_view_and_no_step(
    rater: Membership, campaign: Campaign, policy: str
) -> None:
    change_settings(campaign=campaign, changes={"suggestions": policy})
    Suggestion.objects.all().delete()
    client = signed_in(rater)
    assert asked_by(submit(client, DIFFERENT).content.decode()) == [question(1)]
    assert not SuggestionView.objects.exists()


def test_of_random_halves_one_has_views_and_the_other_none(db: None) -> None:
    campaign = make_campaign("rivers", overlap=1, suggestions="randomised")
    make_items(campaign, 12)
    suggest(campaign)
    client = signed_in(make_member(campaign))
    for _ in range(12):
        submit(client, DIFFERENT)
    shown = Rating.objects.filter(suggestion_arm="before")
    assert 0 < shown.count() < 12
    views = SuggestionView.objects.filter(arm="before", closed_at__isnull=False)
    assert set(views.values_list("assignment", flat=True)) == set(
        shown.values_list("assignment", flat=True)
    )


def test_a_revision_after_the_suggestion_was_made_with_it_in_view(rater: Membership) -> None:
    client = signed_in(rater)
    submit(client, DIFFERENT)
    address = f"{PAGE}{Assignment.objects.get().pk}/"
    html = client.get(address).content.decode()
    key = re.search(r'name="idempotency_key" value="([^"]*)"', html)
    assert key
    client.post(address, {**EQUIVALENT, "idempotency_key": key[1]})
    arms = Rating.objects.order_by("id").values_list("suggestion_arm", flat=True)
    assert list(arms) == ["after", "before"]
    assert [ending for _arm, ending, _seconds in looks()][:1] == ["closed"]
    # it is not shown once more
    assert asked_by(client.get(PAGE).content.decode()) == [question(1)]


def test_a_policy_changed_to_hidden_shows_nothing_that_was_due(
    rater: Membership, campaign: Campaign
) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    client.post(address, {**fields, **DIFFERENT})
    change_settings(campaign=campaign, changes={"suggestions": "hidden"})
    assert asked_by(client.get(PAGE).content.decode()) == [question(1)]
    assert SuggestionView.objects.get().shown_at is None


def test_the_api_answers_a_rating_with_it_and_a_claim_goes_on(rater: Membership) -> None:
    client = signed_in(rater)

    def post(place: str, body: dict[str, object], key: str = "") -> Any:
        headers = {"Idempotency-Key": key} if key else {}
        return client.post(f"/api/v1/{place}", body, "application/json", headers=headers)

    def rate(number: int) -> Any:
        return post(f"assignments/{number}/rating", {"q1": True}, f"key-{number}").json()

    first = post("campaigns/rivers/claim", {}).json()
    assert "suggestion" not in first
    seen = {"matcher": "feather", "score": 0.8125, "is_correct": True}
    assert rate(first["assignment"])["suggestion"] == seen
    assert rate(first["assignment"])["suggestion"] == seen  # a replay
    place = f"assignments/{first['assignment']}"
    assert client.get(f"/api/v1/{place}").json()["suggestion"] == seen
    shift(4)
    assert post(f"{place}/go-on", {}).status_code == 204
    second = post("campaigns/rivers/claim", {}).json()["assignment"]
    rate(second)
    shift(2)
    third = post("campaigns/rivers/claim", {}).json()["assignment"]
    assert third not in (first["assignment"], second)
    assert looks() == [("after", "closed", 4), ("after", "closed", 2)]
