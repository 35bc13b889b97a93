"""Summaries say what the votes say, whatever was written, and follow it by themselves."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.adjudication.queries.decisions import current_adjudications
from tasks.adjudication.workflow import adjudicate
from tasks.explorer import work
from tasks.explorer.work import refresh_due_items, refresh_items
from tasks.explorer.workflow import refreshing
from tasks.explorer.workflow.refreshing import refresh_all, refresh_before_reading, row_of_item
from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Flag,
    Item,
    ItemPurpose,
    ItemScore,
    ItemState,
    ItemSummary,
    ItemSystem,
    Membership,
    Slot,
    StaleItem,
    Suggestion,
)
from tasks.models.explorer import NO_SHARE
from tasks.models.summary_triggers import install_triggers
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.rating.workflow.records import raise_flag, settle_flag
from tasks.votes.labels import votes_by_item
from tasks.votes.workflow import skip_item
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.explorer.steps import DIFFERENT, EQUIVALENT, rate

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def rivers() -> Campaign:
    campaign = make_campaign("rivers", overlap=2)
    campaign.adjudicates_blind = False
    campaign.save()
    return campaign


def expected(campaign: Campaign) -> dict[str, dict[str, Any]]:
    """The values that the summaries must have, by the product's other ways to read votes."""
    counted = votes_by_item(campaign)
    votes, majorities = counted.counts_by_item, counted.majority_labels
    decisions: dict[int, set[str]] = {}
    for item, label in current_adjudications(campaign).values_list("item_id", "outcome__label"):
        decisions.setdefault(item, set()).add(label)
    return {
        item.key: _expected(
            item, votes.get(item.pk, ()), majorities.get(item.pk), decisions.get(item.pk, set())
        )
        for item in campaign.items.all()
    }


def _expected(
    item: Item, counts: Sequence[int], majority: str | None, decided: set[str]
) -> dict[str, Any]:
    offered = Slot.objects.filter(item=item, order_key__isnull=False)
    is_disputed = sum(count > 0 for count in counts) > 1
    unfilled = offered.filter(is_filled=False).count()
    return {
        "ratings": sum(counts),
        "wanted": offered.count(),
        "unfilled": unfilled,
        "label": majority or "",
        "labels": sum(1 << place for place, count in enumerate(counts) if count),
        "is_tied": bool(counts) and majority is None,
        "is_disputed": is_disputed,
        "share": max(counts) / sum(counts) if counts else NO_SHARE,
        "decided": next(iter(decided)) if len(decided) == 1 else "",
        "is_decided": bool(decided),
        "open_flags": Flag.objects.filter(item=item, settled_at=None).count(),
        "flags": Flag.objects.filter(item=item).count(),
        "skips": Assignment.objects.filter(item=item, state=AssignmentState.SKIPPED).count(),
        "state": _state(item, decided, unfilled, bool(counts), is_disputed),
    }


def _state(
    item: Item, decided: set[str], unfilled: int, has_votes: bool, is_disputed: bool
) -> ItemState:
    if item.purpose != ItemPurpose.LIVE:
        return ItemState.APART
    if decided:
        return ItemState.DECIDED if len(decided) == 1 else ItemState.DISPUTED
    if unfilled or not has_votes:
        return ItemState.OPEN
    return ItemState.DISPUTED if is_disputed else ItemState.RATED


def told(campaign: Campaign) -> dict[str, dict[str, Any]]:
    refresh_before_reading(campaign=campaign)
    fields = (
        *("ratings", "wanted", "unfilled", "label", "labels", "is_tied", "is_disputed", "share"),
        *("decided", "is_decided", "open_flags", "flags", "skips", "state"),
    )
    rows = ItemSummary.objects.filter(campaign=campaign).values("item__key", *fields)
    return {row.pop("item__key"): row for row in rows}


@pytest.mark.parametrize("seed", range(8))
def test_summaries_say_what_the_votes_say(rivers: Campaign, seed: int) -> None:
    """Whatever people do in whatever order, looked at in between."""
    draw = Random(seed)
    for number in range(4):
        make_item(rivers, id=f"item-{number}")
    raters = [make_member(rivers) for _ in range(4)]
    admins = [make_member(rivers, "admin") for _ in range(2)]
    for step in range(30):
        _act(draw, rivers, raters, admins, step)
        if draw.random() < 0.3:
            assert told(rivers) == expected(rivers)
    assert told(rivers) == expected(rivers)
    assert not StaleItem.objects.exists()


def _act(
    draw: Random,
    campaign: Campaign,
    raters: list[Membership],
    admins: list[Membership],
    step: int,
) -> None:
    rater, admin = draw.choice(raters), draw.choice(admins)
    item = draw.choice(list(campaign.items.order_by("pk")))
    answers = draw.choice([EQUIVALENT, DIFFERENT])
    match draw.randrange(9):
        case 0 | 1 | 2:
            _rate_or_skip(draw, rater, answers)
        case 3:
            _submit(rater, AssignmentState.SUBMITTED, answers, step)
        case 4:
            held = Assignment.objects.filter(rater=rater).first()
            if held is not None and not held.item.flags.filter(rater=rater).exists():
                raise_flag(assignment=held, reason="odd")
        case 5:
            for flag in Flag.objects.filter(settled_at=None)[:1]:
                settle_flag(flag=flag, by=admin, settlement="fine")
        case 6:
            key = f"decision-{step}"
            adjudicate(
                item=item, adjudicator=admin, answers=answers, reason="so", idempotency_key=key
            )
        case 7:
            place = draw.choice([None, step])
            Slot.objects.create(campaign=campaign, item=item, number=100 + step, order_key=place)
        case 8:
            # a lease ends, somebody else takes the slot, and what the first one says is surplus
            claim_item(membership=rater)
            Slot.objects.filter(holder__rater=rater).update(
                expires_at=datetime(2020, 1, 1, tzinfo=UTC)
            )
            _rate_or_skip(draw, draw.choice(raters), answers)
            _submit(rater, AssignmentState.ACTIVE, answers, step)


def _rate_or_skip(draw: Random, rater: Membership, answers: Mapping[str, object]) -> None:
    claim = claim_item(membership=rater)
    if claim is not None and draw.random() < 0.2:
        skip_item(assignment=Assignment.objects.get(pk=claim.assignment_id), reason="no idea")
    elif claim is not None:
        rate(rater, answers)


def _submit(
    rater: Membership, state: AssignmentState, answers: Mapping[str, object], step: int
) -> None:
    """Answer an item that the rater has in this state, for the first time or anew."""
    claimed = Assignment.objects.filter(rater=rater, state=state).first()
    if claimed is not None:
        submit_rating(
            assignment_id=claimed.pk,
            membership=rater,
            answers=answers,
            idempotency_key=f"submission-{step}",
        )


def test_items_that_train_or_check_have_no_votes(rivers: Campaign) -> None:
    item = make_item(rivers, id="item-1")
    rate(make_member(rivers))
    assert told(rivers)["item-1"]["ratings"] == 1
    Item.objects.filter(pk=item.pk).update(purpose=ItemPurpose.CONTROL)
    there = told(rivers)["item-1"]
    assert (there["ratings"], there["state"], there["label"]) == (0, "apart", "")
    assert told(rivers) == expected(rivers)


def test_a_place_that_is_taken_away_or_offered_no_more_counts_no_longer(rivers: Campaign) -> None:
    item = make_item(rivers, id="item-1")
    assert told(rivers)["item-1"]["wanted"] == 2
    Slot.objects.filter(item=item, number=2).delete()
    assert told(rivers)["item-1"]["wanted"] == 1
    Slot.objects.filter(item=item).update(order_key=None)
    assert told(rivers)["item-1"]["wanted"] == 0


def test_scores_are_the_newest_of_each_matcher(rivers: Campaign) -> None:
    item = make_item(rivers)
    rate(make_member(rivers), DIFFERENT)

    def score(matcher: str, version: str, score: float) -> None:
        Suggestion.objects.create(
            item=item, matcher=matcher, version=version, score=score, is_correct=score >= 0.5
        )

    def scores() -> list[tuple[str, float, bool, bool | None]]:
        refresh_before_reading(campaign=rivers)
        rows = ItemScore.objects.order_by("matcher")
        return list(rows.values_list("matcher", "score", "is_correct", "differs"))

    score("f1", "1", 0.9)
    score("exact", "1", 0.0)
    assert scores() == [("exact", 0.0, False, False), ("f1", 0.9, True, True)]
    score("f1", "2", 0.1)
    assert scores() == [("exact", 0.0, False, False), ("f1", 0.1, False, False)]
    rate(make_member(rivers), EQUIVALENT)
    assert [differs for *_score, differs in scores()] == [None, None]  # a tie


def test_nothing_is_written_where_nothing_is_stale(rivers: Campaign) -> None:
    make_item(rivers)
    refresh_all(campaign=rivers)
    with CaptureQueriesContext(connection) as asked:
        assert refresh_before_reading(campaign=rivers) == 0
    (only,) = asked.captured_queries
    assert only["sql"].startswith("SELECT")


def test_a_long_queue_is_left_to_workers(rivers: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, int]] = []
    monkeypatch.setattr(refreshing, "AT_ONCE", 2)
    monkeypatch.setattr(refreshing, "PATIENCE", -1.0)
    monkeypatch.setattr(refreshing, "send", lambda task, pk, expires: sent.append((task, pk)))
    for _ in range(5):
        make_item(rivers)
    assert refresh_before_reading(campaign=rivers) == 3
    assert sent == [(refreshing.REFRESH, rivers.pk)]
    assert ItemSummary.objects.count() == 2


def test_workers_bring_summaries_up_to_date(
    rivers: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, int]] = []
    monkeypatch.setattr(work, "send", lambda task, pk, expires=None: sent.append((task, pk)))
    make_campaign("idle")
    for _ in range(3):
        make_item(rivers)
    refresh_due_items()
    assert sent == [(refreshing.REFRESH, rivers.pk)]
    for name in (work, refreshing):
        monkeypatch.setattr(name, "AT_ONCE", 2)
    monkeypatch.setattr(work, "LONGEST", -1.0)
    refresh_items(rivers.pk)
    assert (len(sent), ItemSummary.objects.count()) == (2, 2)
    refresh_items(rivers.pk)
    assert (len(sent), ItemSummary.objects.count()) == (2, 3)
    refresh_items(0)  # a campaign that is gone


def test_one_item_has_its_row_however_long_the_queue_is(
    rivers: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [make_item(rivers) for _ in range(3)]
    monkeypatch.setattr(refreshing, "AT_ONCE", 1)
    monkeypatch.setattr(refreshing, "PATIENCE", -1.0)
    monkeypatch.setattr(refreshing, "send", lambda *ids, expires: True)
    row = row_of_item(member=make_member(rivers, "admin"), item=items[-1])
    assert (row.key, row.wanted) == (items[-1].key, 2)


def test_an_item_that_is_gone_is_forgotten(rivers: Campaign) -> None:
    item = make_item(rivers)
    refresh_all(campaign=rivers)
    for model in (ItemSummary, Slot, ItemSystem):
        model._base_manager.filter(item=item)._raw_delete("default")
    Item.objects.filter(pk=item.pk)._raw_delete("default")
    refresh_all(campaign=rivers)
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM tomahto_words")
        assert cursor.fetchone() == (0,)
    assert (ItemSummary.objects.count(), StaleItem.objects.count()) == (0, 0)


@pytest.mark.slow
def test_triggers_that_were_missing_leave_every_item_stale(rivers: Campaign) -> None:
    make_item(rivers)
    refresh_all(campaign=rivers)
    install_triggers()
    assert not StaleItem.objects.exists()
    with connection.cursor() as cursor:
        on_table = " ON tasks_rating" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER tomahto_stale_rating_added{on_table}")
    rate(make_member(rivers))
    assert not StaleItem.objects.exists()
    install_triggers()
    assert StaleItem.objects.count() == 1
    assert told(rivers) == expected(rivers)
