"""Filters, orders and pages of the explorer, and that none of them gives votes away."""

from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.adjudication.workflow import adjudicate
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.explorer.queries.found import Count, count, page_of_items
from tasks.explorer.queries.listing import ORDERS, Cursor, ItemListing, NoSuchCursor
from tasks.explorer.queries.rows import Score, Vote
from tasks.explorer.workflow.refreshing import refresh_all, refresh_before_reading
from tasks.models import (
    Campaign,
    Item,
    ItemPurpose,
    Membership,
    Suggestion,
)
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.records import raise_flag, settle_flag
from tasks.votes.workflow import show_votes
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.explorer.steps import DIFFERENT, EQUIVALENT, asking, found, of, rate

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def lakes() -> Campaign:
    """Five items: two with two equal votes, one disputed, one with one vote, one without any; a
    control item; scores of f1 for the first three."""
    campaign = make_campaign("lakes", overlap=2)
    campaign.item_order = "oldest"
    campaign.save()
    for number, (system, kind, split) in enumerate(
        [
            ("juniper", "how", "train"),
            ("larch", "how", "dev"),
            ("juniper", "why", "dev"),
            ("larch", "", ""),
            ("juniper", "", ""),
        ]
    ):
        make_item(
            campaign,
            id=f"i{number}",
            document=f"d{number // 2}",
            question=f"{'edcba'[number]} lake",
            candidate=f"{'cadbe'[number]} deep",
            systems=(system,),
            question_type=kind,
            split=split,
        )
    ann, ben = make_member(campaign, username="ann"), make_member(campaign, username="ben")
    for version, rater, answers in (
        (2, ann, (EQUIVALENT, DIFFERENT, EQUIVALENT, DIFFERENT)),
        (3, ben, (EQUIVALENT, DIFFERENT, DIFFERENT)),
    ):
        publish_guideline(campaign=campaign, text=f"Rules {version}")
        for each in answers:
            rate(rater, each)
    make_item(campaign, id="control", question="zz", candidate="zz", document="d9")
    Item.objects.filter(key="control").update(purpose=ItemPurpose.CONTROL)
    for key, score in (("i0", 0.9), ("i1", 0.8), ("i2", 0.2)):
        item = campaign.items.get(key=key)
        Suggestion.objects.create(
            item=item, matcher="f1", version="1", score=score, is_correct=score > 0.5
        )
    return campaign


def pseudonym(name: str) -> str:
    return Membership.objects.get(user__username=name).pseudonym


@pytest.mark.parametrize(
    ("asked", "keys"),
    [
        ({}, ["i0", "i1", "i2", "i3", "i4", "control"]),
        ({"label": "equivalent"}, ["i0"]),
        ({"label": "not-equivalent"}, ["i1", "i3"]),
        ({"vote": "not-equivalent"}, ["i1", "i2", "i3"]),
        ({"vote": "no label"}, []),
        ({"vote": "equivalent", "other_vote": "not-equivalent"}, ["i2"]),
        ({"other_vote": "not-equivalent"}, ["i1", "i2", "i3"]),
        ({"vote": "equivalent", "other_vote": "no label"}, []),
        ({"rater": "ann"}, ["i0", "i1", "i2", "i3"]),
        ({"rater": "ben"}, ["i0", "i1", "i2"]),
        ({"rater": "ben", "vote": "not-equivalent"}, ["i1", "i2"]),
        ({"rater": "nobody"}, []),
        ({"guideline": 1}, []),
        ({"guideline": 2}, ["i0", "i1", "i2", "i3"]),
        ({"guideline": 3}, ["i0", "i1", "i2"]),
        ({"guideline": 4}, []),
        ({"system": "larch"}, ["i1", "i3"]),
        ({"system": "willow"}, []),
        ({"document": "d1"}, ["i2", "i3"]),
        ({"document": "d"}, []),
        ({"question_type": "how"}, ["i0", "i1"]),
        ({"split": "dev"}, ["i1", "i2"]),
        ({"key": "i3"}, ["i3"]),
        ({"purpose": "control"}, ["control"]),
        ({"state": "open"}, ["i3", "i4"]),
        ({"state": "rated"}, ["i0", "i1"]),
        ({"state": "disputed"}, ["i2"]),
        ({"state": "decided"}, []),
        ({"state": "apart"}, ["control"]),
        ({"state": "complete"}, ["i0", "i1", "i2"]),
        ({"disputed": "yes"}, ["i2"]),
        ({"unfinished": "yes"}, ["i3", "i4"]),
        ({"matcher": "f1"}, ["i0", "i1", "i2"]),
        ({"matcher": "exact"}, []),
        ({"matcher": "f1", "score_min": 0.8}, ["i0", "i1"]),
        ({"matcher": "f1", "score_min": 0.2, "score_max": 0.8}, ["i1", "i2"]),
        ({"matcher": "f1", "accepted": "no"}, ["i2"]),
        ({"matcher": "f1", "differs": "yes"}, ["i1"]),
        ({"system": "juniper", "state": "open"}, ["i4"]),
        ({"q": "lake", "label": "not-equivalent", "system": "larch"}, ["i1", "i3"]),
        ({"order": "-number"}, ["control", "i4", "i3", "i2", "i1", "i0"]),
        ({"order": "question"}, ["i4", "i3", "i2", "i1", "i0", "control"]),
        ({"order": "-candidate"}, ["control", "i4", "i2", "i0", "i3", "i1"]),
        ({"order": "ratings"}, ["i4", "control", "i3", "i0", "i1", "i2"]),
        ({"order": "-ratings"}, ["i2", "i1", "i0", "i3", "control", "i4"]),
        ({"order": "share"}, ["control", "i2", "i0", "i1", "i3"]),
        ({"order": "label"}, ["i2", "control", "i0", "i1", "i3"]),
        ({"order": "-score", "matcher": "f1"}, ["i0", "i1", "i2"]),
        ({"order": "score", "matcher": "f1", "system": "juniper"}, ["i2", "i0"]),
    ],
)
@pytest.mark.parametrize("small", [20_000, 0])
def test_items_are_found_by_filters_and_put_in_order(
    lakes: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    asked: dict[str, Any],
    keys: list[str],
    small: int,
) -> None:
    """Whichever way SQLite is told to go."""
    monkeypatch.setattr("tasks.explorer.queries.sets.SMALL", small)
    member = asking(lakes)
    if (rater := asked.get("rater")) in ("ann", "ben"):
        asked = {**asked, "rater": pseudonym(rater)}
    assert found(member, **asked) == keys


def test_items_without_votes_are_nobodys_to_hide(lakes: Campaign) -> None:
    """Nobody has voted on i4: whoever asks for votes may still judge it, and finds it by no order
    that tells votes."""
    member = asking(lakes)
    assert "i4" not in found(member, order="share")
    assert "i4" in found(member, order="ratings")


@pytest.mark.parametrize("is_blind", [True, False])
def test_a_decided_item_is_open_to_whom_its_votes_are_withheld(
    lakes: Campaign, is_blind: bool
) -> None:
    """Else a filter would tell that it is decided; without ratings too."""
    item = lakes.items.get(key="i4")
    Campaign.objects.filter(pk=lakes.pk).update(adjudicates_blind=False)
    item.campaign.refresh_from_db()
    adjudicate(
        item=item,
        adjudicator=make_member(lakes, "admin"),
        answers={"q1": True},
        reason="so",
        idempotency_key="k",
    )
    lakes.adjudicates_blind = is_blind
    lakes.save()
    seeing, blind = asking(lakes), asking(lakes, sees=False)
    assert "i4" in found(blind, state="open")
    assert "i4" not in found(blind, state="decided")
    assert "i4" in found(seeing, state="decided")


def test_flags_are_found(lakes: Campaign) -> None:
    member, admin = asking(lakes), make_member(lakes, "admin")
    ann = Membership.objects.get(user__username="ann")
    for number, settled in ((0, True), (1, False)):
        flag = raise_flag(assignment=ann.assignments.get(item__key=f"i{number}"), reason="odd")
        if settled:
            settle_flag(flag=flag, by=admin, settlement="fine")
    assert found(member, flagged="any") == ["i0", "i1"]
    assert found(member, flagged="open") == ["i1"]


@pytest.mark.parametrize("order", [f"{sign}{name}" for name in ORDERS for sign in ("", "-")])
def test_pages_have_every_item_once_in_every_order(lakes: Campaign, order: str) -> None:
    """`found` walks them forwards and back, two at a time, through all ties."""
    member = asking(lakes)
    matcher = {"matcher": "f1"} if order.endswith("score") else {}
    forwards = found(member, order=order, **matcher)
    turned = order.removeprefix("-") if order.startswith("-") else f"-{order}"
    assert forwards == list(reversed(found(member, order=turned, **matcher)))


@pytest.mark.parametrize(
    "cursor",
    [
        *("x", "e30", "W10", "ß", "bnVsbA", "=" * 9, "[" * 400),
        Cursor(None, 1).as_text("question"),
        Cursor("a", 1).as_text("number"),
        Cursor(1, 1).as_text("-number"),
        Cursor(None, -1).as_text("number"),
        Cursor(None, 2**63).as_text("number"),
    ],
)
def test_a_cursor_of_another_list_is_none(lakes: Campaign, cursor: str) -> None:
    with pytest.raises(NoSuchCursor):
        page_of_items(asking(lakes), ItemListing(order="number", cursor=cursor))


def test_a_count_ends_where_it_is_told(lakes: Campaign) -> None:
    member = asking(lakes)
    refresh_all(campaign=lakes)
    assert count(member, ItemListing(), most=5) == Count(5, True)
    assert count(member, ItemListing(), most=6) == Count(6, False)


def test_a_row_says_all_that_is_known(lakes: Campaign) -> None:
    member = asking(lakes)
    refresh_all(campaign=lakes)
    (row,) = page_of_items(member, ItemListing(key="i2")).rows
    ann, ben = pseudonym("ann"), pseudonym("ben")
    assert row.votes == [Vote(ann, "equivalent", True), Vote(ben, "not-equivalent", True)]
    assert (row.key, row.document, row.question, row.candidate) == ("i2", "d1", "c lake", "d deep")
    assert (row.label, row.is_tied, row.is_disputed, row.share) == ("", True, True, 0.5)
    assert (row.state, row.wanted, row.ratings, row.withheld) == ("disputed", 2, 2, None)
    assert row.scores == {"f1": Score(0.2, False)}
    assert row.systems == ["juniper"]
    assert row.last_rated_at is not None


def test_a_page_takes_as_many_statements_for_one_row_as_for_many(lakes: Campaign) -> None:
    member = asking(lakes)
    refresh_all(campaign=lakes)

    page_of_items(member, ItemListing())  # whether they have ever claimed an item is asked once

    def statements(limit: int) -> int:
        with CaptureQueriesContext(connection) as asked:
            assert len(page_of_items(member, ItemListing(limit=limit)).rows) == limit
        return len(asked)

    assert statements(1) == statements(6) == 10


TELLING: list[dict[str, Any]] = [
    *({"label": "equivalent"}, {"label": "not-equivalent"}, {"vote": "equivalent"}),
    *({"vote": "not-equivalent"}, {"rater": "ann"}, {"rater": "ann", "vote": "equivalent"}),
    *(
        {"other_vote": "equivalent"},
        {"disputed": "yes"},
        {"state": "rated"},
        {"state": "disputed"},
        {"state": "decided"},
    ),
    *({"matcher": "f1"}, {"matcher": "f1", "differs": "yes"}, {"matcher": "f1", "score_min": 0.0}),
    *({"order": "share"}, {"order": "-label"}, {"order": "score", "matcher": "f1"}),
]
SILENT: list[dict[str, Any]] = [
    *({}, {"state": "open"}, {"state": "complete"}, {"unfinished": "yes"}, {"order": "ratings"}),
    *({"order": "last_rated"}, {"flagged": "any"}, {"q": "lake"}, {"system": "larch"}),
]


@pytest.mark.parametrize("asked", TELLING)
def test_who_may_judge_blind_finds_nothing_by_votes(lakes: Campaign, asked: dict[str, Any]) -> None:
    member = asking(lakes, sees=False)
    if asked.get("rater"):
        asked = {**asked, "rater": pseudonym("ann")}
    assert found(member, **asked) in ([], ["control"])


def test_nothing_that_who_may_judge_blind_is_shown_depends_on_votes() -> None:
    """Two campaigns that differ in their votes alone look the same."""
    first, second = (looks_of(answers) for answers in (EQUIVALENT, DIFFERENT))
    assert first == second


def looks_of(answers: Any) -> list[Any]:
    campaign = make_campaign(overlap=2)
    campaign.item_order = "oldest"
    campaign.save()
    for number in range(3):
        make_item(campaign, id=f"i{number}", question=f"lake {number}", document="d")
    ann, ben = make_member(campaign), make_member(campaign)
    for rater, each in product((ann, ben), (EQUIVALENT, answers)):
        rate(rater, each)
    first = campaign.items.order_by("pk")[0]
    Suggestion.objects.create(
        item=first, matcher="f1", version="1", score=0.1, is_correct=answers == EQUIVALENT
    )
    member = asking(campaign, sees=False)
    return [shown(member, asked) for asked in SILENT + TELLING]


def shown(member: Membership, asked: dict[str, Any]) -> Any:
    """All that the page of a question has, but for what differs between any two campaigns."""
    refresh_before_reading(campaign=member.campaign)
    listing = ItemListing(**{"order": "number", **asked})
    page = page_of_items(member, listing)
    apart = {"number", "created_at", "last_rated_at", "question_key", "document"}
    rows = [
        {name: getattr(row, name) for name in row.__dataclass_fields__ if name not in apart}
        for row in page.rows
    ]
    return rows, bool(page.next), count(member, listing)


@pytest.mark.parametrize("is_blind", [True, False])
def test_votes_are_found_as_far_as_they_are_open(lakes: Campaign, is_blind: bool) -> None:
    """The rule of the explorer is that of an item's own page."""
    lakes.adjudicates_blind = is_blind
    lakes.save()
    member = asking(lakes, sees=False)
    complete = [] if is_blind else ["i1"]
    assert found(member, label="not-equivalent") == complete
    show_votes(items=[lakes.items.get(key="i3").pk], member=member)
    assert found(member, label="not-equivalent") == [*complete, "i3"]
    claim = claim_item(membership=make_member(lakes, "admin"))
    assert claim is not None


def test_nobody_finds_by_its_votes_what_they_are_rating(lakes: Campaign) -> None:
    lakes.adjudicates_blind = False
    lakes.save()
    admin = make_member(lakes, "admin")
    claim = claim_item(membership=admin)
    assert claim is not None
    held = Item.objects.get(pk=claim.item.id)
    assert held.key == "i3"
    assert found(admin, label="not-equivalent") == ["i1"]
    refresh_all(campaign=lakes)
    (row,) = page_of_items(admin, ItemListing(key="i3")).rows
    assert (row.withheld, row.votes, row.label, row.state) == ("rating", [], "", "open")


def test_items_whose_votes_somebody_has_asked_for_are_open(lakes: Campaign) -> None:
    member = asking(lakes, sees=False)
    show_votes(items=[item.pk for item in lakes.items.all()], member=member)
    assert found(member, vote="not-equivalent") == ["i1", "i2", "i3"]


def test_a_decided_item_that_is_not_finished_is_open_to_who_may_judge_it(
    lakes: Campaign,
) -> None:
    from tasks.adjudication.workflow import adjudicate

    judge = asking(lakes)
    item = lakes.items.get(key="i3")
    adjudicate(item=item, adjudicator=judge, answers=EQUIVALENT, reason="so", idempotency_key="one")
    assert found(judge, state="decided") == ["i3"]
    assert found(judge, state="open") == ["i4"]
    blind = asking(lakes, sees=False)
    assert found(blind, state="open") == ["i3", "i4"]
    assert found(blind, state="decided") == []
    assert of(ItemListing(state="open")) == {"state": "open", "order": "-number"}
