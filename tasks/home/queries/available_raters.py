"""Raters who could be handed an item, and the reasons why the others could not."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Count, IntegerField, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from tasks.models import Assignment, AssignmentState, Campaign, Membership, Rating, Role, Slot
from tasks.rating.workflow.admission import what_is_missing
from tasks.training.queries import member_standings
from tasks.votes.progress import quota_of

State = Literal["paused", "consent", "calibration", "stuck", "at_quota", "able"]
"""An admin has paused them; they have yet to consent, or to pass the calibration; they have no
attempt at it left; they have rated as many items as they may; they could be handed an item."""


@dataclass(frozen=True, slots=True)
class AvailableRaters:
    """How many raters who can sign in are in each state; everybody counts in the first that holds.

    `begun` of them have ever rated. `others` who are no raters have rated lately. `idle` are the
    pseudonyms of the able who have not lately. `has_work`: some item that wants ratings could still
    be handed to one of the able.
    """

    states: Mapping[State, int]
    begun: int = 0
    others: int = 0
    idle: tuple[str, ...] = ()
    has_work: bool = False

    @property
    def all(self) -> int:
        return sum(self.states.values())

    def are(self, *states: State) -> int:
        """How many are in one of these states."""
        return sum(self.states.get(state, 0) for state in states)


@dataclass(frozen=True, slots=True)
class Activity:
    """When a member rated last, None where that is not known, and how many items they claimed and
    rated."""

    last: datetime | None
    claimed: int


def activity_in(campaign: Campaign) -> dict[int, Activity]:
    """By membership, of everybody who has rated, control items and imported ratings included."""
    claimed = Q(supersedes=None, assignment__isnull=False)
    rows = (
        Rating.objects.filter(rater__campaign=campaign)
        .order_by()
        .values_list("rater")
        .annotate(last=Max("rated_at"), claimed=Count("pk", filter=claimed))
    )
    return {rater: Activity(last, number) for rater, last, number in rows}


def available_raters(
    campaign: Campaign, activity: Mapping[int, Activity], since: datetime
) -> AvailableRaters:
    """As `activity_in` says who has done what; who has rated since that moment is not idle."""
    members = Membership.objects.filter(campaign=campaign, is_active=True, user__is_active=True)
    raters = members.filter(role=Role.RATER).order_by("pseudonym")
    lately = [pk for pk, done in activity.items() if done.last and done.last >= since]
    others = members.exclude(role=Role.RATER).filter(pk__in=lately).count()
    stuck: Collection[int] = ()
    if campaign.requires_calibration:
        standings = member_standings(campaign)
        stuck = {each.membership.pk for each in standings if each.standing == "stuck"}
    states: Counter[State] = Counter()
    able, idle, begun = [], [], 0
    for rater in raters:
        rater.campaign = campaign
        done = activity.get(rater.pk, Activity(None, 0))
        state = _state(rater, done.claimed, is_stuck=rater.pk in stuck)
        states[state] += 1
        begun += rater.pk in activity
        if state == "able":
            able.append(rater.pk)
            if (done.last or rater.created_at) < since:
                idle.append(rater.pseudonym)
    has_work = bool(able) and _has_work(campaign, able)
    return AvailableRaters(states, begun, others, tuple(idle), has_work)


def _state(rater: Membership, claimed: int, *, is_stuck: bool) -> State:
    quota, missing = quota_of(rater), what_is_missing(rater)
    if rater.is_paused:
        return "paused"
    if missing == "calibration" and is_stuck:
        return "stuck"
    if missing:
        return missing
    return "able" if quota is None or claimed < quota else "at_quota"


def _has_work(campaign: Campaign, raters: Collection[int]) -> bool:
    """Whether some item wants a rating that one of the raters has not given or declined to give."""
    settled = (
        Assignment.objects.filter(
            ~Q(state=AssignmentState.ACTIVE), item=OuterRef("item"), rater__in=raters
        )
        .order_by()
        .values("item")
        .annotate(raters=Count("pk"))
        .values("raters")
    )
    number = Coalesce(Subquery(settled), 0, output_field=IntegerField())
    wanted = Slot.objects.filter(campaign=campaign, order_key__isnull=False, is_filled=False)
    return wanted.annotate(settled=number).filter(settled__lt=len(raters)).exists()
