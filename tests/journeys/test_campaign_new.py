"""A new campaign of every protocol, and its form, which can be tried before."""

import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, sideways, violations
from tests.journeys.hands import KEYS

pytestmark = pytest.mark.browser

# the protocol's title, answers in its form, and the label that they mean
FORMS = {
    "ae": ("Answer equivalence", [("q1", "no"), ("q2", "no"), ("q3", "yes"), ("q4", "no")]),
    "cap": ("Correctness in eight classes", [("label", "partial")]),
    "rules": ("Correctness and its rules", [("label", "correct"), ("rules", "semantic")]),
    "statement": ("Statement validation", [("label", "syntactic")]),
}
LABELS = {
    "ae": "Not equivalent",
    "cap": "Partial",
    "rules": "Correct",
    "statement": "Syntactic error",
}


@pytest.fixture(scope="module")
def operator(tomahto: Tomahto) -> Person:
    person = Person(f"elm-{uuid.uuid4().hex[:8]}", "a password of the tests")
    tomahto.site.python(
        "from tasks.models import User\n"
        f"User.objects.create_user({person.username!r}, password={person.password!r},"
        " is_staff=True)"
    )
    return person


def choose(page: Page, title: str) -> None:
    page.get_by_role("radio", name=title).check()
    expect(page.get_by_role("heading", level=2)).to_contain_text(title)


@pytest.mark.parametrize("name", FORMS)
def test_a_campaign_is_started_once_its_form_was_tried(
    open_page: OpenPage, operator: Person, name: str
) -> None:
    title, answers = FORMS[name]
    page = open_page(operator, "/campaigns/new/")
    choose(page, title)
    trial = page.get_by_role("form", name="Your judgement")
    for question, value in answers:
        asked = trial.locator("fieldset.asked")
        expect(asked).to_have_attribute("data-question", question)
        asked.locator(f"label:has(input[value={value}])").click()
    trial.get_by_role("button", name="Submit").click()
    expect(trial.get_by_role("status")).to_have_text(f"These answers mean {LABELS[name]}.")
    campaign = f"Élan {name} {uuid.uuid4().hex[:6]}"
    page.get_by_label("Title").press_sequentially(campaign)
    slug = campaign.lower().replace("é", "e").replace(" ", "-")
    expect(page.get_by_label("Short name")).to_have_value(slug)
    page.get_by_role("button", name="Create campaign").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(campaign)
    assert page.url.endswith(f"/c/{slug}/")
    go_from_step_to_step(page)


def go_from_step_to_step(page: Page) -> None:
    """From the overview of an empty campaign to its first rating, by what its pages say."""
    page.get_by_role("link", name="Adapt the guidelines").click()
    expect(page.get_by_label("Guidelines, in Markdown")).to_be_in_viewport()
    page.go_back()
    page.get_by_role("link", name="Import questions or items").click()
    items = page.get_by_role("region", name="Items", exact=True)
    items.get_by_text("An example").click()
    example = items.locator("pre").inner_text()
    file = {"name": "items.csv", "mimeType": "text/csv", "buffer": example.encode()}
    items.get_by_label("File").set_input_files(file)  # type: ignore[arg-type]  # a FilePayload
    items.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Show the next steps").click()
    page.get_by_role("link", name="Invite raters").click()
    expect(page.locator("#invitations")).to_be_in_viewport()
    page.get_by_role("link", name="Rate", exact=True).click()
    expect(page.get_by_role("form", name="Your judgement")).to_be_visible()
    assert page.locator("#item-question").inner_text() in example


def test_the_form_is_answered_by_keyboard_and_again_after_another_protocol(
    open_page: OpenPage, operator: Person
) -> None:
    page = open_page(operator, "/campaigns/new/")
    choose(page, "Correctness in eight classes")
    choose(page, "Answer equivalence")
    page.get_by_role("heading", level=2).click()
    for value in ("no", "yes"):
        page.keyboard.press(KEYS[value])
    page.keyboard.press("b")
    expect(page.locator("fieldset.asked")).to_have_attribute("data-question", "q1")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("These answers mean Not equivalent.")
    # keys that are typed into a field answer nothing
    page.get_by_label("Title").press_sequentially("nnn")
    expect(page.get_by_role("status")).to_have_text("These answers mean Not equivalent.")


def test_the_short_name_follows_the_title_until_it_is_edited(
    open_page: OpenPage, operator: Person
) -> None:
    page = open_page(operator, "/campaigns/new/")
    title, slug = page.get_by_label("Title"), page.get_by_label("Short name")
    title.fill("Größe & Güte,  2. Teil")
    expect(slug).to_have_value("groe-gute-2-teil")
    title.fill("湖")
    expect(slug).to_have_value("")
    slug.fill("lakes-2")
    title.fill("Lakes again")
    expect(slug).to_have_value("lakes-2")
    slug.fill("")
    title.press_sequentially("!")
    expect(slug).to_have_value("lakes-again")


def test_a_short_name_that_is_taken_gets_a_number(open_page: OpenPage, operator: Person) -> None:
    title = f"Twins {uuid.uuid4().hex[:6]}"
    slug = title.lower().replace(" ", "-")
    page = open_page(operator)
    for expected in (slug, f"{slug}-2"):
        page.goto("/campaigns/new/")
        page.get_by_label("Title").fill(title)
        expect(page.get_by_label("Short name")).to_have_value(slug)
        page.get_by_role("button", name="Create campaign").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        assert page.url.endswith(f"/c/{expected}/")


def test_a_campaign_is_started_without_scripts_on_a_phone(
    open_page: OpenPage, operator: Person
) -> None:
    page = open_page(operator, "/campaigns/new/", java_script_enabled=False, viewport=NARROW)
    page.get_by_role("link", name="Correctness and its rules").click()
    trial = page.get_by_role("form", name="Your judgement")
    for value in ("correct", "semantic"):
        trial.locator(f"fieldset.asked label:has(input[value={value}])").click()
        trial.locator(".go .primary").click()
    expect(trial.get_by_role("status")).to_have_text("These answers mean Correct.")
    page.get_by_label("Title").fill(f"湖 {uuid.uuid4().hex[:8]}")
    page.get_by_role("radio", name="Correctness and its rules").check()
    page.get_by_role("button", name="Create campaign").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("湖")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_fits_a_phone(open_page: OpenPage, operator: Person, theme: str) -> None:
    page = open_page(operator, "/campaigns/new/", viewport=NARROW, color_scheme=theme)
    assert (violations(page), sideways(page)) == ([], 0)
    page.goto("/campaigns/new/?protocol=cap")
    assert (violations(page), sideways(page)) == ([], 0)
