"""How far a campaign and its raters are."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Avg, Count, F, Max, Q

from tasks.models import Campaign, Membership, Rating, Slot


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
    """What one member has done. `seconds` is the mean time of a rating, where it is known."""

    name: str
    pseudonym: str
    role: str
    is_active: bool
    ratings: int
    surplus: int
    skipped: int
    seconds: float | None
    last_rated: datetime | None


def campaign_progress(campaign: Campaign) -> Progress:
    counts = Slot.objects.filter(campaign=campaign).aggregate(
        done=Count("id", filter=Q(is_filled=True)), wanted=Count("id")
    )
    return Progress(counts["done"], counts["wanted"])


def ratings_by(membership: Membership) -> int:
    """How many items the member has rated; revisions count once."""
    return Rating.objects.filter(rater=membership, supersedes=None).count()


def progress_per_rater(campaign: Campaign) -> list[RaterProgress]:
    """Every member who rates or has rated, most ratings first."""
    current = Q(ratings__isnull=False, ratings__superseded_by=None)
    members = (
        Membership.objects.filter(campaign=campaign)
        .annotate(
            rated=Count("ratings", filter=current & Q(ratings__slot__isnull=False)),
            extra=Count("ratings", filter=current & Q(ratings__slot__isnull=True)),
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
            seconds=member.mean_seconds,
            last_rated=member.last,
        )
        for member in members
    ]
