"""Ratings set aside and brought back: figures worked out by hand, places, and who is told what."""

from collections.abc import Mapping
from datetime import date, timedelta

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from tasks.adjudication.queries.queue import Reason, Shelf, shelves_of
from tasks.agreement.figures.figures import FIGURES
from tasks.agreement.workflow.assessment import assess, figures_of
from tasks.explorer.workflow.acts import do_act
from tasks.explorer.workflow.plan import Options
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.home.queries.situation import contents_of
from tasks.models import (
    ActKind,
    Assessment,
    AuditEntry,
    Campaign,
    Item,
    ItemSummary,
    Membership,
    Rating,
    RatingSetAside,
    SeenVotes,
    SetAside,
    Slot,
)
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.votes.items import Progress, campaign_progress, ratings_by, votes_by
from tasks.votes.labels import votes_by_item
from tasks.votes.patterns import votes_of
from tasks.votes.ratings import (
    Concerned,
    SetAsideNow,
    concerned,
    counted_ratings,
    history_of,
    items_rated_since,
    ratings_to_set_aside,
    set_aside_now,
    set_asides_of,
)
from tasks.votes.workflow import NothingToSetAside, SetAsideUndone, set_aside, undo_set_aside
from tests.tasks.adjudication.acts import item_of
from tests.tasks.conftest import EQUIVALENT, YES_DIFFERENT, MakeCampaign, MakeMember

ANSWERS: Mapping[str, Mapping[str, object]] = {"e": EQUIVALENT, "n": YES_DIFFERENT}
E, N = "equivalent", "not-equivalent"


def rate(member: Membership, votes: str) -> None:
    """Items 1, 2, … of the campaign, each an e or an n."""
    for number, letter in enumerate(votes, 1):
        rate_item(member, f"item-{number}", letter)


def rate_item(member: Membership, key: str, letter: str) -> None:
    claim = claim_item(membership=member)
    assert claim is not None
    assert claim.item.key == key
    submit(member, claim.assignment_id, letter)


def submit(member: Membership, assignment: int, letter: str, key: str = "") -> Rating:
    return submit_rating(
        assignment_id=assignment,
        membership=member,
        answers=ANSWERS[letter],
        idempotency_key=key or f"key-{assignment}",
    ).rating


def alpha(campaign: Campaign) -> float | None:
    value: float | None = FIGURES["agreement"](campaign)["alpha"]["value"]
    return value


def labels(campaign: Campaign) -> list[str | None]:
    found = votes_by_item(campaign).majority_labels
    return [found[item] for item in sorted(found)]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=4, overlap=2, item_order="oldest", adjudicates_blind=False)


@pytest.fixture
def oak(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


@pytest.fixture
def ann(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "ann")


@pytest.fixture
def cat(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "cat")


@pytest.fixture
def rated(campaign: Campaign, ann: Membership, cat: Membership) -> Campaign:
    """Ann is right, Cat is right on the last item alone."""
    rate(ann, "eenn")
    rate(cat, "nnen")
    return campaign


def test_figures_without_a_rater_with_another_in_their_place_and_with_both(
    rated: Campaign,
    oak: Membership,
    ann: Membership,
    cat: Membership,
    make_member: MakeMember,
) -> None:
    """Krippendorff's α by hand, with n ratings, nE and nN of each label, as 1 - Do / De.

    Both: n = 8, nE = 3, nN = 5. Items 1 to 3 are split, each with 2 disagreeing ordered pairs of
    m - 1 = 1: Do = 6/8. De = 2·3·5 / (8·7) = 15/28. α = 1 - 7/5 = -2/5.
    Ann alone: no item has two ratings.
    Ann and Ben (e e n e): nE = 5, nN = 3, item 4 is split: Do = 2/8, De = 15/28, α = 8/15.
    All three: each item is split two to one, 4 ordered pairs / 2: Do = 4·2/12 = 2/3.
    nE = nN = 6: De = 2·6·6 / (12·11) = 6/11. α = 1 - 11/9 = -2/9.
    """
    assert alpha(rated) == pytest.approx(-2 / 5)
    assert labels(rated) == [None, None, None, N]
    assert campaign_progress(rated) == Progress(8, 8)

    act = set_aside(rater=cat, by=oak, reason="Clicked through.")
    assert alpha(rated) is None
    assert labels(rated) == [E, E, N, N]
    assert campaign_progress(rated) == Progress(4, 8)
    assert set_aside_now(rated) == SetAsideNow(ratings=4, raters=1)
    assert claim_item(membership=cat) is None

    ben = make_member(rated, "ben")
    rate(ben, "eene")
    assert alpha(rated) == pytest.approx(8 / 15)
    assert labels(rated) == [E, E, N, None]
    assert campaign_progress(rated) == Progress(8, 8)
    assert items_rated_since(act) == 4

    undo_set_aside(act=act, by=oak)
    assert alpha(rated) == pytest.approx(-2 / 9)
    assert labels(rated) == [E, E, N, N]
    assert campaign_progress(rated) == Progress(12, 12)
    assert set_aside_now(rated) == SetAsideNow(ratings=0, raters=0)
    assert [votes_by(each) for each in (ann, ben, cat)] == [4, 4, 4]


def test_nothing_but_the_count_changes_and_undoing_at_once_leaves_no_trace_of_places(
    rated: Campaign, oak: Membership, cat: Membership
) -> None:
    ratings, slots = list(Rating.objects.values()), list(Slot.objects.order_by("pk").values())
    act = set_aside(rater=cat, by=oak, reason="Clicked through.")
    assert Slot.objects.filter(campaign=rated).count() == 12
    undo_set_aside(act=act, by=oak)
    assert list(Rating.objects.values()) == ratings
    assert list(Slot.objects.order_by("pk").values()) == slots


def test_all_figures_count_alike(rated: Campaign, oak: Membership, cat: Membership) -> None:
    set_aside(rater=cat, by=oak, reason="Clicked through.")
    progress = FIGURES["progress"](rated)
    assert {name: progress[name] for name in ("done", "wanted", "undated", "open_items")} == {
        "done": 4,
        "wanted": 8,
        "undated": 0,
        "open_items": 4,
    }
    assert [
        {name: rater[name] for name in ("items", "surplus", "set_aside")}
        for rater in FIGURES["raters"](rated)["raters"]
    ] == [{"items": 4, "surplus": 0, "set_aside": 0}, {"items": 0, "surplus": 0, "set_aside": 4}]
    assert votes_of(rated).pairs == []
    contents = contents_of(rated)
    assert (contents.ratings, contents.have_rated) == (4, 1)
    refresh_before_reading(campaign=rated)
    rows = ItemSummary.objects.order_by("item").values_list("ratings", "wanted", "unfilled")
    assert list(rows) == [(1, 2, 1)] * 4


def test_explorer_notices_both_acts(rated: Campaign, oak: Membership, cat: Membership) -> None:
    """Also where no slot says so, as of a surplus rating."""

    def split() -> int:
        refresh_before_reading(campaign=rated)
        return ItemSummary.objects.filter(is_disputed=True).count()

    assert split() == 3
    act = set_aside(rater=cat, by=oak, reason="Clicked through.")
    assert split() == 0
    undo_set_aside(act=act, by=oak)
    assert split() == 3


def test_rater_is_told_nothing(rated: Campaign, oak: Membership, cat: Membership) -> None:
    def known() -> tuple[int, list[tuple[int, bool]]]:
        return ratings_by(cat), [(each.pk, each.has_place) for each in history_of(cat)]

    before = known()
    set_aside(rater=cat, by=oak, reason="Clicked through.")
    assert known() == before


def test_revision_of_what_is_set_aside_is_set_aside(
    rated: Campaign, oak: Membership, cat: Membership
) -> None:
    act = set_aside(rater=cat, by=oak, reason="Clicked through.")
    first = Rating.objects.filter(rater=cat).earliest("pk")
    assert first.assignment_id is not None
    revised = submit(cat, first.assignment_id, "e", key="revised")
    assert (revised.has_place, revised.is_set_aside, revised.is_counted) == (True, True, False)
    assert not counted_ratings(rated).filter(rater=cat).exists()
    undo_set_aside(act=act, by=oak)
    assert counted_ratings(rated).filter(pk=revised.pk).exists()


def test_ratings_since_a_day_alone(rated: Campaign, oak: Membership, cat: Membership) -> None:
    tomorrow = timezone.localdate(timezone=timezone.get_default_timezone()) + timedelta(days=1)
    assert concerned(ratings_to_set_aside(cat, since=date(2001, 1, 1))) == Concerned(4, 4)
    with pytest.raises(NothingToSetAside):
        set_aside(rater=cat, by=oak, reason="Went wrong.", since=tomorrow)
    assert not SetAside.objects.exists()


def test_two_acts_on_one_rater_are_undone_each_by_itself(
    rated: Campaign, oak: Membership, cat: Membership
) -> None:
    first = set_aside(rater=cat, by=oak, reason="One.", items=[item_of(rated, 1).pk])
    second = set_aside(rater=cat, by=oak, reason="The rest.")
    listed = [{**vars(act)} for act in set_asides_of(rated)]
    assert [(each["id"], each["ratings"], each["votes"]) for each in listed] == [
        (second.pk, 3, 3),
        (first.pk, 1, 1),
    ]
    undo_set_aside(act=first, by=oak)
    with pytest.raises(SetAsideUndone):
        undo_set_aside(act=first, by=oak)
    assert set(RatingSetAside.objects.filter(holds=True).values_list("act", flat=True)) == {
        second.pk
    }
    assert campaign_progress(rated) == Progress(5, 8)


def test_surplus_rating_that_is_set_aside_is_no_late_evidence(
    rated: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    """Of the item on which both agree; a third rating came too late, and differs."""
    dan = make_member(rated, "dan")
    Rating.objects.create(
        item=item_of(rated, 4),
        rater=dan,
        outcome=Rating.objects.filter(outcome__label=E).earliest("pk").outcome,
        idempotency_key="late",
        payload_hash="late",
    )

    def late() -> int:
        return shelves_of(oak)[Shelf.WAITING].reasons[Reason.SURPLUS]

    assert late() == 1
    act = set_aside(rater=dan, by=oak, reason="Clicked through.")
    assert (late(), campaign_progress(rated)) == (0, Progress(8, 8))
    assert concerned(ratings_to_set_aside(dan)) == Concerned(0, 0)
    undo_set_aside(act=act, by=oak)
    assert late() == 1


def test_who_could_see_the_votes_is_noted_before_places_open(
    rated: Campaign, oak: Membership, ann: Membership, cat: Membership
) -> None:
    set_aside(rater=cat, by=oak, reason="Clicked through.")
    assert set(SeenVotes.objects.values_list("member", "item")) == {
        (oak.pk, item) for item in Item.objects.values_list("pk", flat=True)
    }
    assert claim_item(membership=oak) is None


def test_dismissed_item_opens_no_place_and_has_its_own_when_it_is_taken_back(
    rated: Campaign, oak: Membership, cat: Membership
) -> None:
    item = item_of(rated, 1).pk

    def act_on_it(kind: ActKind) -> None:
        do_act(member=oak, kind=kind, items=[item], options=Options(), idempotency_key=kind)

    def places() -> list[tuple[bool, bool]]:
        rows = Slot.objects.filter(item=item).order_by("number")
        return [(slot.is_filled, slot.order_key is not None) for slot in rows]

    act_on_it(ActKind.DISMISS)
    act = set_aside(rater=cat, by=oak, reason="Clicked through.", items=[item])
    assert places() == [(True, True), (True, False)]
    act_on_it(ActKind.TAKE_BACK)
    assert places() == [(True, True), (True, False), (False, True)]
    undo_set_aside(act=act, by=oak)
    assert places() == [(True, True), (True, True)]


def test_kept_figures_are_worked_out_again(
    rated: Campaign, oak: Membership, cat: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.agreement.workflow.assessment.LIVE_RATINGS", 2)
    assert assess(campaign=rated)
    assert figures_of(rated, "agreement").is_current
    set_aside(rater=cat, by=oak, reason="Clicked through.")
    assert not figures_of(rated, "agreement").is_current
    assert assess(campaign=rated)
    shown = figures_of(rated, "agreement")
    assert shown.content is not None
    assert (shown.is_current, shown.content["ratings"]) == (True, 4)


def test_worker_that_had_begun_before_stores_no_figures(
    rated: Campaign, oak: Membership, cat: Membership
) -> None:
    begun = Assessment.objects.create(campaign=rated, begun_at=Now(), attempt=1)
    set_aside(rater=cat, by=oak, reason="Clicked through.")
    begun.refresh_from_db()
    assert (begun.attempt, begun.begun_at) == (2, None)


def test_both_acts_are_in_the_audit_log(rated: Campaign, oak: Membership, cat: Membership) -> None:
    act = set_aside(rater=cat, by=oak, reason="Clicked through.")
    undo_set_aside(act=act, by=oak)
    entries = AuditEntry.objects.filter(action__startswith="ratings.").order_by("sequence")
    numbers = {"act": act.pk, "ratings": 4, "votes": 4}
    reasoned = {**numbers, "reason": "Clicked through.", "since": None}
    assert [(entry.action, entry.actor, entry.subject, entry.facts) for entry in entries] == [
        ("ratings.set-aside", "oak", "cat", reasoned),
        ("ratings.taken-back", "oak", "cat", numbers),
    ]
