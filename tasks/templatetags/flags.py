"""The number of open flags, for the navigation on every page of a campaign."""

from django import template

from tasks.models import Membership, Role
from tasks.rating.queries.flags import open_flags

register = template.Library()


@register.simple_tag
def flags_to_settle(membership: Membership) -> int:
    """How many flags wait for this member; none for those who are not admins."""
    return open_flags(membership.campaign) if membership.role == Role.ADMIN else 0
