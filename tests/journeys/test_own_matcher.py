"""The loop closes in the browser: a matcher is trained on the campaign's own labels, its curve is
looked at, its suggestions are used, and the raters' next items are the most uncertain ones."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage, Person, Tomahto
from tests.site import running_site

pytestmark = pytest.mark.browser

SLUG = "own-lakes"
JOB_MILLISECONDS = 120_000
STEP = 1e-5  # scores closer to each other than this come in a random order
_MAKE = f"""
import json
from tests.factories import make_campaign, make_item, make_labelled_items
campaign = make_campaign({SLUG!r}, overlap=1)
make_labelled_items(campaign)
for candidate in ("77 metres, nobody knows", "in the hills", "about 30 metres", "30"):
    make_item(campaign, candidate=candidate, references=("30 metres",))
"""
_UNRATED = f"""
import json
from tasks.models import Slot, Suggestion
from tasks.models import Campaign
found = Suggestion.objects.filter(
    item__campaign__slug={SLUG!r}, matcher="feather@{SLUG}", item__slots__is_filled=False
)
print(json.dumps([
    Campaign.objects.get(slug={SLUG!r}).suggestion_matcher,
    [[abs(one.score - 0.5), one.item.question.text] for one in found],
]))
"""


@pytest.fixture(scope="module")
def tomahto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tomahto]:
    """A site of its own: its worker would take the jobs that other journeys leave waiting."""
    with running_site(tmp_path_factory.mktemp("site")) as site:
        site.start_worker()
        yield Tomahto(site)


def await_job(page: Page) -> None:
    """A worker does it while the page asks how far it is."""
    expect(page.get_by_role("status")).to_have_text("Done", timeout=JOB_MILLISECONDS)


def press(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


def train(page: Page) -> None:
    page.get_by_label("Kind").select_option("feather")
    press(page, "Train")
    await_job(page)
    page.get_by_role("link", name="Open the learning curve").click()


def look_at_the_curve(page: Page) -> None:
    expect(page.get_by_role("heading", name=f"feather@{SLUG}")).to_be_visible()
    expect(page.get_by_text("Trained on 60 labels (40 correct) of 12 documents")).to_be_visible()
    rows = page.get_by_role("region", name=f"Accuracy of feather@{SLUG}").get_by_role("row")
    # 12 documents of 5 labels: the fold of 3 leaves 45
    expect(rows).to_contain_text(["feather of this site", "25", "45"])
    expect(page.locator("figure.chart svg")).to_be_visible()
    accuracy = rows.nth(2).get_by_role("cell").first
    expect(accuracy).to_have_text(re.compile(r"^\s*\d+(\.\d+)? %\s*$"))


def choose_the_order(page: Page) -> None:
    page.goto(f"/c/{SLUG}/settings/")
    page.get_by_label("Order of items").select_option("uncertain")
    press(page, "Save Order")


def next_questions(page: Page, number: int) -> list[str]:
    """The questions in the order in which a rater meets them."""
    title = page.get_by_role("heading", level=1)
    questions = []
    for _item in range(number):
        questions.append(title.inner_text())
        page.locator("fieldset.asked label:has(input[value=yes])").click()
        page.get_by_role("button", name="Submit").click()
        expect(title).not_to_have_text(questions[-1])
    return questions


def test_a_matcher_is_trained_looked_at_and_used(tomahto: Tomahto, open_page: OpenPage) -> None:
    tomahto.site.python(_MAKE)
    admin: Person = tomahto.person(f"fir-{SLUG}", SLUG, "admin")
    page = open_page(admin, f"/c/{SLUG}/matchers/")
    # the first page that offers matchers imports the packages they come from
    page.set_default_navigation_timeout(60_000)
    train(page)
    look_at_the_curve(page)
    choose_the_order(page)
    page.goto(f"/c/{SLUG}/matchers/")
    press(page, f"Use for suggestions feather@{SLUG}")
    await_job(page)
    matcher, unrated = json.loads(tomahto.site.python(_UNRATED))
    assert (matcher, len(unrated)) == (f"feather@{SLUG}", 4)
    rater = tomahto.person(f"ash-{SLUG}", SLUG)
    rating = open_page(rater, f"/c/{SLUG}/rate/")
    distances = {question: distance for distance, question in unrated}
    met = [distances[question] for question in next_questions(rating, 3)]
    assert met == pytest.approx(sorted(distances.values())[:3], abs=STEP)
