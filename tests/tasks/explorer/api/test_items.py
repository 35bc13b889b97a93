"""Items with their systems, and ratings by pseudonyms; votes stay from who may judge blind."""

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from urllib.parse import quote

import pytest

from tasks.models import Membership
from tests.tasks.api_client import ApiClient
from tests.tasks.calls import answer
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next

AsMember = Callable[[Membership | None], ApiClient]
PLACE = "campaigns/campaign-1"


def test_items_are_listed_by_what_is_asked(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=5)
    caller = as_member(make_member(campaign, role="researcher"))
    first = campaign.items.order_by("id").first()
    assert first is not None
    asked = answer(caller, "GET", f"{PLACE}/items?key=item-1")[1]["results"]
    assert [{**each, "created_at": ""} for each in asked] == [
        {
            "number": first.pk,
            "id": "item-1",
            "document": "document-1",
            "question_id": "question-1",
            "question": "Question 1?",
            "question_type": "",
            "split": "",
            "references": ["reference 1"],
            "candidate": "candidate 1",
            "systems": ["juniper"],
            "purpose": "live",
            "created_at": "",
            "state": "open",
            "wanted": 2,
            "ratings": 0,
            "withheld": "blind",
            "votes": [],
            "label": "",
            "tied": False,
            "disputed": False,
            "share": None,
            "decided": "",
            "open_flags": 0,
            "flags": 0,
            "skips": 0,
            "tags": [],
            "scores": {},
            "last_rated_at": None,
        }
    ]
    whole = answer(caller, "GET", f"{PLACE}/items/{first.pk}")
    assert whole == (200, {**asked[0], "context": "Passage 1."})
    for query, found in (
        ("document=document-1", ["item-4", "item-1"]),
        ("system=juniper&limit=2", ["item-5", "item-4"]),
        ("system=willow", []),
        ("split=test", []),
        ("purpose=control", []),
    ):
        listed = answer(caller, "GET", f"{PLACE}/items?{query}")[1]["results"]
        assert [each["id"] for each in listed] == found, query


def test_pages_of_items_have_every_item_once(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    caller = as_member(make_member(make_campaign(items=5), role="admin"))
    page = answer(caller, "GET", f"{PLACE}/items?limit=2")[1]
    found = page["results"]
    while page["next"]:
        page = answer(caller, "GET", page["next"].partition("/api/v1/")[2])[1]
        found += page["results"]
    assert [each["id"] for each in found] == [f"item-{number}" for number in (5, 4, 3, 2, 1)]


@pytest.mark.parametrize("place", ["p=abc", "p=1%00", f"p={10**40}", "o=-1", "r=1&p=1.5", "\xff"])
def test_a_cursor_that_is_made_up_leads_nowhere_or_to_a_page(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember, place: str
) -> None:
    caller = as_member(make_member(make_campaign(items=1), role="admin"))
    cursor = quote(b64encode(place.encode("latin-1")))
    assert answer(caller, "GET", f"{PLACE}/items?cursor={cursor}")[0] in {200, 400}


@pytest.mark.parametrize(
    ("order", "value"),
    [
        *(("ratings", number) for number in (10**30, 2**63, -(2**63))),
        *(("share", number) for number in (10**350, 10**30, 1e300, float("nan"), float("inf"))),
        *(("question", text) for text in ("\ud800", "\0")),
        ("label", "\udfff"),
        *(("last_rated", text) for text in ("", "x", "infinity", "\ud800", "2020-W01-1")),
        *(("last_rated", f"2020-01-01 00:00:00{zone}") for zone in ("+99:99", "+23:00", "Z")),
        ("last_rated", "0000-01-01 00:00:00"),
        ("last_rated", "2020-13-01 00:00:00"),
    ],
)
def test_a_cursor_with_what_no_item_has_is_refused(
    make_campaign: MakeCampaign,
    make_member: MakeMember,
    as_member: AsMember,
    order: str,
    value: object,
) -> None:
    caller = as_member(make_member(make_campaign(items=1), role="admin"))
    place = urlsafe_b64encode(json.dumps([order, value, 1, 0]).encode()).decode()
    status, body = answer(caller, "GET", f"{PLACE}/items?order={order}&cursor={place}")
    assert (status, "this is not a cursor of this list" in str(body)) == (400, True)


@pytest.mark.parametrize(("item", "side"), [(True, 0), (1, False), ("1", 0), (1, 2)])
def test_a_cursor_without_an_item_and_a_side_is_refused(
    make_campaign: MakeCampaign,
    make_member: MakeMember,
    as_member: AsMember,
    item: object,
    side: object,
) -> None:
    caller = as_member(make_member(make_campaign(items=1), role="admin"))
    place = urlsafe_b64encode(json.dumps(["number", None, item, side]).encode()).decode()
    assert answer(caller, "GET", f"{PLACE}/items?order=number&cursor={place}")[0] == 400


def test_ratings_leave_by_pseudonyms_alone(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=2, adjudicates_blind=False)
    raters = [make_member(campaign, "fern"), make_member(campaign, "moss")]
    for rater in raters:
        rate_next(rater)
    caller = as_member(make_member(campaign, role="researcher"))
    rated = answer(caller, "GET", f"{PLACE}/ratings")[1]["results"]
    assert {each["rater"] for each in rated} == {rater.pseudonym for rater in raters}
    assert "fern" not in str(rated)
    for query, number in (
        (f"rater={raters[0].pseudonym}", 1),
        ("rater=fern", 0),
        (f"item={rated[0]['item']}", 2 if rated[0]["item"] == rated[1]["item"] else 1),
        ("counted=true", 2),
        ("counted=false", 0),
        ("label=equivalent", 2),
        ("label=not-equivalent", 0),
    ):
        assert len(answer(caller, "GET", f"{PLACE}/ratings?{query}")[1]["results"]) == number, query


def test_votes_are_withheld_from_who_rates_or_may_judge_blind(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=1)
    rate_next(make_member(campaign))
    item = campaign.items.get()
    votes = f"{PLACE}/items/{item.pk}/votes"
    holding, looking = (as_member(make_member(campaign, role="admin")) for _ in range(2))
    holding.claim("campaign-1")
    for caller, why in ((holding, "rating"), (looking, "blind")):
        status, told = answer(caller, "GET", votes)
        assert (status, told["withheld"], told["votes"]) == (200, why, [])
        assert answer(caller, "GET", f"{PLACE}/ratings")[1]["results"] == []
    assert answer(holding, "POST", votes)[1]["withheld"] == "rating"
    status, told = answer(looking, "POST", votes)
    assert (status, told["withheld"], [vote["label"] for vote in told["votes"]]) == (
        200,
        None,
        ["equivalent"],
    )
    assert len(answer(looking, "GET", f"{PLACE}/ratings")[1]["results"]) == 1
    assert looking.claim("campaign-1").status_code == 204  # who has seen the votes does not rate


def test_no_ratings_of_an_item_in_hand_even_where_looks_are_not_blind(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=1, adjudicates_blind=False)
    rate_next(make_member(campaign))
    item = campaign.items.get().pk

    def found(caller: ApiClient) -> int:
        return len(answer(caller, "GET", f"{PLACE}/ratings")[1]["results"])

    rating, asking = (as_member(make_member(campaign, role="researcher")) for _ in range(2))
    assert (found(rating), found(asking)) == (0, 0)
    rating.claim("campaign-1")
    for caller in (rating, asking):
        answer(caller, "POST", f"{PLACE}/items/{item}/votes", {})
    assert (found(rating), found(asking)) == (0, 1)
    assert asking.claim("campaign-1").status_code == 204


def test_what_a_candidate_was_written_as_is_shown_with_its_votes_alone(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=1, protocol="cap")
    item = campaign.items.get()
    campaign.items.update(intended="partial")
    caller = as_member(make_member(campaign, role="researcher"))
    place = f"{PLACE}/items/{item.pk}"
    assert "partial" not in str(answer(caller, "GET", place))
    assert answer(caller, "GET", f"{place}/votes")[1]["intended"] == ""
    assert answer(caller, "POST", f"{place}/votes")[1]["intended"] == "partial"
