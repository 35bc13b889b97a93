"""What a rater must not learn before rating: anything that others or machines think of the item."""

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tasks.importers.records import RatingRow, Source
from tasks.models import Assignment, Campaign, Flag, Job, JobKind, Membership, Suggestion
from tasks.workflow.rating_import import import_ratings
from tests.factories import make_campaign, make_item, make_member
from tests.views.conftest import signed_in
from tests.views.test_routes import addresses, filled

MARK = "sentinel"  # in everything that a rater must not see
SCORE = 0.4142135
EACH_TIME_NEW = re.compile(
    r'nonce="[^"]*"|name="(csrfmiddlewaretoken|idempotency_key|seconds)" value="[^"]*"'
)


@pytest.fixture
def secretive(db: None) -> Campaign:
    """Two items of which others and a matcher have said what they think."""
    campaign = make_campaign("rivers", title="Rivers")
    for _ in range(2):
        make_item(campaign, systems=(f"{MARK}-system",))
    return campaign


def say_what_others_think(campaign: Campaign) -> None:
    other = make_member(campaign, "rater", f"{MARK}-person")
    for item in campaign.items.all():
        Suggestion.objects.create(
            item=item,
            matcher=f"{MARK}-matcher",
            version=f"{MARK}-version",
            score=SCORE,
            is_correct=True,
            explanation={"why": f"{MARK}-explanation"},
        )
        Flag.objects.create(item=item, rater=other, reason=f"{MARK}-flag")
    rows = [
        RatingRow(
            source=Source("ratings.jsonl", number),
            item=None,
            item_id=item.key,
            rater=f"{MARK}-rater",
            label="equivalent",
            comment=f"{MARK}-comment",
        )
        for number, item in enumerate(campaign.items.all())
    ]
    import_ratings(campaign=campaign, rows=rows)
    Job.objects.create(
        campaign=campaign, kind=JobKind.SUGGEST, input_hash="x", error=f"{MARK}-error"
    )


def answers(client: Client, rater: Membership) -> Iterator[tuple[str, str]]:
    """Where, and all that the site says there: status line, headers and body, to GET and POST, to
    a browser and to htmx. The first item stays the rater's: nobody submits."""
    held = Assignment.objects.get(rater=rater, state="active")
    parts = {"<int:assignment_id>": str(held.pk), "<int:item_id>": str(held.item_id)}
    for name, pattern in addresses():
        if name in ("logout", "language"):
            continue
        for part, number in parts.items():
            pattern = pattern.replace(part, number)
        address = filled(pattern, rater)
        is_api = address.startswith("/api/")
        for method in ("GET", "POST", "PUT", "PATCH") if is_api else ("GET", "POST"):
            for headers in ({},) if is_api else ({}, {"HX-Request": "true"}):
                response = client.generic(method, address, headers=headers)
                body = b"".join(response) if response.streaming else response.content
                text = f"{response.status_code} {response.headers} {body.decode(errors='replace')}"
                yield f"{method} {address} {headers}", text


def leaks(text: str) -> bool:
    return MARK in text.lower() or str(SCORE)[:5] in text


@pytest.mark.parametrize("policy", ["hidden", "after"])
def test_no_address_tells_a_rater_what_others_think(secretive: Campaign, policy: str) -> None:
    Campaign.objects.filter(pk=secretive.pk).update(suggestions=policy)
    say_what_others_think(secretive)
    rater = make_member(secretive, "rater", "pine")
    client = signed_in(rater)
    client.get("/c/rivers/rate/")
    logging.disable(logging.WARNING)
    try:
        told = [where for where, text in answers(client, rater) if leaks(text)]
    finally:
        logging.disable(logging.NOTSET)
    assert not told, told


def test_the_marks_are_found_where_they_may_be_seen(secretive: Campaign) -> None:
    """The test above looks for something that is there."""
    say_what_others_think(secretive)
    item = secretive.items.first()
    assert item is not None
    client = signed_in(make_member(secretive, "admin", "oak"))
    seen = client.get(f"/c/rivers/items/{item.pk}/").content.decode()
    assert leaks(seen)


def test_the_page_is_the_same_whatever_others_think(secretive: Campaign) -> None:
    """Nothing of it can be read from length, headers or hidden fields."""
    client = signed_in(make_member(secretive, "rater", "pine"))

    own = {"Content-Security-Policy", "Expires", "X-Request-ID"}  # of every answer

    def page() -> tuple[str, dict[str, str]]:
        response = client.get("/c/rivers/rate/")
        ours = response.headers.keys() - own
        text = EACH_TIME_NEW.sub("", response.content.decode())
        return text, {name: response.headers[name] for name in ours}

    before = page()
    say_what_others_think(secretive)
    assert page() == before


def test_the_api_answers_the_same_whatever_others_think(secretive: Campaign) -> None:
    client = signed_in(make_member(secretive, "rater", "pine"))
    number = client.post("/api/v1/campaigns/rivers/claim").json()["assignment"]
    places = ("campaigns/rivers", f"assignments/{number}", "campaigns/rivers/history")

    def told() -> list[dict[str, Any]]:
        return [client.get(f"/api/v1/{place}").json() for place in places]

    before = told()
    say_what_others_think(secretive)
    assert told() == before
