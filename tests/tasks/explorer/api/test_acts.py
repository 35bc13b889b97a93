"""Acts on many items and saved views over the API."""

from collections.abc import Callable
from typing import Any

import pytest

from tasks.models import BulkAct, Campaign, Membership, Slot
from tasks.people.workflow.members import set_paused
from tests.tasks.adjudication.acts import item_of
from tests.tasks.api_client import ApiClient
from tests.tasks.conftest import MakeCampaign, MakeMember

AsMember = Callable[[Membership | None], ApiClient]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=3, overlap=2)


@pytest.fixture
def caller(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign, "oak", "admin"))


def sent(caller: ApiClient, path: str, body: object, key: str = "k") -> tuple[int, Any]:
    response = caller.send("POST", f"campaign-1/items/{path}", body, **{"Idempotency-Key": key})
    return response.status_code, response.json()


def test_act_is_previewed_done_once_and_undone(campaign: Campaign, caller: ApiClient) -> None:
    one, two = item_of(campaign, 1).pk, item_of(campaign, 2).pk
    body = {"act": "tag", "numbers": [one, two], "tag": "check"}
    status, plan = sent(caller, "acts/preview", body)
    assert (status, plan["items"], plan["left_out"]) == (200, [one, two], [])
    body["looked_at"] = plan["looked_at"]
    status, done = sent(caller, "acts", body)
    assert (status, {**done, "id": 0, "created_at": ""}) == (
        201,
        {
            "id": 0,
            "act": "tag",
            "options": {"tag": "check"},
            "items": 2,
            "left_out": [],
            "member": Membership.objects.get(role="admin").pseudonym,
            "created_at": "",
            "undone_at": None,
            "undone": None,
            "kept": None,
        },
    )
    assert sent(caller, "acts", body) == (200, done)
    assert sent(caller, "acts", body, key="l")[0] == 409
    tags = caller.get("campaign-1/items/tags").json()["results"]
    assert tags == [{"name": "check", "items": 2}]
    status, undone = sent(caller, f"acts/{done['id']}/undo", {})
    assert (status, undone["undone"], undone["kept"]) == (200, 2, 0)
    assert sent(caller, f"acts/{done['id']}/undo", {})[0] == 409
    assert caller.get(f"campaign-1/items/acts/{done['id']}").json() == undone
    assert caller.get("campaign-1/items/acts").json()["results"] == [undone]


def test_tag_keeps_the_case_that_it_was_first_written_in(
    campaign: Campaign, caller: ApiClient
) -> None:
    for number, tag in ((1, "Élan  vital"), (2, "élan vital")):
        body = {"act": "tag", "numbers": [item_of(campaign, number).pk], "tag": tag}
        assert sent(caller, "acts", body, key=tag)[0] == 201
    tags = caller.get("campaign-1/items/tags").json()["results"]
    assert tags == [{"name": "Élan vital", "items": 2}]


def test_act_on_all_that_match(campaign: Campaign, caller: ApiClient) -> None:
    body = {"act": "more-ratings", "matching": {"q": "question 3"}, "more": 2}
    status, done = sent(caller, "acts", body)
    assert (status, done["items"], done["options"]) == (201, 1, {"more": 2})
    assert item_of(campaign, 3).slots.count() == 4


def test_items_are_assigned_to_raters_by_their_pseudonyms(
    campaign: Campaign, caller: ApiClient, make_member: MakeMember
) -> None:
    members = [make_member(campaign, name) for name in ("ash", "fir")]
    raters = [member.pseudonym for member in members]
    body = {"act": "assign", "matching": {"q": "question"}, "is_divided": True}
    body["raters"] = raters + raters[:1]
    status, plan = sent(caller, "acts/preview", body)
    assert (status, len(plan["items"])) == (200, 3)
    assert plan["shares"] == [{"rater": raters[0], "items": 2}, {"rater": raters[1], "items": 1}]
    status, done = sent(caller, "acts", {**body, "looked_at": plan["looked_at"]})
    assert status == 201
    assert done["options"] == {"raters": raters, "is_divided": True, "days": 14}
    assert Slot.objects.filter(given_to__isnull=False).count() == 3
    # the same again is the same act, whoever is paused by now
    set_paused(member=members[0], is_paused=True)
    assert sent(caller, "acts", {**body, "looked_at": plan["looked_at"]}) == (200, done)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"act": "explode", "numbers": [1]}, "act"),
        ({"act": "tag", "tag": "a"}, "give the items"),
        ({"act": "tag", "tag": "a", "numbers": [1], "matching": {}}, "give the items"),
        ({"act": "tag", "numbers": [1]}, "tag"),
        ({"act": "tag", "numbers": [1], "tag": "\u200b"}, "tag"),
        ({"act": "dismiss", "numbers": [1], "tag": "a"}, "tag"),
        ({"act": "more-ratings", "numbers": [1], "more": 1000}, "more"),
        ({"act": "assign", "numbers": [1]}, "raters"),
        ({"act": "assign", "numbers": [1], "raters": ["nobody"]}, "raters"),
        ({"act": "dismiss", "matching": {"colour": "red"}}, "matching"),
        ({"act": "dismiss", "matching": {"label": "nonsense"}}, "label"),
    ],
)
def test_act_that_cannot_be(caller: ApiClient, body: dict[str, Any], named: str) -> None:
    status, told = sent(caller, "acts", body)
    assert (status, named in str(told)) == (400, True)
    assert not BulkAct.objects.exists()


def test_views_are_kept_listed_and_removed(
    campaign: Campaign, caller: ApiClient, make_member: MakeMember, as_member: AsMember
) -> None:
    status, view = sent(caller, "views", {"name": "Split", "query": "disputed=yes"})
    assert (status, view["name"], view["query"], view["is_shared"]) == (
        201,
        "Split",
        "disputed=yes",
        False,
    )
    assert sent(caller, "views", {"name": "Split"})[0] == 409
    other = as_member(make_member(campaign, "fern", "researcher"))
    assert other.get("campaign-1/items/views").json()["results"] == []
    assert caller.get("campaign-1/items/views").json()["results"] == [view]
    removed = f"campaign-1/items/views/{view['id']}"
    assert other.send("DELETE", removed).status_code == 404
    assert caller.send("DELETE", removed).status_code == 204
