"""Why items wait for an adjudicator, for whom, and which comes first."""

from itertools import product

import pytest

from tasks.adjudication.queries import queue as stage
from tasks.adjudication.queries.queue import (
    Queue,
    QueuedItem,
    Reason,
    Shelf,
    next_item,
    shelves_of,
)
from tasks.adjudication.workflow import leave_item
from tasks.explorer.workflow.refreshing import refresh_all
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership
from tasks.rating.workflow.records import settle_flag
from tests.tasks.adjudication.acts import decide, flag_item, item_of, vote
from tests.tasks.conftest import (
    EQUIVALENT,
    YES_DIFFERENT,
    MakeCampaign,
    MakeMember,
    item_row,
    rate_next,
    rating_row,
)
from tests.tomahto.oracles import label_confidence

LABELS = "en"


def queue(member: Membership, shelf: Shelf = Shelf.WAITING) -> list[QueuedItem]:
    return Queue(member, shelf, None, 100)[0:100]


def keys(member: Membership, shelf: Shelf = Shelf.WAITING) -> list[str]:
    return [item.key for item in queue(member, shelf)]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """Every item with its votes complete; see each test for what they are."""
    return make_campaign(items=7, overlap=2, adjudicates_blind=False)


@pytest.fixture
def oak(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "researcher")


def test_queue_is_in_the_order_of_its_value(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    both = item_row(8, systems=("juniper", "larch"))
    import_items(campaign=campaign, rows=[both])
    for number, votes in enumerate(["ee", "eee", "en", "een", "eeen", "ee"], start=1):
        vote(campaign, number, votes)
    vote(campaign, 7, "ee", surplus="n")
    vote(campaign, 8, "een")
    flag_item(campaign, 6, make_member(campaign))
    # 1 and 2 agree; 5 has three of four votes for one label, which is confident enough
    found = [(item.key, round(item.value, 12), item.reasons) for item in queue(oak)]
    assert found == [
        # (1 - 2.5/4) for each of two systems
        ("item-8", 0.75, (Reason.LOW_CONFIDENCE,)),
        # 1 - 1.5/3
        ("item-3", 0.5, (Reason.TIE,)),
        # 1 - 2.5/3 by its votes, but somebody doubts it
        ("item-6", 0.5, (Reason.FLAG,)),
        # 1 - 2.5/4
        ("item-4", 0.375, (Reason.LOW_CONFIDENCE,)),
        # the same with a late vote
        ("item-7", 0.375, (Reason.LOW_CONFIDENCE, Reason.SURPLUS)),
    ]
    assert next_item(oak) == item_of(campaign, 8).pk


def test_shelves_count_items_and_their_reasons(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    vote(campaign, 1, "en")
    vote(campaign, 2, "eee", surplus="n")
    flag_item(campaign, 1, make_member(campaign))
    waiting = shelves_of(oak)[Shelf.WAITING]
    assert waiting.items == 2
    assert waiting.reasons == {
        Reason.TIE: 1,
        Reason.LOW_CONFIDENCE: 0,
        Reason.FLAG: 1,
        Reason.SURPLUS: 1,
        Reason.DIFFER: 0,
        Reason.SENT: 0,
    }
    only = Queue(oak, Shelf.WAITING, Reason.SURPLUS, 1)[0:10]
    assert [item.key for item in only] == ["item-2"]


def test_items_that_raters_may_still_settle_stand_apart_unless_flagged(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=3, overlap=3)
    oak = make_member(campaign, "oak", "admin")
    for number in (1, 2, 3):
        vote(campaign, number, "en")
    vote(campaign, 1, "ene")
    flag_item(campaign, 2, make_member(campaign))
    assert sorted(keys(oak)) == ["item-1", "item-2"]
    assert keys(oak, Shelf.UNFINISHED) == ["item-3"]


def test_flagged_item_without_votes_waits_and_no_longer_once_it_is_settled(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    flag = flag_item(campaign, 1, make_member(campaign))
    [item] = queue(oak)
    # two labels and no vote
    assert (item.confidence, item.value, item.reasons) == (0.5, 0.5, (Reason.FLAG,))
    settle_flag(flag=flag, by=oak, settlement="mended")
    assert queue(oak) == []


def test_own_items_are_left_out_and_counted(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=2)
    oak, fern = (make_member(campaign, name, "admin") for name in ("oak", "fern"))
    rate_next(oak, YES_DIFFERENT)
    rate_next(make_member(campaign), EQUIVALENT)
    assert keys(fern) == ["item-1"]
    assert keys(oak) == []
    assert shelves_of(oak)[Shelf.OWN].items == 1
    assert next_item(oak) is None


def test_who_rates_learns_of_open_items_that_they_are_flagged_and_no_more(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    """Not that their votes are split, nor how confident their label is."""
    campaign = make_campaign(items=3, overlap=3, adjudicates_blind=False)
    for number in (1, 2, 3):
        vote(campaign, number, "en")
    oak = make_member(campaign, "oak", "researcher")
    assert len(queue(oak, Shelf.UNFINISHED)) == 3
    del oak.has_claimed
    rated = rate_next(oak)
    oak = Membership.objects.select_related("campaign").get(pk=oak.pk)
    assert (rated in keys(oak, Shelf.UNFINISHED), len(queue(oak, Shelf.UNFINISHED))) == (False, 0)
    flagged = campaign.items.exclude(key=rated).earliest("pk").key
    flag_item(campaign, int(flagged.removeprefix("item-")), make_member(campaign))
    assert [(item.key, item.confidence, item.reasons) for item in queue(oak)] == [
        (flagged, 0.5, (Reason.FLAG,))
    ]


def test_left_items_wait_for_the_others(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    vote(campaign, 1, "en")
    leave_item(item=item_of(campaign, 1), adjudicator=oak)
    assert (keys(oak), keys(oak, Shelf.LEFT)) == ([], ["item-1"])
    assert keys(make_member(campaign, "fern", "admin")) == ["item-1"]


def test_decided_items_leave_the_queue_for_a_second_opinion(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    fern = make_member(campaign, "fern", "admin")
    vote(campaign, 1, "en")
    decide(oak, 1)
    assert [keys(oak, shelf) for shelf in Shelf] == [[]] * 5
    assert (keys(fern), keys(fern, Shelf.SECOND)) == ([], ["item-1"])


def test_items_on_which_adjudicators_differ_wait_for_those_until_they_agree(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    fern, yew = (make_member(campaign, name, "admin") for name in ("fern", "yew"))
    vote(campaign, 1, "ee")
    decide(oak, 1, EQUIVALENT)
    decide(fern, 1, YES_DIFFERENT)
    for who in (oak, fern):
        [item] = queue(who)
        assert (item.reasons, item.value) == ((Reason.DIFFER,), 0.5)
    assert (keys(yew), keys(yew, Shelf.SECOND)) == ([], ["item-1"])
    decide(fern, 1, EQUIVALENT, key="again")
    assert (keys(oak), keys(fern)) == ([], [])


def test_items_of_other_campaigns_and_those_that_train_raters_do_not_wait(
    campaign: Campaign, oak: Membership, make_campaign: MakeCampaign
) -> None:
    other = make_campaign(items=1)
    vote(other, 1, "en")
    vote(campaign, 1, "en")
    item = item_of(campaign, 1)
    item.purpose = "control"
    item.save()
    assert queue(oak) == []
    assert {waiting.items for waiting in shelves_of(oak).values()} == {0}


def test_confidence_of_the_database_is_that_of_the_formula(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    splits = [
        (counted, late) for counted, late in product(("en", "een", "nne", "eenn"), ("", "e", "n"))
    ]
    campaign = make_campaign(items=len(splits), overlap=2, adjudicates_blind=False)
    for number, (counted, late) in enumerate(splits, start=1):
        vote(campaign, number, counted, late)
    expected = {
        f"item-{number}": label_confidence(
            [counted.count(label) for label in LABELS], [late.count(label) for label in LABELS]
        )
        for number, (counted, late) in enumerate(splits, start=1)
    }
    found = {item.key: item.confidence for item in queue(make_member(campaign, "oak", "admin"))}
    assert found == pytest.approx({key: expected[key] for key in found}, abs=1e-12)
    # three to one with the late vote, and nothing to settle
    assert set(expected) - set(found) == {"item-5", "item-9"}


def test_queue_of_eight_labels_shares_the_prior_among_them(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=3, protocol="cap")
    labels = ("exact", "exact", "partial")
    rows = [rating_row(1, rater, label) for rater, label in zip("abc", labels, strict=True)]
    import_ratings(campaign=campaign, rows=rows)
    [item] = queue(make_member(campaign, "oak", "admin"))
    # (2 + 1/8) / (3 + 1)
    assert item.confidence == pytest.approx(0.53125, abs=1e-12)
    assert item.reasons == (Reason.LOW_CONFIDENCE,)


def test_of_too_many_items_with_different_votes_the_most_split_wait(
    campaign: Campaign, oak: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    vote(campaign, 1, "een")
    vote(campaign, 2, "en")
    vote(campaign, 3, "ee", surplus="n")
    refresh_all(campaign=campaign)
    assert keys(oak) == ["item-2", "item-1", "item-3"]
    monkeypatch.setattr(stage, "SOME_DISPUTED", 1)
    assert keys(oak) == ["item-2", "item-1", "item-3"]
    monkeypatch.setattr(stage, "MANY_DISPUTED", 1)
    assert keys(oak) == ["item-2", "item-3"]  # a late vote is not in the summary
    vote(campaign, 4, "een")
    assert keys(oak) == ["item-2", "item-3", "item-4"]  # nor what has come since
    refresh_all(campaign=campaign)
    assert keys(oak) == ["item-2", "item-3"]
    decide(oak, 2)
    refresh_all(campaign=campaign)
    assert keys(oak) == ["item-1", "item-3"]  # the next, where those before are decided
