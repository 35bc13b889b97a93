"""The state of a campaign in counts and dates, from which its overview follows."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db.models import Count, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from tasks.adjudication.queries.queue import Reason, Shelf, shelves_of
from tasks.agreement.figures.contents_figures import contents_figures
from tasks.agreement.findings import newest_open_alerts
from tasks.jobs.queries import open_failures
from tasks.models import (
    UNFINISHED,
    Adjudication,
    AlertKind,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    GeneratedState,
    ItemPurpose,
    Job,
    JobKind,
    Membership,
    Rating,
    Release,
    Role,
    SetAside,
    Slot,
    SuggestionPolicy,
)
from tasks.people.queries import open_invitations
from tasks.prefill.queries.generated import counts_by_state
from tasks.rating.queries.own_work import open_flags
from tasks.rating.workflow.admission import what_is_missing
from tasks.training.queries import member_standings
from tasks.votes.items import (
    Progress,
    campaign_progress,
    counted_before,
    live_items,
    quota_of,
)
from tomahto.types import JsonObject


@dataclass(frozen=True, slots=True)
class CampaignContents:
    """Counts of what is in a campaign.

    `unanswerable` of the questions have no right answer; candidates for them are not counted.
    `raters` are active members of that role with an account. `have_rated` counts whoever gave a
    vote, in any role, also people whose ratings were imported and who have no account.
    """

    questions: int
    unanswerable: int
    candidates: int
    exact_matches: int
    items: int
    suggested: int
    raters: int
    have_rated: int
    ratings: int
    releases: int


def contents_of(campaign: Campaign, figures: JsonObject | None = None) -> CampaignContents:
    """As they are counted now, or `figures` say."""
    counts = {**(figures or contents_figures(campaign))}
    del counts["raters"]
    raters = Membership.objects.filter(campaign=campaign, is_active=True, role=Role.RATER)
    return CampaignContents(
        **counts,
        raters=raters.exclude(user=None).count(),
        releases=Release.objects.filter(campaign=campaign).count(),
    )


State = Literal["paused", "consent", "calibration", "stuck", "at_quota", "able"]
"""An admin has paused them; they have yet to consent, or to pass the calibration; they have no
attempt at it left; they have rated as many items as they may; they could be handed an item."""


@dataclass(frozen=True, slots=True)
class AvailableRaters:
    """The number of raters who can sign in, by state; everybody counts in the first that holds.

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
        return sum(self.states.get(state, 0) for state in states)


@dataclass(frozen=True, slots=True)
class Activity:
    """When a member rated last, None where that is not known, and how many items they claimed and
    rated."""

    last: datetime | None
    claimed: int


def activity_in(figures: JsonObject) -> dict[int, Activity]:
    """By membership, of everybody who has rated, control items and imported ratings included."""
    return {
        int(rater): Activity(done["last"] and datetime.fromisoformat(done["last"]), done["claimed"])
        for rater, done in figures["raters"].items()
    }


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


STALLED_AFTER = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Situation:
    """Counts and dates of a campaign at this moment.

    `jobs` are the kinds of jobs that are not finished, `generated` the texts of models that wait
    for an admin. `is_agreement_low`: an open alert says so of α. `last_rating` is when the last
    rating was given that has a time, imported ones included; `now` the moment of asking. `waiting`
    are items in doubt that the member could decide, `ties` those of them without a majority.
    `has_new_data`: something was rated, decided, imported or set aside, or counts again, since the
    latest release that was not withdrawn.
    """

    contents: CampaignContents
    progress: Progress
    raters: AvailableRaters
    is_paused: bool
    is_archived: bool
    shows_suggestions: bool
    invitations: int
    last_rating: datetime | None
    now: datetime
    jobs: Collection[str] = ()
    generated: int = 0
    alerts: int = 0
    is_agreement_low: bool = False
    flags: int = 0
    failed_jobs: int = 0
    waiting: int = 0
    ties: int = 0
    latest_release: str = ""
    has_new_data: bool = False

    @property
    def is_rated(self) -> bool:
        """Whether every rating that is wanted is in place."""
        return 0 < self.progress.wanted <= self.progress.done

    @property
    def is_active(self) -> bool:
        """Whether somebody has rated in the last week."""
        return self.last_rating is not None and self.now - self.last_rating < STALLED_AFTER

    @property
    def without_suggestion(self) -> int:
        """Items that lack the suggestion which raters are to see, and no job is making any."""
        missing = self.contents.items - self.contents.suggested
        is_wanted = self.shows_suggestions and JobKind.SUGGEST not in self.jobs
        return max(missing, 0) if is_wanted else 0


def situation_for(member: Membership) -> Situation:
    """Of the member's campaign, as far as the member may know it."""
    campaign, now = member.campaign, timezone.now()
    waiting = shelves_of(member)[Shelf.WAITING]
    release = Release.objects.filter(campaign=campaign, withdrawal=None).first()
    figures = counted_before(campaign, "contents") or contents_figures(campaign)
    activity = activity_in(figures)
    alerts = [alert.kind for alert in newest_open_alerts(campaign)]
    unfinished = Job.objects.filter(campaign=campaign, state__in=UNFINISHED)
    return Situation(
        contents=contents_of(campaign, figures),
        progress=campaign_progress(campaign),
        raters=available_raters(campaign, activity, since=now - STALLED_AFTER),
        is_paused=campaign.state != CampaignState.OPEN,
        is_archived=campaign.is_archived,
        shows_suggestions=campaign.suggestions != SuggestionPolicy.HIDDEN,
        invitations=open_invitations(campaign).count(),
        last_rating=max((each.last for each in activity.values() if each.last), default=None),
        now=now,
        jobs=set(unfinished.values_list("kind", flat=True)),
        generated=counts_by_state(campaign)[GeneratedState.PENDING],
        alerts=len(alerts),
        is_agreement_low=AlertKind.ALPHA in alerts,
        flags=open_flags(campaign),
        failed_jobs=open_failures(campaign),
        waiting=waiting.items,
        ties=waiting.reasons[Reason.TIE],
        latest_release=release.version if release else "",
        has_new_data=release is not None and _has_data_since(campaign, release.created_at),
    )


def _has_data_since(campaign: Campaign, moment: datetime) -> bool:
    is_new = Q(created_at__gt=moment)
    ratings = Rating.objects.filter(item__campaign=campaign, item__purpose=ItemPurpose.LIVE)
    return (
        live_items(campaign).filter(is_new).exists()
        or ratings.filter(is_new).exists()
        or Adjudication.objects.filter(is_new, item__campaign=campaign).exists()
        or SetAside.objects.filter(is_new | Q(undone_at__gt=moment), campaign=campaign).exists()
    )
