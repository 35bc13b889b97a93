"""An item is found by its text at once among as many items as a large campaign has."""

import time

import pytest

from tasks.explorer.workflow.refreshing import refresh_all
from tasks.models import Membership
from tests.factories import make_campaign, make_member
from tests.stored_at_once import store_items
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import item_row

pytestmark = pytest.mark.slow

ITEMS = 20_000
LIMIT = 0.5  # seconds of processor time


@pytest.fixture
def admin(db: None) -> Membership:
    campaign = make_campaign("large", overlap=3)
    rows = [item_row(number, context=f"Passage {number}. " * 20) for number in range(ITEMS)]
    store_items(campaign=campaign, rows=rows)
    refresh_all(campaign=campaign)
    return make_member(campaign, "admin")


def test_item_is_found_by_its_text_in_half_a_second(admin: Membership) -> None:
    browser, took = signed_in(admin), {}
    browser.get("/c/large/items/")  # the first page of a process compiles its templates
    for place in ("/c/large/items/", "/api/v1/campaigns/large/items"):
        for words in ("passage", "passage 12345", '"candidate 12345"'):
            begun = time.process_time()
            response = browser.get(place, {"q": words})
            took[place, words] = time.process_time() - begun
            assert "Question 12345?" in response.content.decode() or words == "passage"
    assert max(took.values()) < LIMIT, took
