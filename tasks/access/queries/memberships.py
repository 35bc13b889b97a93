"""Who may see which campaign. Every page and every API call starts here."""

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from tasks.models import Campaign, Guideline, Membership, Role, User
from tasks.storing.joined_rows import LARGEST_ID, columns, fetch_joined

_MEMBERSHIP = f"""
SELECT {columns(m=Membership, c=Campaign, g=Guideline)}
FROM tasks_membership m
JOIN tasks_campaign c ON c.id = m.campaign_id AND c.deleted_at IS NULL
LEFT JOIN tasks_guideline g ON g.id = c.guideline_id
"""  # noqa: S608 - names of our own columns
_IN_CAMPAIGN = f"{_MEMBERSHIP} WHERE m.user_id = %s AND m.is_active AND c.slug = %s"
_OF_ASSIGNMENT = (
    f"{_MEMBERSHIP} JOIN tasks_assignment a ON a.rater_id = m.id"
    " WHERE m.user_id = %s AND m.is_active AND a.id = %s"
)


def memberships_of(user: User) -> QuerySet[Membership]:
    """The user's active memberships with their campaigns, in the order of campaign titles."""
    return (
        Membership.objects.filter(user=user, is_active=True, campaign__deleted_at=None)
        .select_related("campaign__guideline", "user")
        .order_by("campaign__title")
    )


def membership_in(user: User, slug: str, *roles: Role) -> Membership:
    """The user's active membership in a campaign, in one of the roles if any are named.

    Raises Membership.DoesNotExist: a campaign one may not see is not there.
    """
    membership = _membership(_IN_CAMPAIGN, user, slug)
    if roles and membership.role not in roles:
        raise Membership.DoesNotExist
    return membership


def membership_for_assignment(user: User, assignment_id: int) -> Membership:
    """The user's active membership that an assignment belongs to.

    Raises Membership.DoesNotExist, also for somebody else's assignment.
    """
    return _membership(_OF_ASSIGNMENT, user, min(assignment_id, LARGEST_ID))


def campaign_to_enter(user: User, slug: str) -> Campaign:
    """A campaign that the user may enter as an operator of the site.

    Raises Campaign.DoesNotExist, also for who is no operator.
    """
    if not user.is_operator:
        raise Campaign.DoesNotExist
    return Campaign.objects.get(slug=slug, deleted_at=None)


def campaigns_of_site(user: User) -> QuerySet[Any, Any]:
    """Every campaign, by its title, for an operator of the site; `role` is theirs, None outside.

    None at all for anybody else.
    """
    mine = Membership.objects.filter(campaign=OuterRef("pk"), user=user, is_active=True)
    found = Campaign.objects.filter(deleted_at=None)
    found = found.annotate(role=Subquery(mine.values("role")[:1]))
    return found.order_by("title", "pk") if user.is_operator else found.none()


def _membership(statement: str, user: User, *parameters: Any) -> Membership:
    found = fetch_joined(statement, [user.pk, *parameters], Membership, Campaign, Guideline)
    if found is None:
        raise Membership.DoesNotExist
    membership: Membership
    membership, membership.campaign, membership.campaign.guideline = found
    membership.user = user
    return membership
