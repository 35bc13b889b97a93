"""A session that ends while one rates: nothing typed is lost, and after signing in again in another
tab every act of the page works. And what is said where the server or the network fails."""

import re
import uuid
from http import HTTPStatus

import pytest
from playwright.sync_api import Page, Route, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, sign_in, violations

pytestmark = pytest.mark.browser

OUT = "You have been signed out."
BACK = "You are signed in again."
SHOWN_AGAIN = "dispatchEvent(new Event('focus'))"  # tabs of a browser without windows never lose it


@pytest.fixture
def slug() -> str:
    return f"weirs-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def rater(tomahto: Tomahto, slug: str) -> Person:
    items = [item(number) for number in range(1, 4)]
    return tomahto.campaign(slug, items=items, rater=f"pine-{slug}")


def end_sessions(tomahto: Tomahto) -> None:
    tomahto.site.python(
        "from django.contrib.sessions.models import Session\nSession.objects.all().delete()"
    )


def sign_in_again(page: Page, person: Person) -> None:
    """By the link in the page's message, in the tab that it opens."""
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in again").first.click()
    tab = opened.value
    sign_in(tab, person)
    expect(tab.get_by_text("Close this tab and continue where you left off.")).to_be_visible()
    tab.close()
    # until then Enter would follow the link again, which has the focus
    expect(page.get_by_role("link", name="Sign in again")).to_have_count(0)


def trouble(page: Page, words: str) -> None:
    expect(page.locator(".trouble:visible").first).to_contain_text(words)


def question(page: Page) -> str:
    return page.locator("#item-question").inner_text()


def test_everything_on_the_page_works_after_signing_in_in_another_tab(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    end_sessions(tomahto)
    page.keyboard.press("n")
    page.keyboard.press("c")
    page.keyboard.type("half a thought")
    page.keyboard.press("Escape")
    expect(page.locator(".saved")).to_have_text("Draft not saved")
    trouble(page, OUT)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    trouble(page, OUT)
    sign_in_again(page, rater)
    # the other tab has told this one, which has not been touched since
    trouble(page, BACK)
    expect(page.locator(".saved")).to_have_text("Draft saved")
    first = question(page)
    page.keyboard.press("Enter")
    expect(page.locator("#stored")).to_contain_text("Stored: Equivalent")
    assert question(page) != first
    [stored] = tomahto.ratings(slug)
    assert (stored["answers"], stored["comment"]) == ({"q1": "no", "q2": "yes"}, "half a thought")


def test_what_is_on_its_way_when_the_session_ends_comes_after_it(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    """The item that follows, asked for as soon as an item has come, and the way on from a
    suggestion."""
    tomahto.site.python(
        "from tasks.models import Campaign, Suggestion\n"
        "from tasks.campaigns.workflow.campaign import change_settings\n"
        f"campaign = Campaign.objects.get(slug={slug!r})\n"
        "change_settings(campaign=campaign, changes=dict(suggestions='after'))\n"
        "Suggestion.objects.bulk_create(Suggestion(item=item, matcher='feather', version='1',"
        " score=0.8125, is_correct=True) for item in campaign.items.all())"
    )
    page = open_page(rater)
    waiting: list[Route] = []
    page.route(re.compile("/following/$"), lambda route: waiting.append(route), times=1)
    page.goto(f"/c/{slug}/rate/")
    first = question(page)
    end_sessions(tomahto)
    with page.expect_response(re.compile("/following/$")) as following:
        waiting.pop().continue_()
    assert following.value.status == HTTPStatus.UNAUTHORIZED
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    trouble(page, OUT)
    with page.expect_response(re.compile("/following/$")) as following:
        sign_in_again(page, rater)
    assert following.value.status == HTTPStatus.OK
    page.keyboard.press("Enter")
    expect(page.locator("#go-on")).to_be_visible()
    end_sessions(tomahto)
    page.keyboard.press("Enter")
    trouble(page, OUT)
    sign_in_again(page, rater)
    page.keyboard.press("Enter")
    expect(page.locator("#item-question")).not_to_have_text(first)
    expect(page.locator("#announcement")).to_have_text("Rating stored. Next item.")


def test_visitor_of_a_crowd_service_comes_back_by_the_link(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    secret = tomahto.site.python(
        "from tasks.models import Campaign\n"
        "from tasks.people.workflow.invitations import invite\n"
        f"print(invite(campaign=Campaign.objects.get(slug={slug!r}), kind='crowd')[1])"
    ).strip()
    page = open_page(None, f"/crowd/{secret}/?participant=5f1e")
    end_sessions(tomahto)
    page.keyboard.press("n")
    trouble(page, "open the link that brought you here again, in a new tab")
    page.context.new_page().goto(f"/crowd/{secret}/?participant=5f1e")
    page.evaluate(SHOWN_AGAIN)
    trouble(page, BACK)
    expect(page.locator(".saved")).to_have_text("Draft saved")


@pytest.mark.parametrize("panel", ["flag", "skip"])
def test_flag_and_skip_keep_the_reason_and_work_afterwards(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person, panel: str
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    first = question(page)
    page.locator(f"details.{panel} summary").click()
    form = page.locator(f"details.{panel} form.own-reason")
    reason, button = form.locator("input[name=reason]"), form.get_by_role("button")

    def fails(words: str) -> None:
        reason.fill("The passage stops short.")
        button.click()
        expect(form.locator(".trouble")).to_contain_text(words)
        expect(reason).to_have_value("The passage stops short.")

    page.context.set_offline(True)
    fails("The server could not be reached.")
    page.context.set_offline(False)
    end_sessions(tomahto)
    fails(OUT)
    sign_in_again(page, rater)
    expect(form.locator(".trouble")).to_contain_text(BACK)
    button.click()
    if panel == "flag":
        expect(page.locator("#announcement")).to_contain_text("Flagged.")
    else:
        expect(page.locator("#item-question")).not_to_have_text(first)
        expect(page.locator("#rate .trouble")).to_be_empty()


def test_other_tab_logs_out_and_in_without_a_word_to_this_one(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    tab = page.context.new_page()
    tab.goto("/")
    tab.locator("details.menu summary").click()
    tab.get_by_role("button", name="Log out").click()
    page.keyboard.press("n")
    trouble(page, OUT)
    sign_in(tab, rater)
    page.evaluate(SHOWN_AGAIN)
    trouble(page, BACK)
    expect(page.locator(".saved")).to_have_text("Draft saved")
    page.reload()
    expect(page.locator("input[name=asked]")).to_have_value("q2")


def test_plain_form_is_sent_after_a_new_login_of_the_same_person_alone(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    first, second = (tomahto.person(f"{name}-{slug}", slug, "admin") for name in ("oak", "fir"))
    page = open_page(first, f"/c/{slug}/settings/members/")
    sign_in_elsewhere(page, first)
    page.get_by_role("button", name="Make link").first.click()
    links = page.locator("section[aria-labelledby=link-title]")
    expect(links).to_be_visible()
    sign_in_elsewhere(page, second)
    page.get_by_role("button", name="Make link").first.click()
    expect(page.get_by_role("heading", name="This form has expired")).to_be_visible()
    page.goto(f"/c/{slug}/settings/members/")
    expect(page.get_by_role("region", name="Invitation links").locator("tbody tr")).to_have_count(1)


def sign_in_elsewhere(page: Page, person: Person) -> None:
    page.context.clear_cookies(name="sessionid")
    tab = page.context.new_page()
    tab.goto("/login/")
    sign_in(tab, person)
    tab.close()


def test_another_person_who_signs_in_gets_nothing_of_the_first(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    other = tomahto.person(f"elm-{slug}", slug)
    sign_in_elsewhere(page, other)
    page.keyboard.press("n")
    trouble(page, "Somebody else is signed in now.")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    trouble(page, f"sign in as {rater.username} in a new tab")
    page.locator("details.flag summary").click()
    page.get_by_label("What is wrong with it?").fill("The passage stops short.")
    page.get_by_role("button", name="Flag", exact=True).click()
    expect(page.locator(".flag .trouble")).to_contain_text("Somebody else is signed in now.")
    printed = tomahto.site.python(
        "from tasks.models import Draft, Flag, Rating\n"
        f"asked = {{'rater__campaign__slug': {slug!r}}}\n"
        "print(Flag.objects.filter(**asked).count(), Rating.objects.filter(**asked).count(),"
        f" Draft.objects.filter(assignment__rater__campaign__slug={slug!r}).count())"
    )
    assert printed.strip() == "0 0 0"
    with page.context.expect_page() as opened:
        page.get_by_role("link", name=f"Sign in as {rater.username}").first.click()
    opened.value.get_by_role("button", name="Sign in as somebody else").click()
    sign_in(opened.value, rater)
    trouble(page, BACK)
    expect(page.locator(".flag .trouble")).to_contain_text(BACK)
    page.get_by_role("button", name="Flag", exact=True).click()
    expect(page.locator("#announcement")).to_contain_text("Flagged.")
    page.keyboard.press("Enter")
    expect(page.locator("#stored")).to_contain_text("Stored: Equivalent")
    assert [rating["rater"] for rating in tomahto.ratings(slug)] == [rater.username]


def test_a_lost_token_is_fetched_without_a_word(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")

    def lose() -> None:
        page.context.clear_cookies(name="csrftoken")

    lose()
    page.keyboard.press("n")
    expect(page.locator(".saved")).to_have_text("Draft saved")
    lose()
    page.locator("details.flag summary").click()
    page.get_by_label("What is wrong with it?").fill("The passage stops short.")
    page.get_by_role("button", name="Flag", exact=True).click()
    expect(page.locator("#announcement")).to_contain_text("Flagged.")
    lose()
    first = question(page)
    page.locator("details.skip summary").click()
    page.get_by_role("button", name="The text is broken").click()
    expect(page.locator("#item-question")).not_to_have_text(first)
    lose()
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator("#stored")).to_contain_text("Stored: Not equivalent")


def test_cut_network_is_called_so_and_a_failing_server_is_not(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    saved = page.locator(".saved")
    page.context.set_offline(True)
    page.keyboard.press("y")
    expect(saved).to_contain_text("Offline")
    page.keyboard.press("Enter")
    trouble(page, "The server could not be reached. Nothing is lost")
    page.context.set_offline(False)
    expect(saved).to_have_text("Draft saved")
    address = re.compile(r"/rate/\d+/(draft/)?$")
    page.route(address, lambda route: route.fulfill(status=503, body="maintenance"))
    page.keyboard.press("n")
    expect(saved).to_have_text("The server did not save the draft. The next attempt is automatic.")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    trouble(page, "The server could not process this just now.")
    page.unroute(address)
    expect(saved).to_have_text("Draft saved")
    page.route(address, lambda route: route.fulfill(status=400, body=""), times=1)
    page.keyboard.press("Enter")
    trouble(page, "The server refused this. Nothing is lost")
    page.reload()
    page.keyboard.press("Enter")
    expect(page.locator("#stored")).to_contain_text("Stored: Equivalent")


def test_what_cannot_be_saved_is_not_left_without_a_question(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    end_sessions(tomahto)
    page.keyboard.press("n")
    expect(page.locator(".saved")).to_have_text("Draft not saved")
    with page.expect_event("dialog") as asked:
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.evaluate("setTimeout(() => location.reload())")
    assert asked.value.type == "beforeunload"
    sign_in_again(page, rater)
    expect(page.locator(".saved")).to_have_text("Draft saved")
    expect(page.locator("input[name=asked]")).to_have_value("q2")


def test_reload_leads_by_the_login_back_to_the_item_and_its_draft(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("n")
    page.keyboard.press("c")
    page.keyboard.type("half a thought")
    expect(page.locator(".saved")).to_have_text("Draft saved")
    end_sessions(tomahto)
    before = question(page)
    page.reload()
    sign_in(page, rater)
    assert question(page) == before
    expect(page.locator("input[name=asked]")).to_have_value("q2")
    page.keyboard.press("c")
    expect(page.get_by_role("textbox", name="Comment")).to_have_value("half a thought")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_message_violates_nothing_and_fits_a_phone(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person, theme: str
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", color_scheme=theme, viewport=NARROW)
    end_sessions(tomahto)
    page.keyboard.press("n")
    trouble(page, OUT)
    page.locator("details.flag summary").click()
    page.get_by_label("What is wrong with it?").fill("The passage stops short.")
    page.get_by_role("button", name="Flag", exact=True).click()
    expect(page.locator(".flag .trouble")).to_contain_text(OUT)
    found = violations(page)
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    sign_in_again(page, rater)
    trouble(page, BACK)
    assert found + violations(page) == []
    assert width <= 0
