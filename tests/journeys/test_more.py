"""Asking how many more ratings it takes, in a browser."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import OpenPage, Tomahto

pytestmark = pytest.mark.browser

_SIMULATE = """
from tests.simulated_suggestions import simulate
simulate({slug!r}, items=60)
"""


def test_another_choice_changes_the_figures_without_a_new_page(
    tomahto: Tomahto, open_page: OpenPage
) -> None:
    slug = f"more-{uuid.uuid4().hex[:8]}"
    tomahto.site.python(_SIMULATE.format(slug=slug))
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    page = open_page(admin, f"/login/?next=/c/{slug}/agreement/more/")
    expect(page.get_by_role("heading", name="Krippendorff’s α")).to_be_visible()
    page.evaluate("window.stayed = true")
    page.get_by_label("Quantity").select_option("accuracy/juniper")
    expect(page.get_by_role("heading", name="Accuracy of juniper")).to_be_visible()
    expect(page.get_by_text("This campaign cannot reach the target width")).to_be_visible()
    page.get_by_role("spinbutton", name="Target width").fill("0.5")
    page.get_by_role("spinbutton", name="Target width").press("Tab")
    expect(page.get_by_text("The interval is as narrow as requested.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"quantity=accuracy%2Fjuniper&width=0\.5"))
    assert page.evaluate("window.stayed")
