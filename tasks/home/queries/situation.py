"""How a campaign stands, as facts: what its overview says follows from them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from tasks.adjudication.queries.queue import Reason, Shelf, shelves_of
from tasks.agreement.findings.alerts import newest_open_alerts
from tasks.home.queries.available_raters import AvailableRaters, activity_in, available_raters
from tasks.home.queries.contents import CampaignContents, contents_of
from tasks.jobs.queries.jobs import open_failures
from tasks.models import (
    UNFINISHED,
    Adjudication,
    AlertKind,
    Campaign,
    CampaignState,
    GeneratedState,
    ItemPurpose,
    Job,
    JobKind,
    Membership,
    Rating,
    Release,
    SetAside,
    SuggestionPolicy,
)
from tasks.people.queries.invitations import open_invitations
from tasks.prefill.queries.generated import counts_by_state
from tasks.rating.queries.flags import open_flags
from tasks.votes.items import live_items
from tasks.votes.progress import Progress, campaign_progress

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
    activity = activity_in(campaign)
    alerts = [alert.kind for alert in newest_open_alerts(campaign)]
    unfinished = Job.objects.filter(campaign=campaign, state__in=UNFINISHED)
    return Situation(
        contents=contents_of(campaign),
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
