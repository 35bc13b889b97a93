"""One rater and two labels over HTTP, and what is kept from who may still judge blind."""

import json

import pytest

from tasks.agreement.figures.figures import FIGURES
from tasks.models import Campaign, Look, Membership, SeenVotes
from tasks.votes.workflow import show_votes
from tests.tasks.adjudication.acts import item_of, vote
from tests.tasks.api_client import ApiClient
from tests.tasks.conftest import MakeCampaign

PAIR = "label-pairs/equivalent/not-equivalent"


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """ann and ben differ on items 1 and 2, and agree on 3. Adjudicators look blind."""
    campaign = make_campaign(items=3)
    for number, votes in ((1, "en"), (2, "en"), (3, "ee")):
        vote(campaign, number, votes, comment=f"SENTINEL {number}")
    return campaign


def ann(campaign: Campaign) -> str:
    return Membership.objects.get(campaign=campaign, name="ann").pseudonym


def test_rater_is_the_row_of_the_figures_with_what_looks_found(
    campaign: Campaign, oak: ApiClient
) -> None:
    name = ann(campaign)
    own, other = {"rater": name, "verdict": "declines"}, {"rater": "SENTINEL", "verdict": "x"}
    findings = {"drift": {"raters": [other, own]}, "alpha": {"value": 0.5}}
    Look.objects.create(
        campaign=campaign, number=1, ratings=100, level=0.025, findings=json.dumps(findings)
    )
    answer = oak.get(f"{campaign.slug}/raters/{name}")
    found = answer.json()
    row = next(one for one in FIGURES["raters"](campaign)["raters"] if one["rater"] == name)
    assert (found["rater"], found["figures"], found["is_current"]) == (name, row, True)
    assert [look["findings"] for look in found["looks"]] == [{"drift": own}]
    assert (found["disagreements"], found["withheld"]) == (2, 2)
    assert b"SENTINEL" not in answer.content
    missing = oak.get(f"{campaign.slug}/raters/nobody")
    assert (missing.status_code, missing.json()) == (404, {"detail": "there is no such rater"})


def test_votes_are_withheld_until_they_are_asked_for(
    campaign: Campaign, oak: ApiClient, member: Membership
) -> None:
    slug, name = campaign.slug, ann(campaign)
    lists = (f"{slug}/raters/{name}/disagreements", f"{slug}/{PAIR}")
    assert [oak.get(path).json()["results"] for path in lists] == [[], []]
    show_votes(items=[item_of(campaign, 1).pk], member=member)
    differing, split = (oak.get(path).json()["results"] for path in lists)
    assert [(one["item"], one["label"], one["others"]) for one in differing] == [
        ("item-1", "equivalent", {"not-equivalent": 1})
    ]
    assert split == [
        {
            "item": "item-1",
            "question": "Question 1?",
            "candidate": "candidate 1",
            "first": 1,
            "second": 1,
            "votes": 2,
        }
    ]


@pytest.mark.parametrize("by_labels", [True, False])
def test_all_of_a_list_can_be_asked_for_at_once(
    campaign: Campaign, oak: ApiClient, member: Membership, by_labels: bool
) -> None:
    labels = {"labels": ["equivalent", "not-equivalent"]}
    body = labels if by_labels else {"rater": ann(campaign)}
    assert oak.send("POST", f"{campaign.slug}/seen-votes", body).json() == {"items": 2}
    assert SeenVotes.objects.filter(member=member).count() == 2
    first = oak.get(f"{campaign.slug}/{PAIR}?limit=1").json()
    second = oak.client.get(first["next"]).json()
    found = [one["item"] for page in (first, second) for one in page["results"]]
    assert (found, second["next"]) == (["item-1", "item-2"], None)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"labels": ["equivalent", "not-equivalent"], "rater": "x"}, 400),
        ({"labels": ["equivalent"]}, 400),
        ({"labels": ["equivalent", "equivalent"]}, 404),
        ({"item": "item-1"}, 400),
        ({"rater": "nobody"}, 404),
    ],
)
def test_votes_of_nothing_are_not_shown(
    campaign: Campaign, oak: ApiClient, body: object, status: int
) -> None:
    assert oak.send("POST", f"{campaign.slug}/seen-votes", body).status_code == status
    assert not SeenVotes.objects.exists()
