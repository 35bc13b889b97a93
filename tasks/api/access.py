"""Who calls, and what they may see. What one may not see is not there (404)."""

from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request

from tasks.models import Membership, Role, User
from tasks.queries.memberships import membership_in


def user_of(request: Request) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def member_of(request: Request, slug: str, *roles: Role) -> Membership:
    """The caller's membership; 404 for a stranger, 403 for a member in another role."""
    try:
        membership = membership_in(user_of(request), slug)
    except Membership.DoesNotExist:
        raise NotFound("there is no such campaign for you") from None
    if roles and membership.role not in roles:
        raise PermissionDenied(f"this needs the role {' or '.join(roles)}")
    return membership
