"""A campaign is copied, archived, reopened, deleted and restored by its admin."""

import re
import uuid
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import OpenPage, Tomahto, item, violations
from tests.site import running_site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def tomahto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tomahto]:
    """A site of its own: its worker would take the jobs that other journeys leave waiting."""
    with running_site(tmp_path_factory.mktemp("site")) as site:
        site.start_worker()
        yield Tomahto(site)


def test_the_lives_of_a_campaign(tomahto: Tomahto, open_page: OpenPage) -> None:
    slug = f"lives-{uuid.uuid4().hex[:8]}"
    rater = tomahto.campaign(slug, items=[item(1), item(2)], rater=f"pine-{slug}")
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    tomahto.site.python(
        f"from tasks.models import User\nUser.objects.filter(username={admin.username!r})"
        ".update(is_staff=True)"
    )
    page = open_page(admin, f"/login/?next=/c/{slug}/settings/")
    page.get_by_role("link", name="Copy the campaign …").click()
    found = violations(page)
    page.get_by_label("Title").fill(f"Second round {slug}")
    page.get_by_label("Data to copy").select_option("items")
    page.get_by_role("button", name="Create the copy").click()
    expect(page.get_by_role("status").first).to_contain_text(
        f"“Second round {slug}” is a copy of “{slug}”."
    )
    page.wait_for_url(f"**/c/second-round-{slug}/", timeout=60_000)
    expect(page.get_by_text("The campaign is paused, with 0 of")).to_be_visible()

    page.goto(f"/c/{slug}/settings/")
    stale = page.context.new_page()
    stale.goto(f"/c/{slug}/settings/")
    page.get_by_role("button", name="Archive the campaign").click()
    expect(page.get_by_role("note")).to_contain_text("This campaign is archived and read-only.")
    found += violations(page)
    rating = open_page(rater, f"/login/?next=/c/{slug}/rate/")
    expect(rating.get_by_role("heading", level=1)).to_have_text("This campaign is archived")
    stale.get_by_role("button", name="Save General").click()
    expect(stale.get_by_role("heading", level=1)).to_have_text("This campaign is archived")
    found += violations(stale)
    page.goto(f"/c/{slug}/settings/")
    expect(page.get_by_label("Title", exact=True)).to_have_count(0)
    found += violations(page)
    page.goto("/")
    page.get_by_text("1 archived campaign").click()
    page.get_by_role("link", name=slug, exact=True).click()
    page.get_by_role("link", name="Reopen it in the settings").click()
    page.get_by_role("button", name="Reopen the campaign").click()
    expect(page.get_by_role("status")).to_contain_text("is reopened but paused")

    page.get_by_role("link", name="Delete the campaign …").click()
    found += violations(page)
    page.get_by_label("Short name of the campaign").fill("something-else")
    page.get_by_role("button", name="Delete the campaign").click()
    expect(page.get_by_text("This is not the short name of the campaign.")).to_be_visible()
    page.get_by_label("Short name of the campaign").fill(slug)
    page.get_by_role("button", name="Delete the campaign").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Deleted campaigns")
    found += violations(page)
    rating.goto("/")
    expect(rating.get_by_text(slug, exact=True)).to_have_count(0)
    page.get_by_role("button", name=re.compile(f"Restore.*{slug}")).click()
    expect(page.get_by_role("status")).to_contain_text(f"“{slug}” is restored.")
    expect(page.get_by_role("note")).to_contain_text("This campaign is archived and read-only.")
    assert found == []
