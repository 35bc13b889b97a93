"""Which saved views a member sees, and which they may remove."""

from django.db.models import Q, QuerySet

from tasks.models import Membership, SavedView


def views_for(member: Membership) -> QuerySet[SavedView]:
    """Their own and those that others share, by name."""
    seen = Q(member=member) | Q(is_shared=True)
    found = SavedView.objects.filter(seen, campaign=member.campaign).select_related("member")
    return found.order_by("name", "pk")


def removable_views(member: Membership) -> QuerySet[SavedView]:
    """Their own; admins may remove shared ones too."""
    theirs = Q(member=member)
    if member.is_admin:
        theirs |= Q(is_shared=True)
    return views_for(member).filter(theirs)
