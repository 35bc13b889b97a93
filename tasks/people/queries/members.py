"""The people of a campaign, as its admins see them."""

from django.db.models import QuerySet

from tasks.access.queries.crowd import is_crowd_account
from tasks.models import Campaign, Membership, User


def members_of(campaign: Campaign) -> QuerySet[Membership]:
    """Everybody, active ones first, with their account and what a crowd service calls them."""
    return (
        Membership.objects.filter(campaign=campaign)
        .select_related("user", "invitation", "crowd_visit")
        .order_by("-is_active", "name")
    )


def account_to_admit(username: str) -> User | None:
    """The active account of this name; None where there is none, or a crowd visitor's."""
    name = User.normalize_username(username)
    user = User.objects.filter(username=name, is_active=True).first()
    return None if user is None or is_crowd_account(user) else user
