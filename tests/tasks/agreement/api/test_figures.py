"""Figures and looks over HTTP: the same as the command prints, for those who may see results."""

from dataclasses import asdict

import pytest

from tasks.agreement.figures.figures import FIGURES
from tasks.agreement.figures.more.sample_plan import sample_plan
from tasks.agreement.workflow import assessment as stage
from tasks.agreement.workflow.assessment import assess
from tasks.agreement.workflow.looks import look_if_due
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign
from tests.simulated_suggestions import simulate
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.conftest import MakeCampaign, MakeMember, rating_row


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=3)
    rows = [rating_row(n, rater, "equivalent") for n in (1, 2) for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=rows)
    return campaign


@pytest.fixture
def researcher(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign, role="researcher"))


def test_figures_of_a_small_campaign_are_those_of_this_moment(
    campaign: Campaign, researcher: ApiClient
) -> None:
    response = researcher.get(f"{campaign.slug}/figures/labels")
    assert (response.status_code, response.json()) == (
        200,
        {"figures": FIGURES["labels"](campaign), "made_at": None, "is_current": True},
    )


def test_figures_of_a_large_campaign_are_accepted_then_there(
    campaign: Campaign, researcher: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr("tasks.agreement.workflow.assessment.send_assessment", sent.append)
    monkeypatch.setattr(
        "tasks.agreement.workflow.assessment.transaction.on_commit", lambda call: call()
    )
    monkeypatch.setattr(stage, "LIVE_RATINGS", 1)
    path = f"{campaign.slug}/figures/labels"
    responses = [researcher.get(path) for _ in range(2)]
    assert [(each.status_code, each.json()) for each in responses] == [
        (202, {"figures": None, "made_at": None, "is_current": False})
    ] * 2
    assert sent == [campaign.pk]
    assess(campaign=campaign)
    found = researcher.get(path).json()
    assert (found["figures"], found["is_current"]) == (FIGURES["labels"](campaign), True)
    assert found["made_at"] is not None


def test_unknown_figures_are_not_found(campaign: Campaign, researcher: ApiClient) -> None:
    response = researcher.get(f"{campaign.slug}/figures/weather")
    assert response.status_code == 404
    known = ", ".join(FIGURES)
    assert response.json()["detail"] == f"there are no figures 'weather'; there are: {known}"


def test_looks_are_listed_newest_first(
    campaign: Campaign, researcher: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tasks.agreement.workflow.looks.FINDINGS", {"drift": lambda *_given: {"who": []}}
    )
    assert researcher.get(f"{campaign.slug}/looks").json()["results"] == []
    for ratings in (100, 150):
        look_if_due(campaign=campaign, ratings=ratings)
    found = researcher.get(f"{campaign.slug}/looks").json()["results"]
    assert [
        {name: value for name, value in look.items() if name != "made_at"} for look in found
    ] == [
        {"number": 2, "ratings": 150, "level": 0.05 / 6, "findings": {"drift": {"who": []}}},
        {"number": 1, "ratings": 100, "level": 0.025, "findings": {"drift": {"who": []}}},
    ]


def test_plan_is_that_of_the_page(db: None, make_member: MakeMember, as_member: AsMember) -> None:
    campaign = simulate(items=60, agree=0.8)
    caller = as_member(make_member(campaign, role="researcher"))
    quantities = FIGURES["more"](campaign)["quantities"]
    expected = sample_plan(quantities, quantities[1]["key"], 0.05)
    found = caller.get(f"{campaign.slug}/figures/more/plan?quantity=accuracy/juniper&width=0.05")
    body = found.json()
    assert (body["kind"], body["systems"], body["size"]) == (
        expected.kind,
        list(expected.systems),
        asdict(expected.size),
    )
    assert [tuple(each.values()) for each in body["widths"]] == list(expected.widths)
    for query, field in (("quantity=weather", "quantity"), ("width=nan", "width"), ("x=1", "x")):
        refused = caller.get(f"{campaign.slug}/figures/more/plan?{query}")
        assert (refused.status_code, refused.json()["field"]) == (400, field)
