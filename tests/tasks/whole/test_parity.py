"""Whatever a page shows or does, the API does too, or the page says why it need not."""

from typing import Any

import pytest
from django.utils.translation import gettext_lazy

from tasks.web.addresses import (
    Address,
    Tab,
    TabRow,
    add_call,
    calls,
    page_at,
    pages,
    patterns,
)


def test_every_call_that_a_page_names_is_there() -> None:
    there = {each.name for each in calls()}
    missing = {page.name: set(page.calls) - there for page in pages() if set(page.calls) - there}
    assert not missing


@pytest.mark.parametrize("said", [{}, {"calls": ("api-home",), "no_call": "none"}])
def test_a_page_names_its_calls_or_says_why_there_is_none(said: dict[str, Any]) -> None:
    with pytest.raises(
        ValueError, match="page new: name its calls, or give the reason why there are none"
    ):
        page_at("new/", name="new", **said)


@pytest.mark.parametrize(
    ("row", "place"),
    [(None, "SIDE_BAR"), (TabRow("agreement", pages=("labels",)), "its row of tabs")],
)
def test_a_tab_has_a_place_in_the_side_bar_or_in_its_row(row: TabRow | None, place: str) -> None:
    tab = Tab(gettext_lazy("New"), ("admin",), row)
    with pytest.raises(ValueError, match=f"page new: list it in {place}"):
        page_at("new/", name="new", no_call="-", tab=tab)


def test_no_two_addresses_have_one_name() -> None:
    for known, register in ((pages(), page_at("x/", name="home", no_call="-")),):
        assert "home" in {each.name for each in known}
        with pytest.raises(ValueError, match="two addresses of the name home"):
            register(lambda: None)
    assert "api-claim" in {each.name for each in calls()}
    with pytest.raises(ValueError, match="two addresses of the name api-claim"):
        add_call(Address("x/", "api-claim", lambda: None))


def test_no_address_hides_another() -> None:
    """Every address is found again by what it was made of."""
    for known in (pages(), calls()):
        made = patterns(known)
        for address in known:
            words = {"slug": "a", "int": "1", "str": "b", "path": "c/d"}
            parts = address.pattern.split("/")
            text = "/".join(
                words.get(part[1:].partition(":")[0], "e") if part.startswith("<") else part
                for part in parts
            )
            first = next(pattern for pattern in made if pattern.resolve(text))
            assert first.name == address.name


def test_what_is_called_most_is_looked_for_first() -> None:
    assert {each.name for each in calls()[:2]} == {"api-claim", "api-rating"}
