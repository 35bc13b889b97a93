"""The form in the rater's language, as a browser without JavaScript sees it."""

import json
from typing import Any

import pytest
from django.test import Client

from tasks.campaigns.workflow.campaign import change_settings
from tasks.models import Campaign, Membership, Rating
from tasks.rating.queries.exported_ratings import rating_lines
from tests.factories import make_member
from tests.tasks.browsers import HTMX, compact, signed_in
from tests.tasks.rating.forms import open_item, value_of

pytestmark = pytest.mark.slow

GERMAN = {"Accept-Language": "de"}
QUESTION = "Is the second answer a completely different answer?"
IN_GERMAN = "Ist die zweite Antwort eine völlig andere Antwort?"


@pytest.fixture
def german(campaign: Campaign) -> Campaign:
    change_settings(campaign=campaign, changes={"form_languages": "de"})
    return campaign


def shown(client: Client, address: str = "/c/rivers/rate/") -> str:
    return client.get(address, headers=GERMAN).content.decode()


def asked_in(html: str) -> tuple[str, bool, bool]:
    """The wording that a rating of the page will have; does it ask in English, and in German?"""
    tag = compact(html)
    return (
        value_of(html, "wording"),
        f'<span class="wording" lang="en">{QUESTION}<' in tag,
        f'<span class="wording" lang="de">{IN_GERMAN}<' in tag,
    )


PUBLISHED, TRANSLATED = ("", True, False), ("de-1", False, True)


def test_everybody_is_asked_in_the_published_words_unless_the_campaign_has_others(
    rater: Membership,
) -> None:
    html = shown(signed_in(rater))
    assert asked_in(html) == PUBLISHED
    assert "?words=" not in html


def test_a_rater_is_asked_in_their_language_and_the_rating_says_so(
    german: Campaign, rater: Membership
) -> None:
    client = signed_in(rater)
    html = shown(client)
    assert asked_in(html) == TRANSLATED
    for text in ("Erste Antwort", "Zweite Antwort"):
        assert f'<dt lang="de">{text}</dt>' in html
    address, fields = open_item(client)
    body = {**fields, "wording": "de-1", "action": "submit", "q1": "yes"}
    headers: Any = HTMX | GERMAN
    stored = client.post(address, body, headers=headers).content.decode()
    assert '<b lang="de">Nicht gleichwertig</b>' in stored
    assert '<span lang="de">Nicht gleichwertig</span>' in shown(client, "/c/rivers/history/")
    assert '<b lang="de">Nicht gleichwertig</b>' in shown(client, address)  # to revise
    (line,) = map(json.loads, rating_lines(german))
    assert (Rating.objects.get().wording, line["wording"]) == ("de-1", "de-1")
    assert (line["label"], line["q1"]) == ("not-equivalent", True)


def test_the_switch_to_the_published_words_and_back_is_remembered(
    german: Campaign, rater: Membership
) -> None:
    client = signed_in(rater)
    assert "?words=published" in shown(client)
    switched = shown(client, "/c/rivers/rate/?words=published")
    assert "?words=own" in switched
    assert [asked_in(html) for html in (switched, shown(client))] == [PUBLISHED] * 2
    back = [shown(client, "/c/rivers/rate/?words=own"), shown(client)]
    assert [asked_in(html) for html in back] == [TRANSLATED] * 2


def test_the_item_fetched_ahead_is_in_the_same_words(german: Campaign, rater: Membership) -> None:
    client = signed_in(rater)
    address, _fields = open_item(client)
    ahead = client.post(f"{address}following/", headers=GERMAN).content.decode()
    assert asked_in(ahead) == TRANSLATED


@pytest.mark.parametrize("wording", ["de-99", "tlh-1", "de", "x" * 51])
def test_a_rating_in_words_that_are_not_known_is_refused(
    german: Campaign, rater: Membership, wording: str
) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    body = {**fields, "wording": wording, "action": "submit", "q1": "yes"}
    assert client.post(address, body).status_code == 400
    assert not Rating.objects.exists()


def test_adjudicators_are_asked_in_the_published_words(german: Campaign) -> None:
    client = signed_in(make_member(german, role="researcher"))
    item = german.items.first()
    assert item is not None
    html = shown(client, f"/c/rivers/adjudicate/{item.pk}/")
    assert (QUESTION in html, IN_GERMAN in html) == (True, False)
