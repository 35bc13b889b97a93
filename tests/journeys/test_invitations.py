"""People are invited by e-mail, come by the link of theirs and rate, and the list says who did."""

import re
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import NARROW, WIDE, Tomahto, item, sign_in, violations
from tests.site import running_site
from tests.smtp_server import MailServer, mail_server

pytestmark = pytest.mark.browser

PASSWORD = "a river of words"
PATIENCE = 60  # seconds
WINDOW: dict[str, Any] = {"viewport": WIDE}
TELEPHONE: dict[str, Any] = {"viewport": NARROW}
PEOPLE = b"""e-mail,name,role
ann@example.org,Ann Lee,
bo@example.org,Bo,researcher
cleo@example.org,,
"""


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    with mail_server() as running:
        yield running


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory, server: MailServer) -> Iterator[Tomahto]:
    """A site with a worker that sends mail."""
    environment = {
        "TOMAHTO_EMAIL_URL": f"smtp+plain://127.0.0.1:{server.port}",
        "TOMAHTO_EMAIL_FROM": "Tomahto <site@example.org>",
    }
    folder = tmp_path_factory.mktemp("mailing")
    with running_site(folder, environment=environment, start=False) as site:
        site.environment["TOMAHTO_SITE_URL"] = site.address
        site.start_web()
        site.start_worker()
        yield Tomahto(site)


def reload_until(page: Page, address: str, state: str) -> None:
    """Until the person's row says so."""
    deadline = time.monotonic() + PATIENCE
    row = page.get_by_role("row", name=address)
    while state not in row.inner_text():
        assert time.monotonic() < deadline, row.inner_text()
        page.reload()


def link_of_mail(server: MailServer, address: str) -> str:
    mail = [mail for mail in server.mails if address in mail["To"]][-1]
    body = mail.get_body(("plain",))
    assert body is not None
    found = re.search(r"http://\S+/join/\S+", body.get_content())
    assert found is not None
    return found[0]


def test_three_are_invited_by_a_file_and_one_of_them_rates(
    mailing: Tomahto, server: MailServer, chromium: Browser, tmp_path: Path
) -> None:
    slug = f"invite-{uuid.uuid4().hex[:8]}"
    mailing.campaign(slug, items=[item(1)], rater=f"pine-{slug}")
    admin = mailing.person(f"oak-{slug}", slug, "admin")
    server.answers = {"cleo": "550 no such mailbox"}
    file = tmp_path / "people.csv"
    file.write_bytes(PEOPLE)
    context = chromium.new_context(base_url=mailing.address, **WINDOW)
    page = context.new_page()
    page.goto(f"/login/?next=/c/{slug}/settings/members/")
    sign_in(page, admin)
    page.get_by_role("link", name="Invite by e-mail").click()
    page.get_by_label("CSV file").set_input_files(file)
    page.get_by_label("Your message").fill("See you on Monday.")
    faults = violations(page)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="3 people to invite")).to_be_visible()
    expect(page.get_by_text("See you on Monday.")).to_be_visible()
    faults += violations(page)
    page.get_by_role("button", name="Send invitations").click()
    expect(page.get_by_role("status")).to_contain_text("3 invitations are on their way.")
    for address, state in (
        ("ann@example.org", "sent"),
        ("bo@example.org", "sent"),
        ("cleo@example.org", "550 no such mailbox"),
    ):
        reload_until(page, address, state)
    faults += violations(page)
    server.answers = {}
    page.get_by_role("button", name="Send again cleo@example.org").click()
    expect(page.get_by_role("status")).to_contain_text("A new e-mail is on its way")
    page.get_by_role("button", name="Withdraw bo@example.org").click()
    expect(page.get_by_role("row", name="bo@example.org")).to_contain_text("withdrawn")
    reload_until(page, "cleo@example.org", "sent")

    guest_context = chromium.new_context(base_url=mailing.address, **TELEPHONE)
    guest = guest_context.new_page()
    guest.goto(link_of_mail(server, "bo@example.org"))
    expect(guest.get_by_text("The invitation has been withdrawn.")).to_be_visible()
    guest.goto(link_of_mail(server, "ann@example.org"))
    expect(guest.get_by_label("E-mail")).to_have_value("ann@example.org")
    guest.get_by_label("User name").fill(f"ann-{slug}")
    guest.get_by_label("Password", exact=False).first.fill(PASSWORD)
    guest.get_by_label(re.compile("confirmation")).fill(PASSWORD)
    with guest.expect_navigation():
        guest.get_by_role("button", name="Make account and join").click()
    guest.keyboard.press("y")
    guest.keyboard.press("Enter")
    expect(guest.get_by_role("heading", level=1)).to_have_text("No items are left for you")
    assert [rating["rater"] for rating in mailing.ratings(slug)] == [f"ann-{slug}"]
    page.reload()
    expect(page.get_by_role("row", name="ann@example.org")).to_contain_text("accepted")
    assert faults == []
    context.close()
    guest_context.close()
