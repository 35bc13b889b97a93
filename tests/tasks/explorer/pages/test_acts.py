"""Acts on many items in the browser: looked at, done, undone."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tasks.models import BulkAct, Campaign, ItemHandling, ItemTag, Membership
from tasks.votes.blindness import withheld_from
from tests.tasks.adjudication.acts import item_of, vote
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import MakeCampaign, MakeMember


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=3, overlap=2)


@pytest.fixture
def oak(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


def look(browser: Client, campaign: Campaign, **given: Any) -> str:
    response = browser.post(f"/c/{campaign.slug}/items/act/", given)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", unescape(response.content.decode()))


def fields(page: str) -> dict[str, str]:
    """The fields that the form of an act would send as it stands."""
    main = page.split('class="card act-form"', 1)[1].split("</form>", 1)[0]
    pairs = re.findall(r'<input type="(?:hidden|text)" name="(\w+)"(?: value="(.*?)")?', main)
    return {name: value for name, value in pairs if name != "csrfmiddlewaretoken"}


def test_act_is_looked_at_before_it_is_done(campaign: Campaign, oak: Membership) -> None:
    browser, first = signed_in(oak), item_of(campaign, 1).pk
    page = look(browser, campaign, act="tag", items=[first, item_of(campaign, 2).pk])
    assert "Show a preview" in page
    assert not ItemTag.objects.exists()
    told = {**fields(page), "tag": "check"}
    page = look(browser, campaign, **told)
    assert "2 items get the tag “check”." in page
    assert not ItemTag.objects.exists()
    given = {**fields(page), "tag": "check", "confirm": "yes"}
    response = browser.post(f"/c/{campaign.slug}/items/act/", given)
    act = BulkAct.objects.get()
    assert response["Location"] == f"/c/{campaign.slug}/items/?done={act.pk}"
    shown = browser.get(response["Location"]).content.decode()
    assert re.search(r"<b>Done\.</b> 2 items get the tag “check”\.", shown)
    # sent again, as after a reload, it is done once
    assert browser.post(f"/c/{campaign.slug}/items/act/", given).status_code == 302
    assert (BulkAct.objects.count(), ItemTag.objects.count()) == (1, 2)


def test_items_are_assigned_to_raters_whose_shares_are_looked_at(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    browser, ash = signed_in(oak), make_member(campaign, "ash")
    first = item_of(campaign, 1).pk
    page = look(browser, campaign, act="assign", items=[first])
    assert "Show a preview" in page
    told = {"raters": [ash.pseudonym], "is_divided": "no", "days": "7"}
    page = look(browser, campaign, **fields(page), **told)
    assert "1 item is next for 1 rater; the place is reserved for 7 days." in page
    assert re.search(r'<bdi>ash</bdi></th><td class="number-cell">1</td>', page)
    given = {**fields(page), **told, "confirm": "yes"}
    assert browser.post(f"/c/{campaign.slug}/items/act/", given).status_code == 302
    page = browser.get(f"/c/{campaign.slug}/items/{first}/").content.decode()
    assert re.search(r"Assigned to</dt>\s*<dd>\s*<bdi>ash</bdi>\s*until ", page)
    told = {"raters": [], "is_divided": "no", "days": "7"}
    response = browser.post(f"/c/{campaign.slug}/items/act/", {**given, **told})
    assert response.status_code == 422


def test_votes_are_shown_where_control_items_need_them(campaign: Campaign, oak: Membership) -> None:
    browser = signed_in(oak)
    vote(campaign, 1, "ee")
    vote(campaign, 2, "ee")
    first = item_of(campaign, 1)
    page = look(browser, campaign, act="make-controls", items=[first.pk])
    assert "whose votes are withheld from you: show their votes first" in page
    assert withheld_from(oak, first) == "blind"
    page = look(browser, campaign, **fields(page), show="yes")
    assert "A copy of 1 item becomes a control item." in page
    assert re.search(r"<bdi>Equivalent</bdi></th><td class=\"number-cell\">1</td>", page)
    assert [withheld_from(oak, item_of(campaign, number)) for number in (1, 2)] == [None, "blind"]
    given = {**fields(page), "confirm": "yes"}
    assert browser.post(f"/c/{campaign.slug}/items/act/", given).status_code == 302
    undone = browser.post(f"/c/{campaign.slug}/items/acts/{BulkAct.objects.get().pk}/", follow=True)
    assert "1 copy is deleted." in undone.content.decode()


def test_who_comes_back_to_the_form_and_asks_for_something_else_looks_at_that_first(
    campaign: Campaign, oak: Membership
) -> None:
    browser, first = signed_in(oak), item_of(campaign, 1).pk
    page = look(browser, campaign, act="tag", items=[first])
    page = look(browser, campaign, **{**fields(page), "tag": "check"})
    given = {**fields(page), "tag": "check", "confirm": "yes"}
    assert browser.post(f"/c/{campaign.slug}/items/act/", given).status_code == 302
    given |= {"tag": "other", "looked_at": ""}
    response = browser.post(f"/c/{campaign.slug}/items/act/", given)
    page = response.content.decode()
    assert (response.status_code, ItemTag.objects.count()) == (409, 1)
    given = {**fields(page), "tag": "other", "confirm": "yes"}
    assert browser.post(f"/c/{campaign.slug}/items/act/", given).status_code == 302
    assert ItemTag.objects.count() == 2


def test_act_is_not_done_otherwise_than_it_was_looked_at(
    campaign: Campaign, oak: Membership
) -> None:
    browser = signed_in(oak)
    page = look(browser, campaign, act="dismiss", items=[item_of(campaign, 1).pk])
    ItemHandling.objects.create(item=item_of(campaign, 1), is_dismissed=True)
    response = browser.post(f"/c/{campaign.slug}/items/act/", {**fields(page), "confirm": "yes"})
    assert response.status_code == 409
    assert "Something has changed since the preview" in response.content.decode()
    assert not BulkAct.objects.exists()


def test_act_is_done_to_all_that_are_found(campaign: Campaign, oak: Membership) -> None:
    browser = signed_in(oak)
    page = look(browser, campaign, act="dismiss", everything="on", query="q=question+2")
    assert "You have selected 1 item." in page
    browser.post(f"/c/{campaign.slug}/items/act/", {**fields(page), "confirm": "yes"})
    assert [each.item.key for each in ItemHandling.objects.filter(is_dismissed=True)] == ["item-2"]
    act = BulkAct.objects.get()
    undone = browser.post(f"/c/{campaign.slug}/items/acts/{act.pk}/", {"back": "https://evil/"})
    assert undone["Location"] == f"/c/{campaign.slug}/items/acts/"
    assert "1 item has been restored." in browser.get(undone["Location"]).content.decode()
    again = browser.post(f"/c/{campaign.slug}/items/acts/{act.pk}/", follow=True)
    assert "This act had already been undone." in again.content.decode()
    assert not ItemHandling.objects.filter(is_dismissed=True).exists()


@pytest.mark.parametrize(
    "given",
    [
        {"act": "explode", "items": "1"},
        {"act": "tag", "items": "one"},
        {"act": "tag", "everything": "on", "query": "label=nonsense"},
    ],
)
def test_no_such_act_or_items(campaign: Campaign, oak: Membership, given: dict[str, str]) -> None:
    assert signed_in(oak).post(f"/c/{campaign.slug}/items/act/", given).status_code == 400


def test_nothing_chosen_leads_back(campaign: Campaign, oak: Membership) -> None:
    back = f"/c/{campaign.slug}/items/?q=lens"
    response = signed_in(oak).post(f"/c/{campaign.slug}/items/act/", {"act": "tag", "back": back})
    assert response["Location"] == back


def test_researchers_see_what_was_done_and_do_nothing(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    browser = signed_in(oak)
    page = look(browser, campaign, act="dismiss", items=[item_of(campaign, 1).pk])
    browser.post(f"/c/{campaign.slug}/items/act/", {**fields(page), "confirm": "yes"})
    fern = signed_in(make_member(campaign, "fern", "researcher"))
    shown = fern.get(f"/c/{campaign.slug}/items/acts/").content.decode()
    assert "1 item gets no more ratings." in shown
    assert "Undo" not in shown
    listed = fern.get(f"/c/{campaign.slug}/items/").content.decode()
    assert 'name="act"' not in listed
