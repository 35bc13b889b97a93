"""Claim and submit over HTTP: shapes, codes, and what a rater must not see."""

import pytest

from tasks.campaigns.workflow.campaign import change_settings, publish_guideline
from tasks.models import Campaign, CampaignState, Rating
from tasks.protocols.wording import form_texts
from tasks.votes.items import id_for_raters
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.conftest import MakeCampaign, MakeMember

EQUIVALENT = {"q1": False, "q2": True}


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


@pytest.fixture
def rater(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign))


def test_claim_gives_item_form_and_lease(
    campaign: Campaign, make_member: MakeMember, as_member: AsMember
) -> None:
    body = as_member(make_member(campaign)).claim(campaign.slug).json()
    assert body["item"] == {
        "id": id_for_raters(campaign.items.get().pk),
        "question": "Question 1?",
        "context": "Passage 1.",
        "references": ["reference 1"],
        "candidate": "candidate 1",
    }
    form = body["form"]
    assert (form["protocol"], form["guideline_version"]) == ("ae", 1)
    assert [(q["key"], q["when"]) for q in form["questions"]] == [
        ("q1", {}),
        ("q2", {"q1": "no"}),
        ("q3", {"q1": "no", "q2": "no"}),
        ("q4", {"q1": "no", "q2": "no"}),
    ]
    assert [c["value"] for c in form["questions"][0]["choices"]] == ["yes", "no"]
    assert form["wordings"] == []
    assert set(body) == {"assignment", "idempotency_key", "expires_at", "item", "form"}


def test_claim_has_the_words_of_other_languages_and_a_rating_names_its_own(
    campaign: Campaign, rater: ApiClient
) -> None:
    change_settings(campaign=campaign, changes={"form_languages": "de"})
    body = rater.claim(campaign.slug).json()
    (wording,) = body["form"]["wordings"]
    texts = wording.pop("texts")
    assert wording == {"name": "de-1", "language": "de"}
    assert set(texts) == set(form_texts(campaign.annotation_protocol))
    assert (texts["Yes"], texts["Not equivalent"]) == ("Ja", "Nicht gleichwertig")
    unknown = rater.rate(body["assignment"], {**EQUIVALENT, "wording": "de-9"})
    assert (unknown.status_code, unknown.json()["field"]) == (400, "wording")
    assert "the form has no wording named 'de-9'" in unknown.json()["detail"]
    assert rater.rate(body["assignment"], {**EQUIVALENT, "wording": "de-1"}).status_code == 201
    assert Rating.objects.get().wording == "de-1"


def test_claim_of_a_finished_campaign_is_204(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=0)
    response = as_member(make_member(campaign)).claim(campaign.slug)
    assert (response.status_code, response.content) == (204, b"")


def test_claim_of_a_paused_campaign_is_409(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(state=CampaignState.PAUSED)
    response = as_member(make_member(campaign)).claim(campaign.slug)
    assert response.status_code == 409
    assert "paused" in response.json()["detail"]


@pytest.mark.parametrize(
    "body", [EQUIVALENT, {"answers": EQUIVALENT}, {"answers": {"q1": "no", "q2": "yes"}}]
)
def test_submit_stores_and_replays(campaign: Campaign, rater: ApiClient, body: object) -> None:
    assignment = rater.claim(campaign.slug).json()["assignment"]
    first, second = rater.rate(assignment, body), rater.rate(assignment, body)
    rating = Rating.objects.get()
    assert (first.status_code, second.status_code) == (201, 200)
    assert (
        first.json()
        == second.json()
        == {
            "rating": rating.pk,
            "assignment": assignment,
            "label": "equivalent",
            "counted": True,
            "supersedes": None,
            "suggestion": None,
        }
    )
    assert rater.rate(assignment, {"q1": True}).status_code == 409
    assert rater.rate(assignment, {"q1": True}, key="key-2").json()["supersedes"] == rating.pk


WRONG: list[tuple[object, str | None]] = [
    ({}, "q1"),
    ({"q1": True, "q2": True}, "q2"),
    ({"q1": "maybe"}, "q1"),
    ({"q1": True, "colour": "red"}, "colour"),
    ({"q1": True, "seconds": -1}, "seconds"),
    ({"q1": True, "seconds": "NaN"}, "seconds"),
    ({"answers": [1]}, "answers"),
    ([], None),
    ({"q1": True, "comment": "x" * 5001}, "comment"),
    ({"q1": True, "comment": "a\u0000b"}, "comment"),
]


def test_submit_of_a_wrong_body_is_400_and_names_the_field(
    campaign: Campaign, rater: ApiClient
) -> None:
    assignment = rater.claim(campaign.slug).json()["assignment"]
    for body, field in WRONG:
        response = rater.rate(assignment, body)
        assert (response.status_code, response.json().get("field")) == (400, field), body
    assert not Rating.objects.exists()


def test_submit_without_a_key_is_400(campaign: Campaign, rater: ApiClient) -> None:
    assignment = rater.claim(campaign.slug).json()["assignment"]
    assert rater.rate(assignment, EQUIVALENT, key="").status_code == 400


def test_submit_under_old_guidelines_is_409(campaign: Campaign, rater: ApiClient) -> None:
    assignment = rater.claim(campaign.slug).json()["assignment"]
    publish_guideline(campaign=campaign, text="Otherwise.")
    response = rater.rate(assignment, {**EQUIVALENT, "guideline_version": 1})
    assert response.status_code == 409
    assert "version 2" in response.json()["detail"]
