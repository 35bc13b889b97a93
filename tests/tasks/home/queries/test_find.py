"""Finding by words: everything one may open, nothing else, each title once."""

from collections import Counter

import pytest

from tasks.campaigns.workflow.campaign import add_member
from tasks.explorer.workflow.refreshing import refresh_all
from tasks.home.queries.personal import MOST, find
from tasks.models import Campaign, Membership
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tests.factories import make_campaign, make_item, make_items, make_member
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def rivers() -> Campaign:
    campaign = make_campaign("rivers", title="Rivers")
    make_item(campaign, id="first", question="Where is the Élbe ferry?", candidate="at Köln")
    make_item(campaign, id="second", question="How wide is it?", references=("Zürich",))
    return campaign


def found(member: Membership, words: str) -> dict[str, list[str]]:
    assert member.user is not None
    refresh_all(campaign=member.campaign)
    return {
        str(group.title): [each.title for each in group.results]
        for group in find(member.user, words, member)
    }


@pytest.mark.parametrize("role", ["rater", "researcher", "admin"])
def test_every_page_found_opens_and_has_its_title_once(rivers: Campaign, role: str) -> None:
    member = make_member(rivers, role)
    browser = signed_in(member)
    assert member.user is not None
    (pages, *_rest) = find(member.user, "", member)
    addresses = [each.address for each in pages.results]
    answers = [browser.get(each, follow=True).status_code for each in addresses]
    assert answers == [200] * len(addresses)
    assert max(Counter(each.title for each in pages.results).values()) == 1


def test_pages_are_those_of_the_role(rivers: Campaign) -> None:
    assert found(make_member(rivers), "settings").get("Pages") is None
    assert found(make_member(rivers, "researcher"), "audit log").get("Pages") is None
    assert found(make_member(rivers, "admin"), "audit log")["Pages"] == ["Audit log"]
    assert found(make_member(rivers, "admin"), "alert")["Pages"][0] == "Alerts"


@pytest.mark.parametrize(
    "words",
    ["élbe ferry", "ÉLBE", "ferry where", "köln", "KÖLN", "first"],
)
def test_items_are_found_by_their_texts_and_their_key(rivers: Campaign, words: str) -> None:
    researcher = make_member(rivers, "researcher")
    assert found(researcher, words)["Items"] == ["Where is the Élbe ferry?"]


def test_items_are_found_by_a_reference_that_json_escapes(rivers: Campaign) -> None:
    assert found(make_member(rivers, "admin"), "zürich")["Items"] == ["How wide is it?"]


def test_an_item_is_found_at_its_page(rivers: Campaign) -> None:
    admin = make_member(rivers, "admin")
    assert admin.user is not None
    refresh_all(campaign=rivers)
    items = next(g for g in find(admin.user, "ferry", admin) if str(g.title) == "Items")
    response = signed_in(admin).get(items.results[0].address)
    assert "Where is the Élbe ferry?" in response.content.decode()
    assert items.is_cut is False


def test_more_items_than_are_shown_are_said_to_be_there(rivers: Campaign) -> None:
    make_items(rivers, MOST + 1)
    html = signed_in(make_member(rivers, "admin")).get("/find/?q=where+does+river&campaign=rivers")
    assert html.content.decode().count("Where does river") == MOST
    assert "All with these words" in html.content.decode()
    assert 'href="/c/rivers/items/?q=where' in html.content.decode()


def test_raters_find_only_items_that_they_have_rated(rivers: Campaign) -> None:
    rater = make_member(rivers)
    assert own_items(rater) == []
    claim = claim_item(membership=rater)
    assert claim is not None
    assert own_items(rater) == []  # handed out, not rated
    submit_rating(
        assignment_id=claim.assignment_id,
        membership=rater,
        answers={"q1": True},
        idempotency_key="one",
    )
    assert len(own_items(rater)) == 1
    assert "Systems" not in found(rater, "juniper")
    assert own_items(rater, "first", "second") == []  # a key may say what an item is for


def own_items(rater: Membership, *words: str) -> list[str]:
    return [
        title
        for each in words or ("ferry", "wide")
        for title in found(rater, each).get("Items", [])
    ]


def test_people_are_found_by_the_names_that_pages_show(rivers: Campaign) -> None:
    ada = make_member(rivers, "rater", "ada")
    researcher, admin = make_member(rivers, "researcher"), make_member(rivers, "admin")
    assert found(admin, "ada")["People"] == ["ada"]
    assert "People" not in found(researcher, "ada")
    assert found(researcher, ada.pseudonym)["People"] == [ada.pseudonym]
    assert "People" not in found(ada, "ada")


def test_nothing_of_another_campaign_is_found(rivers: Campaign) -> None:
    lakes = make_campaign("lakes", title="Lakes")
    make_item(lakes, question="How deep is the tarn?")
    member = make_member(rivers, "admin")
    assert found(member, "tarn") == {}
    assert found(member, "lakes") == {}
    browser = signed_in(member)
    assert "tarn?" not in browser.get("/find/?q=tarn&campaign=lakes").content.decode()
    assert member.user is not None
    for campaign in (lakes, make_campaign("lakes-2", title="Lakes")):
        add_member(campaign=campaign, user=member.user, role="rater")
    assert found(member, "lakes")["Campaigns"] == ["Lakes", "Lakes"]


def test_words_of_the_glossary_and_the_documentation_are_found(rivers: Campaign) -> None:
    rater = make_member(rivers)
    assert found(rater, "control item")["Help"][0] == "control item"
    assert "Intervals" in found(rater, "intervals")["Help"]


def test_nothing_found_is_said_and_strange_words_are_no_fault(rivers: Campaign) -> None:
    browser = signed_in(make_member(rivers, "admin"))
    html = browser.get("/find/?q=zz%00%25_'&campaign=rivers%00").content.decode()
    assert "No results for" in html
    fragment = browser.get("/find/?q=zzz", headers={"X-Requested-With": "fetch"}).content.decode()
    assert "<html" not in fragment
