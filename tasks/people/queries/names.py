"""The names of raters on pages: alike on every one."""

from tasks.models import Membership


def names_of_raters(member: Membership) -> dict[str, str]:
    """By pseudonym what the raters of a campaign are called for this member of it: admins know them
    by the names that they have chosen, everybody else by pseudonym."""
    members = Membership.objects.filter(campaign=member.campaign)
    return dict(members.values_list("pseudonym", "name" if member.is_admin else "pseudonym"))
