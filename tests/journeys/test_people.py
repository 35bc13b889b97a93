"""People come in by a link and are rating a moment later; with a second factor, too."""

import re
import time
import uuid
from base64 import b32decode

import pytest
from django_otp.oath import TOTP
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, sign_in, violations

pytestmark = pytest.mark.browser

PASSWORD = "a river of words"


@pytest.fixture
def slug(tomahto: Tomahto) -> str:
    slug = f"people-{uuid.uuid4().hex[:8]}"
    tomahto.campaign(slug, items=[item(1)], rater=f"pine-{slug}")
    return slug


@pytest.fixture
def admin(tomahto: Tomahto, slug: str) -> Person:
    return tomahto.person(f"oak-{slug}", slug, "admin")


def make_link(page: Page, kind: str) -> str:
    page.get_by_role("link", name="People", exact=True).click()
    form = page.locator("form", has=page.get_by_role("button", name="Make link"))
    form.get_by_label(re.compile("^For")).select_option(kind)
    form.get_by_label("Note").fill("Reading group")
    form.get_by_role("button", name="Make link").click()
    return page.locator("#invitation-link").inner_text()


def rate_as_different(page: Page) -> None:
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("No items are left for you")


def test_invited_person_makes_an_account_and_rates(
    tomahto: Tomahto, open_page: OpenPage, slug: str, admin: Person
) -> None:
    admins = open_page(admin, f"/login/?next=/c/{slug}/")
    link = make_link(admins, "account")
    found = violations(admins)
    page = open_page(None, link, viewport=NARROW)
    expect(page).to_have_url(re.compile(r"/join/$"))
    found += violations(page)
    page.get_by_label("User name").fill(f"willow-{slug}")
    page.get_by_label("Password", exact=False).first.fill(PASSWORD)
    page.get_by_label(re.compile("confirmation")).fill(PASSWORD)
    # a click returns while the next page is on its way: a key pressed then would be lost
    with page.expect_navigation():
        page.get_by_role("button", name="Make account and join").click()
    rate_as_different(page)
    assert [each["rater"] for each in tomahto.ratings(slug)] == [f"willow-{slug}"]
    expect(page.locator("#completion-code")).to_have_count(0)
    admins.goto(f"/c/{slug}/settings/members/")
    admins.get_by_role("link", name=f"willow-{slug}").click()
    found += violations(admins)
    admins.get_by_role("button", name="Deactivate").click()
    expect(admins.get_by_role("status")).to_contain_text("can no longer open the campaign")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    assert found == []


def test_person_with_an_account_joins_without_javascript(
    tomahto: Tomahto, open_page: OpenPage, slug: str, admin: Person
) -> None:
    link = make_link(open_page(admin, f"/login/?next=/c/{slug}/"), "account")
    other = f"other-{slug}"
    person = tomahto.campaign(other, items=[item(1)], rater=f"fern-{slug}")
    page = open_page(None, link, java_script_enabled=False)
    page.get_by_role("link", name="Log in to join with it").click()
    sign_in(page, person)
    page.get_by_role("button", name="Join").click()
    expect(page).to_have_url(re.compile(f"/c/{slug}/rate/$"))
    page.goto(link)
    expect(page.get_by_text("You are already a member of this campaign")).to_be_visible()


def test_crowd_visitor_finishes_and_gets_the_code(
    tomahto: Tomahto, open_page: OpenPage, slug: str, admin: Person
) -> None:
    admins = open_page(admin, f"/login/?next=/c/{slug}/")
    link = make_link(admins, "crowd")
    expect(admins.locator("#prolific-link")).to_contain_text("PROLIFIC_PID={{%PROLIFIC_PID%}}")
    admins.get_by_role("link", name="settings", exact=True).click()
    admins.get_by_label("Completion code").fill("C0DE-42")
    admins.get_by_label("Address to go back to").fill("https://service.example/complete")
    admins.get_by_role("button", name="Save Crowd services").click()
    page = open_page(None, f"{link}?PROLIFIC_PID=5f1e&STUDY_ID=s&SESSION_ID=x", viewport=NARROW)
    expect(page).to_have_url(re.compile(f"/c/{slug}/rate/$"))
    rate_as_different(page)
    expect(page.locator("#completion-code")).to_have_text("C0DE-42")
    back = page.get_by_role("link", name="Back to the service")
    assert back.get_attribute("href") == "https://service.example/complete"
    assert violations(page) == []
    [rating] = tomahto.ratings(slug)
    assert rating["rater"].startswith("visitor-")


def code_of(secret: str, *, steps: int = 0) -> str:
    """The code of an authenticator app with this secret, now or after some half minutes."""
    totp = TOTP(b32decode(secret.replace(" ", "")))
    totp.time = time.time() + 30 * steps
    return f"{totp.token():06d}"


def test_second_factor_from_switching_on_to_logging_in(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    page = open_page(admin, "/login/?next=/account/")
    page.get_by_role("link", name="Set up a second factor").click()
    page.get_by_label("Your password").fill(admin.password)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('img.qr').naturalWidth > 100")
    found = violations(page)
    secret = page.locator("#secret").inner_text()
    page.get_by_label("Code").fill(code_of(secret))
    with page.expect_navigation():
        page.keyboard.press("Enter")
    codes = page.locator("#recovery-codes li").all_inner_texts()
    found += violations(page)
    assert len(codes) == 8
    other = open_page(admin, "/login/?next=/account/")
    expect(other.get_by_role("heading", level=1)).to_have_text("Second step")
    found += violations(other)
    # the code of this half minute was used for switching on; the next one is accepted early
    other.get_by_label("Code").fill(code_of(secret, steps=1))
    other.get_by_role("button", name="Log in").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("My account")
    third = open_page(admin, "/login/")
    third.get_by_label("Code").fill(codes[0])
    third.get_by_role("button", name="Log in").click()
    expect(third.get_by_role("heading", level=1)).to_have_text("My campaigns")
    assert found == []
