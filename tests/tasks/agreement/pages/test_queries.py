"""The number of statements of a dashboard, whatever the size of the campaign."""

from functools import partial

import pytest
from django.urls import reverse

from tasks.agreement.workflow import assessment as stage
from tasks.agreement.workflow.assessment import LIVE_RATINGS, assess
from tests.bulk import fill, make_large_campaign
from tests.factories import make_member
from tests.simulated_suggestions import simulate
from tests.tasks.browsers import signed_in
from tests.tasks.statements import statements

pytestmark = pytest.mark.slow


MORE = pytest.mark.thorough
OVERLAP = 2
# session, user, membership, whether they rate, assessment, count of the ratings, alerts, flags,
# the inbox; then the figures
AROUND = 9
COST = {"agreement": 29, "labels": 6, "progress": 7, "time": 5, "systems": 8}
COST_WITH_SUGGESTIONS = {"suggestion": 6, "more": 14}
# as above without the count, then figures, whether they are old, newer ratings, what is set aside
STORED = 14
# what its filters offer, the goal, looks, names of raters, versions of the guidelines
MORE_OF_AGREEMENT = 6


def page_of(slug: str, name: str) -> str:
    return reverse(name, args=[slug])


@pytest.mark.parametrize(
    ("items", "rated"),
    [
        (10, 8),
        pytest.param(3000, 8, marks=MORE),
        pytest.param(3000, LIVE_RATINGS // OVERLAP, marks=MORE),
    ],
)
def test_a_dashboard_costs_the_same_statements_in_every_campaign(
    db: None, items: int, rated: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make_large_campaign("large", items=items, rated=rated, overlap=OVERLAP, raters=5)
    browser = signed_in(make_member(campaign, "admin"))
    cost = {}
    for name in COST:
        cost[name], page = statements(partial(browser.get, page_of("large", name)))
        assert b"being computed" not in page.content
    assert {name: number - AROUND for name, number in cost.items()} == COST

    monkeypatch.setattr(stage, "LIVE_RATINGS", 1)
    assess(campaign=campaign)
    for name in COST:
        cost[name], page = statements(partial(browser.get, page_of("large", name)))
        assert b'<p class="as-of">' in page.content
    assert cost.pop("agreement") == STORED + MORE_OF_AGREEMENT
    assert cost == dict.fromkeys(cost, STORED)


@pytest.mark.parametrize("unrated", [0, pytest.param(2000, marks=MORE)])
def test_a_dashboard_of_suggestions_costs_the_same_statements_in_every_campaign(
    db: None, unrated: int
) -> None:
    campaign = simulate(items=10)
    fill(campaign, unrated, prefix="more")
    client = signed_in(make_member(campaign, "researcher"))
    cost = {
        name: statements(partial(client.get, page_of(campaign.slug, name)))[0]
        for name in COST_WITH_SUGGESTIONS
    }
    found = {name: number - AROUND + 1 for name, number in cost.items()}  # no flags for researchers
    assert found == COST_WITH_SUGGESTIONS
