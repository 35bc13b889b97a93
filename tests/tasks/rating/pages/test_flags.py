"""Flags on the pages: raised beside the form, settled by admins."""

import pytest

from tasks.models import Assignment, AssignmentState, Flag, Membership, Rating
from tests.tasks.browsers import HTMX, compact, signed_in
from tests.tasks.rating.forms import open_item

BADGE = '<span class="badge">1<span class="unseen">to settle</span></span>'


@pytest.fixture
def flag(rater: Membership) -> Flag:
    client = signed_in(rater)
    address, _fields = open_item(client)
    client.post(f"{address}flag/", {"reason": "The passage stops short."})
    return Flag.objects.get()


def test_flag_without_javascript_leads_back_to_the_form(rater: Membership) -> None:
    client = signed_in(rater)
    address, _fields = open_item(client)
    response = client.post(f"{address}flag/", {"reason": " The passage stops short. "})
    assert (response.status_code, response["Location"]) == (302, address)
    html = client.get(address).content.decode()
    assert 'value="The passage stops short."' in html
    assert '<span class="raised">Flagged</span>' in html


def test_flag_by_htmx_brings_its_panel_only(rater: Membership) -> None:
    client = signed_in(rater)
    address, _fields = open_item(client)
    response = client.post(f"{address}flag/", {"reason": "Broken."}, headers=HTMX)
    html = response.content.decode()
    assert html.count("<form") == 1
    assert "Change flag" in html


def test_flag_needs_a_reason(rater: Membership) -> None:
    client = signed_in(rater)
    address, _fields = open_item(client)
    response = client.post(f"{address}flag/", {"reason": "  "}, headers=HTMX)
    assert response.status_code == 422
    assert "Tell the admins in a few words what to look at." in response.content.decode()
    assert not Flag.objects.exists()


def test_flagged_item_can_still_be_rated_or_skipped(flag: Flag, rater: Membership) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    client.post(address, {**fields, "action": "submit", "q1": "yes"})
    address, _fields = open_item(client)
    client.post(f"{address}flag/", {"reason": "This one too."})
    client.post(address, {"action": "skip", "reason": "broken"})
    assert Rating.objects.count() == 1
    assert Assignment.objects.filter(state=AssignmentState.SKIPPED).count() == 1
    assert Flag.objects.filter(settled_at=None).count() == 2


def test_admins_see_item_pseudonym_and_reason(flag: Flag, admin: Membership) -> None:
    html = signed_in(admin).get("/c/rivers/flags/").content.decode()
    assert "The passage stops short." in html
    assert flag.rater.pseudonym in html
    assert flag.item.question.text in html
    assert flag.item.candidate in html
    assert "pine" not in html


def test_navigation_counts_open_flags_for_admins_alone(
    flag: Flag, admin: Membership, researcher: Membership, rater: Membership
) -> None:
    pages = [signed_in(who).get("/c/rivers/guidelines/") for who in (admin, researcher, rater)]
    assert [BADGE in compact(page.content.decode()) for page in pages] == [True, False, False]


def test_settling_closes_the_flag_and_says_how(flag: Flag, admin: Membership) -> None:
    client = signed_in(admin)
    address = f"/c/rivers/flags/{flag.pk}/"
    client.post(address, {"settlement": "The passage was completed."})
    html = compact(client.get("/c/rivers/flags/").content.decode())
    assert "The passage was completed." in html
    assert BADGE not in html
    html = client.post(address, {"settlement": "Again."}, follow=True).content.decode()
    assert "The flag had already been settled." in html
    assert "Again." not in html


def test_settling_needs_words(flag: Flag, admin: Membership) -> None:
    client = signed_in(admin)
    response = client.post(f"/c/rivers/flags/{flag.pk}/", {"settlement": ""}, follow=True)
    assert "Describe in a few words how the flag was settled." in response.content.decode()
    assert Flag.objects.get().settled_at is None
