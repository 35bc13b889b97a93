"""The queue and an item before an adjudicator, over HTTP; nothing is told before a blind look."""

import pytest

from tasks.models import Campaign, LeftItem, Membership
from tests.tasks.adjudication.acts import decide, flag_item, vote
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.conftest import EQUIVALENT, YES_DIFFERENT, MakeCampaign, MakeMember, rate_next


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=3)
    for number, votes in ((1, "en"), (2, "en"), (3, "ee")):
        vote(campaign, number, votes, comment="SENTINEL")
    return campaign


def test_queue_counts_every_shelf_and_lists_one(campaign: Campaign, oak: ApiClient) -> None:
    found = oak.get(f"{campaign.slug}/adjudications/queue").json()
    shelves = {each["shelf"]: each for each in found["shelves"]}
    assert {name: each["items"] for name, each in shelves.items()} == {
        "waiting": 2,
        "unfinished": 0,
        "second": 0,
        "left": 0,
        "own": 0,
    }
    assert shelves["waiting"]["reasons"]["tie"] == 2
    assert [each["item"] for each in found["items"]] == ["item-1", "item-2"]
    assert found["items"][0] == {
        "item": "item-1",
        "question": "Question 1?",
        "candidate": "candidate 1",
        "systems": 1,
        "confidence": 0.5,
        "value": 0.5,
        "reasons": ["tie"],
    }
    rest = oak.get(f"{campaign.slug}/adjudications/queue?reason=tie&start=1&limit=1").json()
    assert [each["item"] for each in rest["items"]] == ["item-2"]
    none = oak.get(f"{campaign.slug}/adjudications/queue?reason=flag&shelf=left").json()
    assert none["items"] == []


def test_item_says_nothing_of_others_before_the_look(
    campaign: Campaign, oak: ApiClient, make_member: MakeMember
) -> None:
    fern = make_member(campaign, "fern", "admin")
    decide(fern, 1, YES_DIFFERENT, look=YES_DIFFERENT, reason="SENTINEL")
    flag_item(campaign, 1, make_member(campaign), "SENTINEL")
    before = oak.get(f"{campaign.slug}/adjudications/item?item=item-1")
    assert (before.status_code, before.json()["is_blind"]) == (200, True)
    assert [before.json()[name] for name in ("first_look", "decision", "evidence")] == [None] * 3
    assert b"SENTINEL" not in before.content
    assert b"juniper" not in before.content
    look = {"item": "item-1", **EQUIVALENT}
    stored = oak.send("POST", f"{campaign.slug}/first-looks", look).json()
    after = oak.get(f"{campaign.slug}/adjudications/item?item=item-1").json()
    assert (after["is_blind"], after["first_look"], after["decision"]) == (False, stored, None)
    evidence = after["evidence"]
    assert [vote["label"] for vote in evidence["votes"]] == ["equivalent", "not-equivalent"]
    assert [flag["reason"] for flag in evidence["flags"]] == ["SENTINEL"]
    assert [each["adjudicator"] for each in evidence["decisions"]] == [fern.pseudonym]


def test_next_is_the_first_of_the_queue_until_it_is_decided(
    campaign: Campaign, oak: ApiClient, member: Membership
) -> None:
    place = f"{campaign.slug}/adjudications"
    first = oak.get(f"{place}/next").json()
    assert (first["item"]["id"], first["form"]["protocol"]) == ("item-1", "ae")
    oak.send("POST", f"{campaign.slug}/first-looks", {"item": "item-1", **EQUIVALENT})
    body = {"item": "item-1", **EQUIVALENT, "reason": "It says so."}
    key = {"Idempotency-Key": first["idempotency_key"]}
    assert oak.send("POST", place, body, **key).status_code == 201
    again = oak.get(f"{place}/item?item=item-1").json()
    assert again["decision"]["label"] == "equivalent"
    assert again["evidence"]["decisions"] == []
    assert oak.get(f"{place}/next").json()["item"]["id"] == "item-2"
    left = oak.send("POST", f"{place}/left", {"item": "item-2"})
    assert (left.status_code, left.json()) == (200, {"item": "item-2"})
    assert LeftItem.objects.get().adjudicator == member
    nothing = oak.get(f"{place}/next")
    assert (nothing.status_code, nothing.content) == (204, b"")


def test_own_item_is_refused(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=1, overlap=3)
    vote(campaign, 1, "en", comment="SENTINEL")
    oak = make_member(campaign, "oak", "admin")
    rate_next(oak)
    caller = as_member(oak)
    place = f"{campaign.slug}/adjudications"
    refused = caller.get(f"{place}/item?item=item-1")
    assert (refused.status_code, refused.json()) == (
        409,
        {"detail": "you have rated this item, so somebody else has to decide"},
    )
    assert caller.send("POST", f"{place}/left", {"item": "item-1"}).status_code == 409
    assert caller.get(f"{place}/item?item=item-2").status_code == 404
    assert caller.get(f"{place}/item").json()["field"] == "item"
