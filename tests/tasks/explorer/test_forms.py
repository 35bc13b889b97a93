"""The parameters of a page's address: what is wrong is named and left out, the rest is asked."""

import pytest

from tasks.explorer.forms import asked_of_address
from tasks.explorer.queries.asked import Asked
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
    asked, wrong = asked_of_address(member, address)
    assert asked == Asked(q="lake", order="-question")
    assert sorted(wrong) == ["cursor", "label", "limit", "score_min"]


@pytest.mark.django_db
def test_a_blank_address_asks_for_everything() -> None:
    assert asked_of_address(make_member(make_campaign(), "admin"), {"q": "  "}) == (Asked(), {})


def test_what_tells_votes_is_known() -> None:
    silent = (Asked(), Asked(q="x", order="-ratings"), Asked(state="open"), Asked(flagged="any"))
    telling = (
        *(Asked(label="x"), Asked(state="rated"), Asked(order="share"), Asked(score_min=0.0)),
        *(Asked(matcher="f1", order="-score"), Asked(rater="x"), Asked(disputed="yes")),
    )
    assert [each.tells_votes for each in silent] == [False] * 4
    assert [each.tells_votes for each in telling] == [True] * 7
