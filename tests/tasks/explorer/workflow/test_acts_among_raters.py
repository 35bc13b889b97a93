"""Acts on items in any order among claims, ratings, skips and expired leases keep the promises."""

from collections import Counter
from datetime import timedelta
from typing import ClassVar

import pytest
from django.db.models import F
from django.db.models.functions import Now
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from tasks.explorer.workflow.acts import NothingToDo, do_act, undo_act
from tasks.explorer.workflow.plan import Options
from tasks.models import (
    ActedItem,
    ActKind,
    BulkAct,
    Campaign,
    ItemHandling,
    Membership,
    RatingSetAside,
    Slot,
)
from tasks.votes.ratings import counted_ratings
from tests.factories import make_campaign, make_items, make_member
from tests.tasks.rating.workflow.test_slot_machine import (
    ITEMS,
    NUMBERS,
    PICKS,
    PLAY,
    RATERS,
    Raters,
)

pytestmark = pytest.mark.slow

MORE = 2
OPTIONS = Options(more=MORE)
KINDS = (ActKind.DISMISS, ActKind.TAKE_BACK, ActKind.MORE)


class RatersAndAdmin(Raters):
    """The raters, and an admin who does and undoes acts meanwhile."""

    admins: ClassVar[dict[int, Membership]] = {}

    @property
    def admin(self) -> Membership:
        return Membership.objects.get(pk=self.admins[self.campaign.pk].pk)

    def act(self, kind: ActKind, items: list[int], options: Options = OPTIONS) -> None:
        try:
            do_act(
                member=self.admin,
                kind=kind,
                items=items,
                options=options,
                idempotency_key=f"act-{BulkAct.objects.count()}",
            )
        except NothingToDo:
            return

    @property
    def items(self) -> list[int]:
        return list(self.campaign.items.order_by("pk").values_list("pk", flat=True))

    @rule(kind=st.sampled_from(KINDS), pick=st.integers(0, ITEMS))
    def act_on_items(self, kind: ActKind, pick: int) -> None:
        """On one of them, or on all."""
        self.act(kind, self.items[pick : pick + 1] or self.items)

    @rule(number=NUMBERS, is_divided=st.booleans(), pick=st.integers(0, ITEMS))
    def assign(self, number: int, pick: int, *, is_divided: bool) -> None:
        """To one rater, or with another who comes after."""
        raters = tuple(rater.pseudonym for rater in self.members[number : number + 2])
        items = self.items[pick : pick + 1] or self.items
        self.act(ActKind.ASSIGN, items, Options(raters=raters, is_divided=is_divided))

    @rule()
    def end_assignments(self) -> None:
        given = Slot.objects.filter(given_until__isnull=False, is_filled=False)
        given.update(given_until=Now() - timedelta(seconds=1))

    @rule(pick=PICKS)
    @precondition(lambda self: BulkAct.objects.filter(undone_at=None).exists())
    def undo(self, pick: int) -> None:
        acts = list(BulkAct.objects.filter(undone_at=None).order_by("pk"))
        undone = undo_act(act=acts[pick % len(acts)], by=self.admin)
        assert undone.items >= 0 <= undone.kept

    @invariant()
    def votes_are_within_the_quota(self) -> None:
        """An item has at most as many as were ever wanted of it at once, unless votes that were set
        aside are back."""
        asked = ActedItem.objects.filter(act__kind=ActKind.MORE).values_list("item", flat=True)
        more = Counter(asked)
        votes = Counter(counted_ratings(self.campaign).values_list("item", flat=True))
        if not self.has_undone:
            assert all(votes[item] <= self.overlap + MORE * more[item] for item in votes)

    @invariant()
    def given_places_are_held_by_whom_they_are_given_to(self) -> None:
        given = Slot.objects.filter(given_until__gt=Now(), is_filled=False)
        assert not given.exclude(holder=None).exclude(holder__rater=F("given_to")).exists()

    @invariant()
    def dismissed_items_are_offered_to_nobody(self) -> None:
        offered = Slot.objects.filter(order_key__isnull=False, is_filled=False)
        assert not offered.filter(item__handling__is_dismissed=True).exists()

    def _finish(self) -> None:
        """No act has left anything that keeps the raters from what is wanted of them."""
        self.end_assignments()
        self.act(ActKind.TAKE_BACK, self.items)
        aside = RatingSetAside.objects.filter(holds=True, slot__isnull=False)
        left = Slot.objects.filter(order_key=None)
        assert set(left.values_list("pk", flat=True)) == set(aside.values_list("slot", flat=True))
        wanted = {
            handling.item_id: self.overlap + handling.more_ratings
            for handling in ItemHandling.objects.all()
        }
        offered = Slot.objects.filter(order_key__isnull=False)
        there = Counter(offered.values_list("item", flat=True))
        assert all(there[item] >= wanted.get(item, self.overlap) for item in self.items)
        super()._finish()


@pytest.fixture(autouse=True)
def _worlds(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds: dict[int, tuple[Campaign, list[Membership]]] = {}
    admins = {}
    for overlap in (1, 2):
        campaign = make_campaign(overlap=overlap)
        make_items(campaign, ITEMS)
        worlds[overlap] = campaign, [make_member(campaign) for _number in range(RATERS)]
        admins[campaign.pk] = make_member(campaign, "admin")
    monkeypatch.setattr(RatersAndAdmin, "worlds", worlds)
    monkeypatch.setattr(RatersAndAdmin, "admins", admins)


def test_no_order_of_acts_and_ratings_breaks_a_promise() -> None:
    run_state_machine_as_test(RatersAndAdmin, settings=PLAY)
