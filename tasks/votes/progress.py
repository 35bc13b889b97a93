"""How far a campaign and its raters are."""

from dataclasses import dataclass

from django.db.models import Count, Q

from tasks.models import Assignment, AssignmentState, Campaign, Membership, Rating, Slot


@dataclass(frozen=True, slots=True)
class Progress:
    """Ratings in place and ratings wanted."""

    done: int
    wanted: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None while nothing is wanted."""
        return self.done / self.wanted if self.wanted else None


def campaign_progress(campaign: Campaign) -> Progress:
    """The filled slots of live items, of all. Not for raters: it stands still after a control
    item, so that two looks would tell which item was one."""
    counts = Slot.objects.filter(campaign=campaign, order_key__isnull=False).aggregate(
        done=Count("id", filter=Q(is_filled=True)), wanted=Count("id")
    )
    return Progress(counts["done"], counts["wanted"])


def ratings_by(membership: Membership) -> int:
    """How many items the member has rated, of whatever purpose; revisions count once."""
    return Rating.objects.filter(rater=membership, supersedes=None).count()


def votes_by(membership: Membership) -> int:
    """The member's part of what `campaign_progress` counts as done."""
    return Rating.objects.filter(
        rater=membership, supersedes=None, slot__order_key__isnull=False
    ).count()


def quota_of(membership: Membership) -> int | None:
    """How many items the member may rate, control items included; None for any number.

    Their own quota goes before the campaign's.
    """
    return membership.campaign.rater_quota if membership.quota is None else membership.quota


def is_quota_reached(membership: Membership) -> bool:
    """Whether the member has rated as many items as they may; no query without a quota."""
    quota = quota_of(membership)
    if quota is None:
        return False
    rated = Assignment.objects.filter(rater=membership, state=AssignmentState.SUBMITTED)
    return rated.count() >= quota
