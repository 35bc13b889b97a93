"""The list of items in the browser: what it shows, what it withholds, how it is asked."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.explorer.queries.listing import Cursor
from tasks.intake.workflow.items import import_items
from tasks.models import Campaign, Membership, SavedView
from tests.tasks.adjudication.acts import item_of, vote
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import MakeCampaign, MakeMember, item_row
from tomahto.interchange.reading.records import GivenAnswer

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """Item 1 agreed on, item 2 disputed, item 3 with one vote, item 4 without."""
    campaign = make_campaign(items=4, overlap=2, adjudicates_blind=False)
    for number, votes in enumerate(["ee", "en", "e"], start=1):
        vote(campaign, number, votes)
    return campaign


@pytest.fixture
def oak(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


def html(who: Membership, query: str = "", status: int = 200) -> str:
    response = signed_in(who).get(f"/c/{who.campaign.slug}/items/{query}")
    assert response.status_code == status
    return unescape(response.content.decode())


def listed(page: str) -> list[str]:
    """The numbers in the questions of the list, in its order."""
    return re.findall(r'<th scope="row" class="question">.*?Question (\d+)\?', page, re.DOTALL)


def said(page: str) -> list[str]:
    """The marks of every line in words."""
    found = re.findall(r'class="marks">.*?<span class="unseen">(.*?)</span>', page, re.DOTALL)
    return [text.strip() for text in found]


def test_list_shows_votes_as_marks_with_words(oak: Membership) -> None:
    page = html(oak, "?order=number")
    assert listed(page) == ["1", "2", "3", "4"]
    assert "not judged blind yet" in page
    assert said(page) == ["2 × Equivalent", "1 × Equivalent, 1 × Not equivalent"]


def test_an_item_that_gets_no_votes_says_what_it_is_for(
    campaign: Campaign, oak: Membership
) -> None:
    known = GivenAnswer("equivalent")
    import_items(campaign=campaign, rows=[item_row(9, purpose="control", expected=known)])
    page = html(oak, "?key=item-9")
    assert '<span class="state apart">To check raters during live work</span>' in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=question+2", ["2"]),
        ("?disputed=yes", ["2"]),
        ("?unfinished=yes&order=number", ["3", "4"]),
        ("?label=equivalent", ["1"]),
        ("?vote=not-equivalent&rater=rater-02", []),
        ("?system=juniper&limit=2", ["4", "3"]),
        ("?system=&q=&key=item-4", ["4"]),
    ],
)
def test_list_is_asked_by_its_address(oak: Membership, query: str, found: list[str]) -> None:
    assert listed(html(oak, query)) == found


def test_filters_stand_as_chips_that_take_them_away(oak: Membership) -> None:
    page = html(oak, "?system=juniper&disputed=yes&order=-question&columns=votes,label")
    chips = re.findall(r'<a class="chip on"\s+href="(.*?)">\s*(.*?) <span', page)
    kept = "order=-question&columns=votes%2Clabel"
    assert chips == [
        (f"?system=juniper&{kept}".replace("system=juniper", "disputed=yes"), "System: juniper"),
        (f"?system=juniper&{kept}", "Raters disagree"),
    ]
    heads = re.findall(r'<th scope="col"\s+(?:class=".*?")?(.*?)>', page)
    assert sum("descending" in head for head in heads) == 1


def test_a_matcher_is_a_chip_that_takes_away_all_that_is_asked_of_it(oak: Membership) -> None:
    page = html(oak, "?system=juniper&matcher=f1&score_min=0.5&order=score")
    chips = dict(re.findall(r'<a class="chip on"\s+href="(.*?)">\s*(.*?) <span', page))
    assert chips["?system=juniper"] == "Scored by f1"


def test_all_votes_are_shown_at_once_to_who_asks_for_them(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    blind = make_campaign(items=2)
    vote(blind, 1, "ee")
    admin = make_member(blind, "elm", "admin")
    assert "Show all votes" in html(admin, "?label=equivalent")
    signed_in(admin).post(f"/c/{blind.slug}/items/?label=equivalent", {"all": "yes"})
    page = html(admin, "?label=equivalent")
    assert (listed(page), number_found(page)) == (["1"], "1 of 2 items")


def test_what_cannot_be_asked_is_said_and_left_out(oak: Membership) -> None:
    page = html(oak, "?score_min=1&order=number", status=422)
    assert "give the matcher for these scores" in page
    assert listed(page) == ["1", "2", "3", "4"]
    assert "no such label" in html(oak, "?label=nonsense", status=422)
    assert "not a cursor of this list" in html(oak, "?cursor=made-up", status=422)


def test_votes_are_withheld_until_they_are_asked_for(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    blind = make_campaign(items=2)
    vote(blind, 1, "en")
    admin = make_member(blind, "elm", "admin")
    page = html(admin, "?order=number")
    assert "The votes on 2 items of this page are hidden" in page
    assert (said(page), listed(html(admin, "?disputed=yes"))) == ([], [])
    response = signed_in(admin).post(f"/c/{blind.slug}/items/?key=item-1")
    assert (response.status_code, response["Location"]) == (
        303,
        f"/c/{blind.slug}/items/?key=item-1",
    )
    assert said(html(admin)) == ["1 × Equivalent, 1 × Not equivalent"]
    assert listed(html(admin, "?disputed=yes")) == ["1"]


def number_found(page: str) -> str:
    found: list[str] = re.findall(r'id="number-found">(.*?)</p>', page, re.DOTALL)
    return found[0].strip()


LEFT_OUT = "leave out items that you can still judge blind"


@pytest.mark.parametrize("query", ["?order=-share", "?label=equivalent"])
def test_what_blindness_leaves_out_is_said(
    make_campaign: MakeCampaign, make_member: MakeMember, query: str
) -> None:
    blind = make_campaign(items=2)
    vote(blind, 1, "ee")
    admin = make_member(blind, "elm", "admin")
    page = html(admin, query)
    assert (number_found(page), LEFT_OUT in page) == ("0 of 2 items", True)
    assert ("No items match." in page, "There are no items yet." in page) == (True, False)
    signed_in(admin).post(f"/c/{blind.slug}/items/?key=item-1")
    page = html(admin, query)
    assert (number_found(page), listed(page), LEFT_OUT in page) == ("1 of 2 items", ["1"], True)
    signed_in(admin).post(f"/c/{blind.slug}/items/?key=item-2")
    assert LEFT_OUT not in html(admin, query)


def test_orders_that_tell_no_votes_leave_nothing_out(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    admin = make_member(make_campaign(items=2), "elm", "admin")
    page = html(admin, "?order=-ratings")
    assert (number_found(page), LEFT_OUT in page) == ("2 items", False)


def test_file_has_what_is_found_with_the_chosen_columns(oak: Membership) -> None:
    page = html(oak, "?disputed=yes&columns=candidate,label")
    (address,) = re.findall(r'href="(\S*format=jsonl\S*)"', page)
    response = signed_in(oak).get(address)
    assert response["Content-Disposition"].endswith('-items.jsonl"')
    assert b"".join(response).decode().splitlines() == [
        (
            f'{{"number":{item_of(oak.campaign, 2).pk},"question":"Question 2?",'
            '"candidate":"candidate 2","label":""}'
        )
    ]
    named = f"/c/{oak.campaign.slug}/items/file/?format=csv&columns=id&columns=label&limit=1"
    assert b"".join(signed_in(oak).get(named)).startswith(b"id,label\r\n")
    for wrong in ("format=exe", "format=csv&columns=nothing", "format=csv&limit=0"):
        address = f"/c/{oak.campaign.slug}/items/file/?{wrong}"
        assert signed_in(oak).get(address).status_code == 400


def test_view_is_kept_shown_and_removed(oak: Membership, make_member: MakeMember) -> None:
    slug, browser = oak.campaign.slug, signed_in(oak)
    given = {"name": "Split", "query": "disputed=yes", "is_shared": "on"}
    response = browser.post(f"/c/{slug}/items/views/", given)
    assert response["Location"] == f"/c/{slug}/items/?disputed=yes"
    browser.post(f"/c/{slug}/items/views/", given)
    assert SavedView.objects.count() == 1
    other = make_member(oak.campaign, "elm", "researcher")
    page = html(other, "?disputed=yes")
    assert re.search(r'href="\?disputed=yes" aria-current="page"\s+dir="auto">Split', page)
    view = SavedView.objects.get()
    address = f"/c/{slug}/items/views/{view.pk}/"
    assert signed_in(other).post(address).status_code == 404
    assert browser.post(address).status_code == 302
    assert not SavedView.objects.exists()


def test_further_pages_of_all_items_stand_under_all_items(oak: Membership) -> None:
    cursor = Cursor(None, item_of(oak.campaign, 3).pk).as_text("-number")
    all_items = f'<a href="/c/{oak.campaign.slug}/items/" aria-current="page">All items</a>'
    page = html(oak, f"?cursor={cursor}")
    assert (listed(page), all_items in page) == (["2", "1"], True)
    assert all_items not in html(oak, "?order=number")


def test_list_asks_as_often_for_four_items_as_for_one(oak: Membership) -> None:
    html(oak)
    counts = []
    for query in ("?order=number&limit=1", "?order=number&limit=4"):
        with CaptureQueriesContext(connection) as asked:
            html(oak, query)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_neighbours_of_an_item_are_those_of_the_list(oak: Membership) -> None:
    slug = oak.campaign.slug
    two, three = item_of(oak.campaign, 2).pk, item_of(oak.campaign, 3).pk
    page = html(oak, f"{two}/?order=number&limit=2")
    one = item_of(oak.campaign, 1).pk
    found = dict(re.findall(r'rel="(prev|next)"\s+href="(.*?)"', page))
    assert found["prev"] == f"/c/{slug}/items/{one}/?order=number&limit=2"
    assert found["next"].startswith(f"/c/{slug}/items/{three}/?order=number&limit=2&cursor=")
    beyond = html(oak, found["next"].split("/items/")[1])
    assert re.search(rf'rel="prev"\s+href="/c/{slug}/items/{two}/', beyond)
    assert "rel=" not in html(oak, f"{two}/").split("<main", 1)[1].split("</main", 1)[0]


def test_a_workbook_of_too_many_items_is_refused_by_page_and_call(
    oak: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.explorer.workflow.views.MOST_IN_WORKBOOK", 3)
    slug, browser = oak.campaign.slug, signed_in(oak)
    response = browser.get(f"/c/{slug}/items/file/?format=xlsx&order=number", follow=True)
    assert response.redirect_chain == [(f"/c/{slug}/items/?order=number", 302)]
    assert "A workbook holds at most" in response.content.decode()
    called = browser.get(f"/api/v1/campaigns/{slug}/items/file?format=xlsx")
    assert (called.status_code, called.json()) == (
        409,
        {
            "detail": "a workbook has at most 3 items, and 4 match; choose CSV or JSON lines, or "
            "narrow the filter"
        },
    )
    assert browser.get(f"/c/{slug}/items/file/?format=xlsx&disputed=yes").status_code == 200
