"""Invitations to persons: what admins see of them, and what whoever is invited sees."""

from django.db.models import QuerySet
from django.db.models.functions import Now

from tasks.models import AnswerState, Campaign, PersonalInvitation, User

# to admins the same: that somebody has declined would tell that there is somebody
UNANSWERED = (AnswerState.WAITING, AnswerState.DECLINED)


def unanswered_in(campaign: Campaign) -> QuerySet[PersonalInvitation]:
    """What admins see as waiting, the newest first."""
    return PersonalInvitation.objects.filter(
        campaign=campaign, state__in=UNANSWERED, expires_at__gt=Now()
    ).order_by("-created_at", "-pk")


def invitations_of(user: User) -> QuerySet[PersonalInvitation]:
    """What the person is asked, the oldest first."""
    return (
        PersonalInvitation.objects.filter(
            user=user,
            state=AnswerState.WAITING,
            expires_at__gt=Now(),
            campaign__deleted_at=None,
        )
        .exclude(campaign__state="archived")
        .select_related("campaign", "created_by")
        .order_by("created_at", "pk")
    )
