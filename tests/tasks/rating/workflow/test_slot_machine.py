"""Any order of claims, ratings, expired leases, revisions, skips, dismissals, and of ratings set
aside and brought back, keeps the promises.

Hypothesis plays several raters against the workflow, with forms that stay open across all of it,
and looks at the database after each step.
"""

from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

import pytest
from django.db import transaction
from django.db.models.functions import Now
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tasks.access.queries import membership_in
from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Membership,
    Rating,
    Role,
    SetAside,
    Slot,
)
from tasks.people.workflow.members import deactivate, reactivate, set_paused
from tasks.rating.workflow import rating as statements
from tasks.rating.workflow import rating as submitting
from tasks.rating.workflow.assignment import Paused, claim_following, claim_item
from tasks.rating.workflow.rating import GivenBack, KeyReused, submit_rating
from tasks.votes.items import campaign_progress, ratings_by
from tasks.votes.ratings import counted_ratings, current_ratings, history_of
from tasks.votes.workflow import NothingToSetAside, set_aside, skip_item, undo_set_aside
from tests.factories import make_campaign, make_items, make_member
from tests.sampling import IS_LONG

pytestmark = pytest.mark.slow


RATERS, ITEMS = 3, 2
PLAY = settings(max_examples=500 if IS_LONG else 25, stateful_step_count=30 if IS_LONG else 15)
# who only wants to see it fail needs no smallest case
GENERATE = settings(PLAY, max_examples=1000, phases=[Phase.generate])
NUMBERS = st.integers(0, RATERS - 1)
GIVEN = st.sampled_from([{"q1": "yes"}, {"q1": "no", "q2": "yes"}])
PICKS = st.integers(0, 999)


@dataclass
class Form:
    """A form that somebody has open, and what it was last submitted with under its key."""

    rater: int
    assignment: int
    key: str
    answers: dict[str, str] | None = None
    rating: int = 0


class Raters(RuleBasedStateMachine):
    """Three raters and two items with one place or two: there is something to fight for."""

    worlds: ClassVar[dict[int, tuple[Campaign, list[Membership]]]] = {}

    def __init__(self) -> None:
        super().__init__()
        self._undo = ExitStack()
        self._undo.enter_context(transaction.atomic())
        self.forms: list[Form] = []
        self.has_undone = False

    @initialize(overlap=st.sampled_from([1, 2]))
    def start(self, overlap: int) -> None:
        self.overlap = overlap
        self.campaign, self.members = self.worlds[overlap]
        self.distrusting = Membership.objects.get(campaign=self.campaign, role=Role.ADMIN)

    def teardown(self) -> None:
        try:
            self._finish()
        finally:
            transaction.set_rollback(True)
            self._undo.close()

    def member(self, number: int) -> Membership | None:
        """As page and API find them; None for whom they do not let in."""
        user = self.members[number].user
        assert user is not None
        try:
            return membership_in(user, self.campaign.slug)
        except Membership.DoesNotExist:
            return None

    def form(self, pick: int) -> Form:
        return self.forms[pick % len(self.forms)]

    def open_form(self, rater: int, assignment: int) -> None:
        self.forms.append(Form(rater, assignment, f"key-{len(self.forms)}"))

    @rule(number=NUMBERS)
    def claim(self, number: int) -> None:
        if (member := self.member(number)) is None:
            return
        try:
            claimed = claim_item(membership=member)
        except Paused:
            assert member.is_paused or member.campaign.state == CampaignState.PAUSED
            return
        assert not member.is_paused
        if claimed is not None:
            slot = Slot.objects.get(holder=claimed.assignment_id)
            assert not slot.is_filled
            self.open_form(number, claimed.assignment_id)

    @rule(pick=PICKS)
    @precondition(lambda self: self.forms)
    def claim_following(self, pick: int) -> None:
        form = self.form(pick)
        if self.member(form.rater) is None:
            return
        assignment = Assignment.objects.select_related("rater__campaign").get(pk=form.assignment)
        try:
            claimed = claim_following(assignment=assignment)
        except Paused:
            return
        if claimed is not None:
            assert claimed.assignment_id != form.assignment
            self.open_form(form.rater, claimed.assignment_id)

    @rule(pick=PICKS, answers=GIVEN)
    @precondition(lambda self: self.forms)
    def submit(self, pick: int, answers: dict[str, str]) -> None:
        """A form, for the first time or again, with the same answers or others."""
        form = self.form(pick)
        if (member := self.member(form.rater)) is None:
            return
        before = Rating.objects.count()
        try:
            done = submit_rating(
                assignment_id=form.assignment,
                membership=member,
                answers=answers,
                idempotency_key=form.key,
            )
        except KeyReused:
            assert form.answers not in (None, answers)
            assert Rating.objects.count() == before
            return
        except GivenBack:
            assert Assignment.objects.get(pk=form.assignment).state == AssignmentState.SKIPPED
            assert Rating.objects.count() == before
            return
        assert done.is_replay == (form.answers is not None)
        assert Rating.objects.count() == before + (not done.is_replay)
        assert form.answers in (None, answers)
        assert form.rating in (0, done.rating.pk)
        form.answers, form.rating = answers, done.rating.pk

    @rule(pick=PICKS)
    @precondition(lambda self: self.forms)
    def revise(self, pick: int) -> None:
        """Open what was rated before once more: the next submission has a key of its own."""
        form = self.form(pick)
        if form.answers is not None:
            self.open_form(form.rater, form.assignment)

    @rule(pick=PICKS)
    @precondition(lambda self: self.forms)
    def skip(self, pick: int) -> None:
        form = self.form(pick)
        assignment = Assignment.objects.get(pk=form.assignment)
        if self.member(form.rater) is not None and assignment.state != AssignmentState.SKIPPED:
            skip_item(assignment=assignment, reason="unclear")

    @rule(number=st.one_of(st.none(), NUMBERS))
    def end_leases(self, number: int | None) -> None:
        """Of one rater or of all, by the database's clock."""
        held = Slot.objects.filter(holder__isnull=False)
        if number is not None:
            held = held.filter(holder__rater=self.members[number])
        held.update(expires_at=Now() - timedelta(seconds=1))

    @rule(number=NUMBERS)
    def take_over(self, number: int) -> None:
        """All leases end, and somebody is there at once."""
        self.end_leases(None)
        self.claim(number)

    @rule(number=NUMBERS, is_paused=st.booleans())
    def pause_rater(self, number: int, is_paused: bool) -> None:
        set_paused(member=Membership.objects.get(pk=self.members[number].pk), is_paused=is_paused)

    @rule(state=st.sampled_from([CampaignState.OPEN, CampaignState.PAUSED]))
    def pause_campaign(self, state: str) -> None:
        Campaign.objects.filter(pk=self.campaign.pk).update(state=state)

    @rule(number=NUMBERS, is_active=st.booleans())
    def dismiss(self, number: int, is_active: bool) -> None:
        member = Membership.objects.get(pk=self.members[number].pk)
        reactivate(member=member) if is_active else deactivate(member=member)

    @rule(number=NUMBERS)
    def set_aside(self, number: int) -> None:
        rater = Membership.objects.get(pk=self.members[number].pk)
        with suppress(NothingToSetAside):
            set_aside(rater=rater, by=self.distrusting, reason="Clicked through.")

    @rule()
    @precondition(lambda self: SetAside.objects.filter(undone_at=None).exists())
    def undo_set_aside(self) -> None:
        self.has_undone = True
        act = SetAside.objects.filter(undone_at=None).latest("pk")
        undo_set_aside(act=act, by=self.distrusting)

    @invariant()
    def nothing_is_lost_or_changed(self) -> None:
        """Surplus ratings too: every submission is a row of its own, as it was sent."""
        stored = {
            row["pk"]: (row["assignment"], row["idempotency_key"], row["outcome__answers"])
            for row in Rating.objects.values(
                "pk", "assignment", "idempotency_key", "outcome__answers"
            )
        }
        sent = {
            form.rating: (form.assignment, form.key, form.answers)
            for form in self.forms
            if form.rating
        }
        assert stored == sent

    @invariant()
    def votes_are_within_the_quota(self) -> None:
        """And each slot is filled by whom it was given to, or open. What was set aside leaves its
        place to others; brought back, it has it again beside theirs."""
        rows = current_ratings(self.campaign).values_list("item", "rater", "slot", "assignment")
        current = list(rows)
        assert len({(item, rater) for item, rater, _slot, _assignment in current}) == len(current)
        votes = Counter(counted_ratings(self.campaign).values_list("item", flat=True))
        offered = self.campaign.slots.filter(order_key__isnull=False)
        places = Counter(offered.values_list("item", flat=True))
        assert votes <= places
        if not self.has_undone:
            assert max(places.values()) == self.overlap
        given = {slot: assignment for _item, _rater, slot, assignment in current if slot}
        filled = Slot.objects.filter(is_filled=True).values_list("pk", "holder")
        assert given == dict(filled)

    def history_is_linear(self) -> None:
        """Every revision is of the same rater, item and slot as what it supersedes."""
        revisions = Rating.objects.filter(supersedes__isnull=False).select_related("supersedes")
        for each in revisions:
            before = each.supersedes
            assert before is not None
            assert (each.item_id, each.rater_id, each.assignment_id, each.slot_id) == (
                before.item_id,
                before.rater_id,
                before.assignment_id,
                before.slot_id,
            )
        roots = Rating.objects.filter(supersedes=None)
        assert roots.values("item", "rater").distinct().count() == roots.count()

    def queries_agree(self) -> None:
        """The counts of pages are those that are stored."""
        counted = counted_ratings(self.campaign).count()
        assert counted == campaign_progress(self.campaign).done
        assert counted == Slot.objects.filter(is_filled=True, order_key__isnull=False).count()
        for member in self.members:
            mine = Rating.objects.filter(rater=member).values("item").distinct().count()
            assert ratings_by(member) == history_of(member).count() == mine
        submitted = Assignment.objects.filter(state=AssignmentState.SUBMITTED)
        rated = Rating.objects.values_list("assignment", flat=True)
        assert set(submitted.values_list("pk", flat=True)) == set(rated)

    def _finish(self) -> None:
        """In the end whoever may rate does, and no slot stays open that somebody could fill."""
        self.pause_campaign(CampaignState.OPEN)
        self.end_leases(None)
        for number, member in enumerate(self.members):
            self.dismiss(number, is_active=True)
            self.pause_rater(number, is_paused=False)
            while claimed := claim_item(membership=Membership.objects.get(pk=member.pk)):
                self.open_form(number, claimed.assignment_id)
                self.submit(len(self.forms) - 1, {"q1": "yes"})
        self.nothing_is_lost_or_changed()
        self.votes_are_within_the_quota()
        self.history_is_linear()
        self.queries_agree()
        for slot in self.campaign.slots.filter(is_filled=False):
            settled = slot.item.assignments.exclude(state=AssignmentState.ACTIVE)
            assert settled.count() == RATERS


@pytest.fixture(autouse=True)
def _worlds(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are before each play, which is rolled back."""
    worlds = {}
    for overlap in (1, 2):
        campaign = make_campaign(overlap=overlap)
        make_items(campaign, ITEMS)
        make_member(campaign, Role.ADMIN)
        worlds[overlap] = campaign, [make_member(campaign) for _number in range(RATERS)]
    monkeypatch.setattr(Raters, "worlds", worlds)


def test_no_order_of_steps_breaks_a_promise() -> None:
    run_state_machine_as_test(Raters, settings=PLAY)


@pytest.mark.thorough
def test_machine_finds_a_missing_fence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever once held a slot may fill it, as if the lease were all there was."""
    monkeypatch.setattr(submitting, "_store_at_once", lambda *_: False)
    fill = "UPDATE tasks_slot SET is_filled = %s WHERE id = %s AND %s > 0 AND is_filled = %s"
    monkeypatch.setattr(statements, "FILL_SLOT", fill)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(Raters, settings=GENERATE)
