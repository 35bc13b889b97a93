"""An admin distrusts a rater: the ratings leave the count, another rater gets the places, and all
of it is undone."""

import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser

# whoever has items rates them: ann and ben are right, cat is not
RATE = """
from tasks.models import Membership
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
right, wrong = {{"q1": "no", "q2": "yes"}}, {{"q1": "yes"}}
for name, answers in (("ann", right), ("cat", wrong), ("ben", right)):
    member = Membership.objects.filter(name=f"{{name}}-{slug}").first()
    while member and (claim := claim_item(membership=member)):
        submit_rating(assignment_id=claim.assignment_id, membership=member, answers=answers,
                      idempotency_key=str(claim.assignment_id))
"""


@pytest.fixture
def slug(tomahto: Tomahto) -> str:
    slug = f"aside-{uuid.uuid4().hex[:8]}"
    tomahto.campaign(slug, items=[item(1), item(2)], rater=f"ann-{slug}")
    tomahto.person(f"cat-{slug}", slug)
    tomahto.site.python(RATE.format(slug=slug))
    return slug


def done(page: Page, slug: str) -> str:
    page.goto(f"/c/{slug}/agreement/progress/")
    return page.locator(".tiles .big").first.inner_text()


def test_ratings_are_set_aside_and_brought_back(
    open_page: OpenPage, tomahto: Tomahto, slug: str
) -> None:
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    ben: Person = tomahto.person(f"ben-{slug}", slug)
    rater = open_page(ben, f"/login/?next=/c/{slug}/rate/")
    expect(rater.get_by_role("radio")).to_have_count(0)

    page = open_page(admin, f"/login/?next=/c/{slug}/agreement/raters/")
    before = done(page, slug)
    page.goto(f"/c/{slug}/agreement/raters/")
    page.get_by_role("link", name=f"cat-{slug}").click()
    page.get_by_role("link", name="Set ratings aside").click()
    page.get_by_label("Reason").fill("Answers come every two seconds.")
    found = violations(page)
    page.get_by_role("button", name="See what would happen").click()
    expect(page.get_by_role("status")).to_contain_text("2 ratings would be set aside (2 counted).")
    found += violations(page)
    page.get_by_role("button", name="Set 2 ratings aside").click()
    expect(page.get_by_text("The ratings are set aside. Others get their places.")).to_be_visible()
    found += violations(page)
    assert done(page, slug) != before
    expect(page.get_by_text("2 ratings by 1 rater are set aside and do not count.")).to_be_visible()

    rater.goto(f"/c/{slug}/rate/")
    expect(rater.get_by_role("radio").first).to_be_visible()
    tomahto.site.python(RATE.format(slug=slug))
    assert done(page, slug) == before

    page.get_by_role("link", name="Show why").click()
    expect(page.get_by_text("Others have rated 2 of these items since")).to_be_visible()
    page.get_by_role("button", name="Count these ratings again").click()
    expect(page.get_by_text("The ratings count again.")).to_be_visible()
    page.goto(f"/c/{slug}/agreement/progress/")
    expect(page.get_by_text("are set aside and do not count")).to_have_count(0)
    assert len(tomahto.ratings(slug)) == 6
    assert found == []
