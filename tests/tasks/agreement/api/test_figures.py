"""Figures and looks over HTTP: the same as the command prints, for those who may see results."""

from dataclasses import asdict
from datetime import UTC, date, datetime

import pytest

from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.agreement.figures.figures import FIGURES, NARROWED
from tasks.agreement.figures.more_figures import sample_plan
from tasks.agreement.workflow import assessment as stage
from tasks.agreement.workflow.alerts import look_if_due
from tasks.agreement.workflow.assessment import assess
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Narrowing
from tasks.votes.ratings import narrow
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
    assert response.json()["detail"] == f"no figures 'weather'; known: {known}"


NARROWINGS = [
    ("", Narrowing()),
    ("source=rated", Narrowing(source="rated")),
    ("guideline=0", Narrowing(guideline=0)),
    ("system=juniper&source=&until=", Narrowing(system="juniper")),
    (
        "since=2024-05-02&until=2024-05-03&votes=seen",
        Narrowing(since=date(2024, 5, 2), until=date(2024, 5, 3)),
    ),
]


@pytest.mark.parametrize(("query", "narrowing"), NARROWINGS)
def test_figures_and_agreement_are_of_the_part_that_is_asked_for(
    campaign: Campaign, researcher: ApiClient, query: str, narrowing: Narrowing
) -> None:
    given = datetime(2024, 5, 2, 12, tzinfo=UTC)
    rows = [rating_row(3, rater, "not-equivalent", rated_at=given) for rater in ("ann", "eve")]
    import_ratings(campaign=campaign, rows=rows)
    part = narrow(campaign, narrowing)
    figures = researcher.get(f"{campaign.slug}/figures/time?{query}").json()
    assert figures["figures"] == FIGURES["time"](part)
    assert (
        researcher.get(f"{campaign.slug}/agreement?{query}").json() == agreement_of(part).as_json()
    )


@pytest.mark.parametrize("path", ["figures/time", "agreement"])
@pytest.mark.parametrize(
    ("query", "field", "said"),
    [
        ("system=rowan", "system", "there is no 'rowan'; known: juniper"),
        ("system=%00", "system", "Null characters are not allowed."),
        ("system=juniper%20", "system", "there is no 'juniper '; known: juniper"),
        ("since=May", "since", "Date has wrong format. Use one of these formats instead:"),
        ("until=9999-12-31", "until", "'9999-12-31' is not a day from 1900-01-01 to 2999-12-31,"),
        ("since=2024-05-02&until=2024-05-01", "since", "2024-05-02 is later than until, 2024"),
        ("guideline=7", "guideline", "there is no '7'; known: 0, 1"),
        ("guideline=-1", "guideline", "Ensure this value is greater than or equal to 0."),
        ("source=drawn", "source", '"drawn" is not a valid choice.'),
        ("sytem=juniper", "sytem", "no such parameter; known: guideline, since,"),
    ],
)
def test_a_part_that_there_is_not_is_refused_by_name(
    campaign: Campaign, researcher: ApiClient, path: str, query: str, field: str, said: str
) -> None:
    refused = researcher.get(f"{campaign.slug}/{path}?{query}")
    assert (refused.status_code, refused.json()["field"]) == (400, field)
    assert refused.json()["detail"].startswith(said)


def test_figures_of_all_ratings_are_refused_of_a_part(
    campaign: Campaign, researcher: ApiClient
) -> None:
    refused = researcher.get(f"{campaign.slug}/figures/labels?source=rated")
    known = ", ".join(sorted(NARROWED & FIGURES.keys()))
    assert (refused.status_code, refused.json()) == (
        400,
        {
            "detail": "the figures 'labels' cover all ratings only; figures for a part of the "
            f"ratings: {known}",
        },
    )
    assert researcher.get(f"{campaign.slug}/figures/labels?source=").status_code == 200


def test_a_part_of_a_large_campaign_is_accepted_then_there(
    campaign: Campaign, researcher: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "LIVE_RATINGS", 1)
    assess(campaign=campaign)
    path = f"{campaign.slug}/figures/time?guideline=0"
    waited = researcher.get(path)
    assert (waited.status_code, waited.json()["figures"]) == (202, None)
    assess(campaign=campaign)
    found = researcher.get(path).json()
    assert found["figures"] == FIGURES["time"](narrow(campaign, Narrowing(guideline=0)))
    assert found["is_current"]


def test_looks_are_listed_newest_first(
    campaign: Campaign, researcher: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tasks.agreement.workflow.alerts.FINDINGS", {"drift": lambda *_given: {"who": []}}
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
