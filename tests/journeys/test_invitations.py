"""People are invited by their addresses: what is sent is seen first, and a link lets one in."""

import uuid

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import NARROW, OpenPage, Tomahto, item, violations

pytestmark = pytest.mark.browser
PASSWORD = "a river of words"


def test_addresses_are_pasted_looked_at_and_invited(tomahto: Tomahto, open_page: OpenPage) -> None:
    slug = f"invite-{uuid.uuid4().hex[:8]}"
    tomahto.campaign(slug, items=[item(1)], rater=f"pine-{slug}")
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    page = open_page(admin, f"/login/?next=/c/{slug}/settings/members/")
    page.get_by_role("link", name="Invite by e-mail").click()
    expect(page.get_by_role("note")).to_contain_text("This site does not send e-mail.")
    page.get_by_label("Addresses").fill("Ann Lee <ann@example.org>\nnobody")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_contain_text("no valid address in line 2")
    found = violations(page)
    page.get_by_label("Addresses").fill("Ann Lee <ann@example.org>\nbo@example.org")
    page.get_by_label("Your message").fill("See you on Monday.")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("2 people are invited:")).to_be_visible()
    expect(page.get_by_text("See you on Monday.")).to_be_visible()
    found += violations(page)
    page.get_by_role("button", name="Make the links").click()
    expect(page.get_by_role("heading", name="The links are ready")).to_be_visible()
    found += violations(page)
    link = page.locator(".mail-links code").first.inner_text()
    guest = open_page(None, link, viewport=NARROW)
    guest.get_by_label("Name").fill(f"ann-{slug}")
    guest.get_by_role("button", name="Continue").click()
    guest.get_by_label("Password", exact=False).first.fill(PASSWORD)
    guest.get_by_label("confirmation").fill(PASSWORD)
    with guest.expect_navigation():
        guest.get_by_role("button", name="Create account and join").click()
    page.goto(f"/c/{slug}/settings/invitations/mail/")
    row = page.get_by_role("row", name="ann@example.org")
    expect(row).to_contain_text("Accepted")
    page.get_by_role("button", name="Withdraw bo@example.org").click()
    expect(page.get_by_role("status")).to_contain_text(
        "The invitation for bo@example.org has been withdrawn."
    )
    assert found == []
