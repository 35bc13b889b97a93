"""Every page that shows an item to people shows its passage alike."""

import pytest
from django.test import Client

from tasks.campaigns.workflow.campaign import change_settings
from tasks.models import Campaign, Flag, Item, Question, Suggestion
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.browsers import signed_in
from tests.tasks.rating.forms import open_item
from tomahto.interchange.reading.records import GivenAnswer

pytestmark = pytest.mark.slow

LAID_OUT = '<p dir="auto">It lies in the <em>north</em>.</p>'
TOO_LONG = "This passage is too long or too complex for Markdown"


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign("rivers", suggestions="after")
    change_settings(campaign=campaign, changes={"passages_are_markdown": True})
    item = make_item(campaign, context="It lies in the *north*.")
    Suggestion.objects.create(item=item, matcher="feather", version="1", score=0.5, is_correct=True)
    return campaign


def pages_of(client: Client, *addresses: str) -> dict[str, str]:
    return {address: client.get(address).content.decode() for address in addresses}


def test_every_page_lays_out_a_passage(campaign: Campaign) -> None:
    item = Item.objects.get()
    rater, admin = make_member(campaign), make_member(campaign, "admin")
    Flag.objects.create(item=item, rater=rater, reason="unclear")
    pages = pages_of(signed_in(rater), "/c/rivers/rate/") | pages_of(
        signed_in(admin),
        "/c/rivers/flags/",
        f"/c/rivers/items/{item.pk}/",
        f"/c/rivers/adjudicate/{item.pk}/",
    )
    client = signed_in(rater)
    address, fields = open_item(client)
    answers = {"action": "submit", "q1": "no", "q2": "yes"}
    pages["after the answer"] = client.post(
        address, {**fields, **answers}, follow=True
    ).content.decode()
    assert {page for page, html in pages.items() if LAID_OUT not in html} == set()
    assert "Matcher:" in pages["after the answer"]


def test_calibration_lays_out_a_passage(campaign: Campaign) -> None:
    make_item(
        campaign,
        purpose="calibration",
        expected=GivenAnswer(None, {"q1": False, "q2": True}),
        context="It lies in the *north*.",
    )
    Campaign.objects.update(requires_calibration=True)
    client = signed_in(make_member(campaign))
    html = client.post("/c/rivers/calibration/start/", follow=True).content.decode()
    assert LAID_OUT in html


def test_a_passage_too_long_to_lay_out_is_plain_text_and_the_page_says_so(
    campaign: Campaign,
) -> None:
    Question.objects.update(context="a *b* " * 3_000)
    client = signed_in(make_member(campaign))
    html = client.get("/c/rivers/rate/").content.decode()
    assert TOO_LONG in html
    assert "a *b* a *b*" in html
    Campaign.objects.update(passages_are_markdown=False)
    assert TOO_LONG not in client.get("/c/rivers/rate/").content.decode()
