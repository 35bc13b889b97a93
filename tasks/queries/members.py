"""The people of a campaign, as its admins see them."""

from django.db.models import QuerySet

from tasks.models import Campaign, Membership


def members_of(campaign: Campaign) -> QuerySet[Membership]:
    """Everybody, active ones first, with their account and what a crowd service calls them."""
    return (
        Membership.objects.filter(campaign=campaign)
        .select_related("user", "invitation", "crowd_visit")
        .order_by("-is_active", "name")
    )
