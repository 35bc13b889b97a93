"""The common behaviour of all dashboards: figures of now or of then, and refreshing by htmx."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tasks.agreement.figures.figures import FIGURES
from tasks.agreement.workflow import assessment as stage
from tasks.agreement.workflow.assessment import assess
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Assessment, Campaign, Membership
from tests.factories import make_item, make_items
from tests.tasks.browsers import HTMX, signed_in, text
from tests.tasks.conftest import rating_row

pytestmark = pytest.mark.slow


PAGES = sorted(set(FIGURES) - {"alpha"})  # those are shown on the page Agreement
TWO = {name: FIGURES[name] for name in ("labels", "more")}
WITHOUT_RATINGS = {
    "agreement": "No ratings yet, so there is no agreement to measure.",
    "classes": "No two votes on an item differ so far.",
    "labels": "There are no ratings yet.",
    "more": "no item has two ratings",
    "progress": "No ratings with a time yet.",
    "raters": "The first test is at 100 ratings",
    "suggestion": "No test yet: the next look is at 100 ratings.",
    "systems": "none of those that are to be rated is judged",
    "time": "There are no ratings yet.",
}
LABELS = "/c/rivers/agreement/labels/"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The campaigns that a worker was told to work on."""
    sent: list[int] = []
    monkeypatch.setattr("tasks.agreement.workflow.assessment.send_assessment", sent.append)
    monkeypatch.setattr(
        "tasks.agreement.workflow.assessment.transaction.on_commit", lambda call: call()
    )
    return sent


@pytest.fixture
def rated(campaign: Campaign) -> Campaign:
    items = make_items(campaign, 3)
    rows = [
        rating_row(0, rater, "equivalent", item_id=item.key, seconds=20.0)
        for item in items
        for rater in ("ann", "ben")
    ]
    import_ratings(campaign=campaign, rows=rows)
    return campaign


@pytest.fixture
def large(rated: Campaign, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Too many ratings to be counted while somebody waits; two pages have figures."""
    monkeypatch.setattr(stage, "LIVE_RATINGS", 2)
    monkeypatch.setattr(stage, "FIGURES", TWO)
    return rated


def stamp(html: str) -> str:
    found = re.search(r"hx-headers='\{\"X-Figures\": \"([0-9a-f]+)\"\}'", html)
    assert found
    return found[1]


def refresh(client: Client, shown: str) -> Any:
    return client.get(LABELS, headers={**HTMX, "X-Figures": shown})


@pytest.mark.parametrize("page", PAGES)
def test_a_small_campaign_is_shown_as_it_is_and_nobody_is_asked(
    researcher: Membership, rated: Campaign, asked: list[int], page: str
) -> None:
    html = text(signed_in(researcher), reverse(page, args=["rivers"]))
    assert "As of" not in html
    assert 'hx-trigger="every 30s"' in html
    assert asked == []


CHARTS = {"labels": 2, "progress": 1, "raters": 1, "systems": 2}


@pytest.mark.parametrize("page", CHARTS)
def test_charts_are_drawn_on_the_page(researcher: Membership, rated: Campaign, page: str) -> None:
    html = text(signed_in(researcher), reverse(page, args=["rivers"]))
    assert html.count('<figure class="chart"><svg class="picture"') == CHARTS[page]
    assert "data-chart" not in html


@pytest.mark.parametrize("page", PAGES)
def test_a_page_without_a_rating_says_so(researcher: Membership, page: str) -> None:
    assert WITHOUT_RATINGS[page] in text(signed_in(researcher), reverse(page, args=["rivers"]))


@pytest.mark.parametrize("page", TWO)
def test_a_large_campaign_shows_what_a_worker_made(
    researcher: Membership, large: Campaign, asked: list[int], page: str
) -> None:
    client, address = signed_in(researcher), reverse(page, args=["rivers"])
    html = text(client, address)
    assert "The figures are being computed. They will appear here automatically." in html
    assert 'hx-trigger="every 2s"' in html
    text(client, address)
    assert asked == [large.pk]  # once

    assess(campaign=large)
    html = text(client, address)
    assert re.search('<p class="as-of">As of [^<]+[.] ?</p>', html)
    assert 'hx-trigger="every 30s"' in html
    assert asked == [large.pk]

    import_ratings(
        campaign=large,
        rows=[rating_row(0, "cy", "equivalent", item_id=large.items.all()[0].key)],
    )
    assert "Newer figures are being computed." in text(client, address)
    text(client, address)
    assert asked == [large.pk] * 2


def test_a_refresh_of_what_is_shown_answers_nothing(
    researcher: Membership, rated: Campaign
) -> None:
    client = signed_in(researcher)
    shown = stamp(text(client, LABELS))
    response = refresh(client, shown)
    assert (response.status_code, response.content) == (204, b"")
    item = make_item(rated)
    import_ratings(campaign=rated, rows=[rating_row(0, "ann", "equivalent", item_id=item.key)])
    response = refresh(client, shown)
    assert response.status_code == 200
    assert stamp(response.content.decode()) != shown
    # a browser that asks for the page gets it, whatever it says it shows
    assert client.get(LABELS, headers={"X-Figures": shown}).status_code == 200


def test_a_refresh_shows_the_same_figures_with_their_new_time(
    researcher: Membership, large: Campaign, asked: list[int]
) -> None:
    """Or "newer figures are being computed" would stay for ever."""
    client = signed_in(researcher)
    assess(campaign=large)
    Assessment.objects.update(newest_rating=0)
    shown = stamp(text(client, LABELS))
    assert refresh(client, shown).status_code == 204
    assess(campaign=large)
    response = refresh(client, shown)
    assert response.status_code == 200
    assert "Newer figures" not in response.content.decode()


def test_a_failure_is_shown_by_the_next_refresh_and_goes_away(
    researcher: Membership, large: Campaign, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(researcher)
    waiting = stamp(text(client, LABELS))
    monkeypatch.setattr(stage, "FIGURES", {"labels": lambda _campaign: 1 // 0})
    with pytest.raises(ZeroDivisionError):
        assess(campaign=large)
    html = refresh(client, waiting).content.decode()
    assert "The figures could not be computed:" in html
    assert "integer division or modulo by zero" in html
    monkeypatch.setattr(stage, "FIGURES", TWO)
    assess(campaign=large)
    assert "could not be computed" not in text(client, LABELS)
