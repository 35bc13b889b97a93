"""The page of one item: what is said of it, from whom that is withheld, what it costs."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.adjudication.workflow import (
    FirstLookRefused,
    asks_for_first_look,
    store_first_look,
)
from tasks.models import Assignment, Campaign, Item, Membership, Slot, Suggestion
from tasks.rating.workflow.assignment import claim_item
from tasks.votes.ratings import counted_ratings
from tests.factories import make_member
from tests.simulations import simulate, store
from tests.tasks.browsers import signed_in, words_of

pytestmark = pytest.mark.slow


COST = [26, 39]
"""Statements of the page by itself, and within a list of its neighbours."""


@pytest.fixture
def blind(db: None) -> Campaign:
    """Sixty items of three raters each, on which first looks are blind."""
    return store(simulate(2, raters=5, items=60), "blind")


def test_item_page_shows_votes_comments_and_suggestions(blind: Campaign) -> None:
    Campaign.objects.update(adjudicates_blind=False)
    item = Item.objects.filter(campaign=blind, purpose="live").earliest("pk")
    Suggestion.objects.create(item=item, matcher="em", version="0", score=0.5, is_correct=True)
    Suggestion.objects.create(item=item, matcher="em", version="1", score=0.25, is_correct=False)
    researcher = make_member(blind, "researcher")
    told = words_of(researcher, f"items/{item.pk}/")
    for rating in counted_ratings(blind).filter(item=item).select_related("rater"):
        assert rating.rater.pseudonym in told
    assert "Suggestion of em : not acceptable, score 0.25" in told
    assert "score 0.50" not in told
    response = signed_in(researcher).get(f"/c/blind/items/{item.pk}/")
    assert re.findall(r'aria-current="page">(\w+)<', response.content.decode()) == ["Data"]
    control = Item.objects.filter(campaign=blind, purpose="control").earliest("pk")
    assert re.search(r"Expected answer \S+ Correct", words_of(researcher, f"items/{control.pk}/"))


def test_item_page_hides_the_votes_from_whoever_is_rating_the_item(campaign: Campaign) -> None:
    first, admin = make_member(campaign), make_member(campaign, "admin")
    Campaign.objects.update(adjudicates_blind=False)
    claim = claim_item(membership=admin)
    assert claim is not None
    item = Assignment.objects.get(pk=claim.assignment_id).item
    Suggestion.objects.create(item=item, matcher="em", version="1", score=0.25, is_correct=False)
    told = words_of(admin, f"items/{item.pk}/")
    assert "You are rating this item" in told
    assert "Suggestion of" not in told
    signed_in(admin).post(f"/c/rivers/items/{item.pk}/")
    assert "Suggestion of" not in words_of(admin, f"items/{item.pk}/")
    Membership.objects.filter(pk=first.pk).update(role="researcher")
    assert "Show the votes" in words_of(first, f"items/{item.pk}/")
    Slot.objects.filter(item=item).update(is_filled=True)
    assert "Suggestion of" in words_of(first, f"items/{item.pk}/")


def test_item_page_shows_votes_to_a_blind_adjudicator_when_asked_to(blind: Campaign) -> None:
    researcher, other = make_member(blind, "researcher"), make_member(blind, "admin")
    item = Item.objects.filter(campaign=blind).earliest("pk")
    rater = counted_ratings(blind).filter(item=item).earliest("pk").rater.pseudonym
    address = f"/c/blind/items/{item.pk}/"
    assert asks_for_first_look(item=item, adjudicator=researcher)
    told = words_of(researcher, f"items/{item.pk}/")
    assert "Judge it first" in told
    assert rater not in told
    for _again in range(2):
        response = signed_in(researcher).post(address)
        assert (response.status_code, response["Location"]) == (303, address)
    assert rater in words_of(researcher, f"items/{item.pk}/")
    assert rater not in words_of(other, f"items/{item.pk}/")
    assert not asks_for_first_look(item=item, adjudicator=researcher)
    with pytest.raises(FirstLookRefused, match="would not be blind"):
        store_first_look(item=item, adjudicator=researcher, answers={"label": "correct"})


def test_blind_pages_read_no_votes_from_the_database(blind: Campaign) -> None:
    browser = signed_in(make_member(blind, "researcher"))
    item = Item.objects.filter(campaign=blind).earliest("pk")
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(f"/c/blind/items/{item.pk}/").status_code == 200
    read = [each["sql"] for each in queries if "tasks_rating" in each["sql"]]
    assert all("LIMIT 1" in statement for statement in read)  # whether it was rated by oneself


@pytest.mark.parametrize("items", [40, pytest.param(1600, marks=pytest.mark.thorough)])
def test_page_takes_the_same_statements_in_every_campaign(db: None, items: int) -> None:
    campaign = store(simulate(2, items=items, controls=3), "sized")
    Campaign.objects.update(adjudicates_blind=False)
    browser = signed_in(make_member(campaign, "researcher"))
    item = Item.objects.filter(campaign=campaign).earliest("pk")
    browser.get("/c/sized/items/")  # brings summaries up to date
    costs = []
    for query in ("", "?label=correct&order=number"):
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(f"/c/sized/items/{item.pk}/{query}").status_code == 200
        costs.append(len(queries))
    assert costs == COST
