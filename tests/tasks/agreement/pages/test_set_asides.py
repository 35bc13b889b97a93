"""Setting ratings aside by the page and by the call, where it is said, and what undoing says."""

import pytest
from django.test import Client

from tasks.models import Membership, SetAside
from tasks.votes.ratings import SetAsideNow, set_aside_now
from tasks.votes.workflow import set_aside
from tests.tasks.api_client import AsMember
from tests.tasks.browsers import compact, signed_in
from tests.tasks.conftest import MakeMember
from tests.tasks.votes.workflow.test_set_aside import ann, campaign, cat, oak, rate, rated

__all__ = ["ann", "campaign", "cat", "oak", "rated"]

pytestmark = pytest.mark.usefixtures("rated")
REASON = "Clicked through."


@pytest.fixture
def browser(oak: Membership) -> Client:
    return signed_in(oak)


def page_of(browser: Client, member: Membership, address: str) -> str:
    response = browser.get(f"/c/{member.campaign.slug}/agreement/{address}")
    assert response.status_code == 200
    return compact(response.content.decode())


def test_ratings_are_set_aside_only_after_a_look_at_how_many(
    browser: Client, cat: Membership
) -> None:
    campaign, address = cat.campaign, f"raters/{cat.pseudonym}/set-aside/"
    assert "4 ratings would be set aside (4 counted)." in page_of(browser, cat, address)
    address = f"/c/{campaign.slug}/agreement/{address}"
    for reason, status in ((" ", 422), ("x" * 501, 422), (REASON, 200)):
        response = browser.post(address, {"reason": reason})
        assert (response.status_code, SetAside.objects.count()) == (status, 0)
    assert "Set 4 ratings aside" in compact(response.content.decode())
    body = {"reason": REASON, "since": "", "confirm": "yes"}
    assert browser.post(address, body).status_code == 302
    assert set_aside_now(campaign) == SetAsideNow(ratings=4, raters=1)
    response = browser.post(address, body)
    assert response.status_code == 409
    assert "There are no ratings to set aside." in compact(response.content.decode())


def test_figures_say_it_and_lead_to_the_list(
    browser: Client, oak: Membership, cat: Membership
) -> None:
    sentence = "4 ratings by 1 rater are set aside and do not count."
    for name in ("", "progress/", "raters/", f"raters/{cat.pseudonym}/"):
        assert sentence not in page_of(browser, cat, name)
    set_aside(rater=cat, by=oak, reason=REASON)
    for name in ("", "progress/", "raters/", f"raters/{cat.pseudonym}/"):
        assert sentence in page_of(browser, cat, name)
    assert "Set aside" in page_of(browser, cat, "raters/")
    assert REASON in page_of(browser, cat, "set-aside/")


def test_list_says_what_undoing_would_leave(
    browser: Client, oak: Membership, cat: Membership, make_member: MakeMember
) -> None:
    act = set_aside(rater=cat, by=oak, reason=REASON)
    assert "Others have rated" not in page_of(browser, cat, "set-aside/")
    rate(make_member(cat.campaign, "ben"), "ee")
    assert "Others have rated 2 of these items since" in page_of(browser, cat, "set-aside/")
    address = f"/c/{cat.campaign.slug}/agreement/set-aside/{act.pk}/undo/"
    for text in ("The ratings count again.", "That had been undone before."):
        page = browser.post(address, follow=True)
        assert text in compact(page.content.decode())
    assert not set_aside_now(cat.campaign)


def test_program_can_do_all_of_it(oak: Membership, cat: Membership, as_member: AsMember) -> None:
    caller, slug = as_member(oak), cat.campaign.slug
    address = f"{slug}/raters/{cat.pseudonym}/set-aside"
    assert caller.get(f"{address}?since=2001-01-01").json() == {"ratings": 4, "votes": 4}
    assert caller.send("POST", address, {"reason": " "}).status_code == 400
    made = caller.send("POST", address, {"reason": REASON, "since": "2001-01-01"})
    body = made.json()
    assert (made.status_code, body.pop("created_at") is None) == (201, False)
    assert body == {
        "id": SetAside.objects.get().pk,
        "rater": cat.pseudonym,
        "reason": REASON,
        "ratings": 4,
        "votes": 4,
        "by": oak.pseudonym,
        "undone_by": None,
        "undone_at": None,
    }
    assert caller.send("POST", address, {"reason": REASON}).status_code == 409
    rows = caller.get(f"{slug}/ratings?counted=false&rater={cat.pseudonym}").json()["results"]
    assert [(row["counted"], row["set_aside"]) for row in rows] == [(False, True)] * 4
    undo = f"{slug}/set-asides/{body['id']}/undo"
    undone = caller.send("POST", undo, {})
    assert (undone.status_code, undone.json()["undone_by"]) == (200, oak.pseudonym)
    assert caller.send("POST", undo, {}).status_code == 409
    (listed,) = caller.get(f"{slug}/set-asides").json()["results"]
    assert listed == undone.json()
