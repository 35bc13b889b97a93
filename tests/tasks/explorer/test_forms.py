"""The parameters of a page's address: what is wrong is named and left out, the rest is asked."""

import pytest

from tasks.explorer.forms import listing_of_address
from tasks.explorer.queries.listing import ItemListing
from tests.factories import make_campaign, make_member


@pytest.mark.django_db
def test_what_is_wrong_in_an_address_is_named_and_left_out() -> None:
    member = make_member(make_campaign(), "admin")
    address = {
        "q": " lake ",
        "label": "nothing",
        "system": "",
        "limit": "many",
        "score_min": "0.5",
        "order": "-question",
        "cursor": "x",
        "columns": "id",
    }
    listing, wrong = listing_of_address(member, address)
    assert listing == ItemListing(q="lake", order="-question")
    assert sorted(wrong) == ["cursor", "label", "limit", "score_min"]


@pytest.mark.django_db
def test_a_blank_address_asks_for_everything() -> None:
    assert listing_of_address(make_member(make_campaign(), "admin"), {"q": "  "}) == (
        ItemListing(),
        {},
    )


def test_what_tells_votes_is_known() -> None:
    silent = (
        ItemListing(),
        ItemListing(q="x", order="-ratings"),
        ItemListing(state="open"),
        ItemListing(flagged="any"),
    )
    telling = (
        *(
            ItemListing(label="x"),
            ItemListing(state="rated"),
            ItemListing(order="share"),
            ItemListing(score_min=0.0),
        ),
        *(
            ItemListing(matcher="f1", order="-score"),
            ItemListing(rater="x"),
            ItemListing(disputed="yes"),
        ),
    )
    assert [each.tells_votes for each in silent] == [False] * 4
    assert [each.tells_votes for each in telling] == [True] * 7
