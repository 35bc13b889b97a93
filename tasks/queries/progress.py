"""How far a campaign and its raters are."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Avg, Count, F, Max, Q

from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    ItemPurpose,
    Membership,
    Rating,
    Slot,
)


@dataclass(frozen=True, slots=True)
class Progress:
    """Ratings in place and ratings wanted."""

    done: int
    wanted: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None while nothing is wanted."""
        return self.done / self.wanted if self.wanted else None


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """What one member has done on live items, and how many control items they got right.

    Right is the label that was expected. `seconds` is the mean time of a rating, where known.
    """

    name: str
    pseudonym: str
    role: str
    is_active: bool
    ratings: int
    surplus: int
    skipped: int
    controls: int
    controls_right: int
    seconds: float | None
    last_rated: datetime | None


def campaign_progress(campaign: Campaign) -> Progress:
    counts = Slot.objects.filter(campaign=campaign, order_key__isnull=False).aggregate(
        done=Count("id", filter=Q(is_filled=True)), wanted=Count("id")
    )
    return Progress(counts["done"], counts["wanted"])


def ratings_by(membership: Membership) -> int:
    """How many items the member has rated; revisions count once."""
    return Rating.objects.filter(rater=membership, supersedes=None).count()


def is_quota_reached(membership: Membership) -> bool:
    """Whether the member has rated as many items as they may, control items included.

    Their own quota goes before the campaign's; without either there is no limit, and no query.
    """
    quota = membership.campaign.rater_quota if membership.quota is None else membership.quota
    if quota is None:
        return False
    rated = Assignment.objects.filter(rater=membership, state=AssignmentState.SUBMITTED)
    return rated.count() >= quota


def progress_per_rater(campaign: Campaign) -> list[RaterProgress]:
    """Every member who rates or has rated, most ratings first."""
    stands = Q(ratings__isnull=False, ratings__superseded_by=None)
    current = stands & Q(ratings__item__purpose=ItemPurpose.LIVE)
    control = stands & Q(ratings__item__purpose=ItemPurpose.CONTROL)
    as_expected = Q(ratings__outcome__label=F("ratings__item__expected__outcome__label"))
    members = (
        Membership.objects.filter(campaign=campaign)
        .annotate(
            rated=Count("ratings", filter=current & Q(ratings__slot__isnull=False)),
            extra=Count("ratings", filter=current & Q(ratings__slot__isnull=True)),
            controls=Count("ratings", filter=control),
            controls_right=Count("ratings", filter=control & as_expected),
            mean_seconds=Avg("ratings__seconds", filter=current),
            last=Max(F("ratings__rated_at")),
        )
        .order_by("-rated", "name")
    )
    skipped = dict(
        Membership.objects.filter(campaign=campaign, assignments__state="skipped").values_list(
            "id", Count("assignments")
        )
    )
    return [
        RaterProgress(
            name=member.name,
            pseudonym=member.pseudonym,
            role=member.get_role_display(),
            is_active=member.is_active,
            ratings=member.rated,
            surplus=member.extra,
            skipped=skipped.get(member.pk, 0),
            controls=member.controls,
            controls_right=member.controls_right,
            seconds=member.mean_seconds,
            last_rated=member.last,
        )
        for member in members
    ]
