"""Adjudicating over HTTP: looks, decisions, replays, roles, agreement."""

from typing import Any

import pytest

from tasks.models import Adjudication, Campaign, FirstLook, Membership
from tests.tasks.adjudication.acts import decide, vote
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.conftest import EQUIVALENT, YES_DIFFERENT, MakeCampaign, MakeMember, rate_next

pytestmark = pytest.mark.slow


LOOK = {"item": "item-1", "q1": True}
DECISION = {"item": "item-1", "q1": False, "q2": True, "reason": "It says so."}


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=2)
    for number in (1, 2):
        vote(campaign, number, "en")
    return campaign


def post(caller: ApiClient, campaign: Campaign, body: object, key: str = "one") -> Any:
    return caller.client.post(
        f"/api/v1/campaigns/{campaign.slug}/adjudications",
        body,
        content_type="application/json",
        headers={"Idempotency-Key": key} if key else {},
    )


def look(caller: ApiClient, campaign: Campaign, body: object) -> Any:
    path = f"/api/v1/campaigns/{campaign.slug}/first-looks"
    return caller.client.post(path, body, content_type="application/json")


def test_look_and_decision_are_stored(
    campaign: Campaign, oak: ApiClient, member: Membership
) -> None:
    looked = look(oak, campaign, LOOK)
    stored = FirstLook.objects.get()
    assert (looked.status_code, looked.json()) == (
        201,
        {"first_look": stored.pk, "item": "item-1", "label": "not-equivalent"},
    )
    answered = post(oak, campaign, DECISION)
    assert answered.status_code == 201
    body = answered.json()
    assert body.pop("created_at")
    assert body == {
        "adjudication": Adjudication.objects.get().pk,
        "item": "item-1",
        "adjudicator": member.pseudonym,
        "label": "equivalent",
        "answers": {"q1": "no", "q2": "yes"},
        "first_label": "not-equivalent",
        "reason": "It says so.",
        "guideline_version": 1,
        "supersedes": None,
    }


def test_replay_answers_the_same_and_another_body_gets_409(
    campaign: Campaign, oak: ApiClient
) -> None:
    look(oak, campaign, LOOK)
    first = post(oak, campaign, DECISION)
    again = post(oak, campaign, DECISION)
    assert (again.status_code, again.json()) == (200, first.json())
    other = post(oak, campaign, {**DECISION, "reason": "No."})
    assert (other.status_code, other.json()) == (
        409,
        {"detail": "this idempotency key was used for another decision"},
    )
    revised = post(oak, campaign, {**DECISION, "reason": "No."}, key="two")
    assert (revised.status_code, revised.json()["supersedes"]) == (
        201,
        first.json()["adjudication"],
    )


def test_decision_before_the_first_look_is_refused(campaign: Campaign, oak: ApiClient) -> None:
    answered = post(oak, campaign, DECISION)
    assert (answered.status_code, answered.json()) == (
        409,
        {"detail": "this campaign requires a first look before the decision"},
    )
    assert not Adjudication.objects.exists()


def test_first_look_stands(campaign: Campaign, oak: ApiClient) -> None:
    assert look(oak, campaign, LOOK).json() == look(oak, campaign, LOOK).json()
    assert look(oak, campaign, {"item": "item-1", "answers": EQUIVALENT}).status_code == 409
    assert FirstLook.objects.count() == 1


BAD: list[tuple[dict[str, object], str]] = [
    ({"q1": None, "q2": None}, "q1"),
    ({"q3": True}, "q3"),
    ({"label": "equivalent"}, "label"),
    ({"reason": "  "}, "reason"),
    ({"reason": "x" * 5001}, "reason"),
    ({"item": None}, "item"),
    ({"guideline_version": "new"}, "guideline_version"),
    ({"settles_flags": "perhaps"}, "settles_flags"),
]


def test_bad_bodies_name_their_field(campaign: Campaign, oak: ApiClient) -> None:
    look(oak, campaign, LOOK)
    for changes, field in BAD:
        answered = post(oak, campaign, {**DECISION, **changes})
        assert (answered.status_code, answered.json()["field"]) == (400, field), changes
    assert not Adjudication.objects.exists()


@pytest.mark.parametrize("body", [[], "x", 7])
def test_body_has_to_be_an_object(campaign: Campaign, oak: ApiClient, body: object) -> None:
    assert post(oak, campaign, body).status_code == 400
    assert look(oak, campaign, body).status_code == 400


def test_decision_needs_a_key(campaign: Campaign, oak: ApiClient) -> None:
    assert post(oak, campaign, DECISION, key="").status_code == 400
    assert post(oak, campaign, DECISION, key="x" * 101).status_code == 400


def test_own_item_is_refused(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    oak = make_member(campaign, "oak", "admin")
    rate_next(oak)
    answered = look(as_member(oak), campaign, LOOK)
    assert (answered.status_code, answered.json()) == (
        409,
        {"detail": "you have rated this item, so somebody else has to decide"},
    )


def test_item_of_another_campaign_is_not_there(
    campaign: Campaign, oak: ApiClient, make_campaign: MakeCampaign
) -> None:
    make_campaign(items=5)
    answered = look(oak, campaign, {**LOOK, "item": "item-5"})
    assert (answered.status_code, answered.json()) == (
        404,
        {"detail": "the campaign has no such item"},
    )


def test_list_holds_what_the_caller_may_see_page_by_page(
    campaign: Campaign, oak: ApiClient, member: Membership, make_member: MakeMember
) -> None:
    fern = make_member(campaign, "fern", "admin")
    for number in (1, 2):
        decide(fern, number, YES_DIFFERENT, look=YES_DIFFERENT, reason="SENTINEL")
    listed = oak.get(f"{campaign.slug}/adjudications")
    assert listed.json() == {"next": None, "previous": None, "results": []}
    decide(member, 2, EQUIVALENT, look=EQUIVALENT)
    listed = oak.get(f"{campaign.slug}/adjudications").json()
    assert [(each["item"], each["adjudicator"], each["label"]) for each in listed["results"]] == [
        ("item-2", member.pseudonym, "equivalent"),
        ("item-2", fern.pseudonym, "not-equivalent"),
    ]
    first = oak.get(f"{campaign.slug}/adjudications?limit=1").json()
    second = oak.client.get(first["next"]).json()
    assert [*first["results"], *second["results"]] == listed["results"]
    assert second["next"] is None
    for query in ("item=item-1", "adjudicator=nobody"):
        assert oak.get(f"{campaign.slug}/adjudications?{query}").json()["results"] == []
    own = oak.get(f"{campaign.slug}/adjudications?item=item-2&adjudicator={member.pseudonym}")
    assert own.json()["results"] == listed["results"][:1]


def test_agreement_is_that_of_the_adjudicators(
    campaign: Campaign, oak: ApiClient, member: Membership, make_member: MakeMember
) -> None:
    fern = make_member(campaign, "fern", "admin")
    decide(fern, 1, YES_DIFFERENT, look=YES_DIFFERENT)
    decide(member, 1, YES_DIFFERENT, look=EQUIVALENT)
    decide(fern, 2, YES_DIFFERENT, look=YES_DIFFERENT)
    decide(member, 2, EQUIVALENT, look=EQUIVALENT)
    found = oak.get(f"{campaign.slug}/adjudications/agreement").json()
    assert (found["decisions"], found["adjudicated"], found["differing"]) == (4, 1, 1)
    assert (found["changed_mind"]["value"], found["changed_mind"]["n"]) == (0.25, 4)
    assert (found["agreement"]["items"], found["agreement"]["full_agreement"]) == (2, 0.5)
