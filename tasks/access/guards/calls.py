"""Who calls, and what they may see. What one may not see is not there (404)."""

from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from tasks.access.queries.memberships import membership_for_assignment, membership_in
from tasks.access.queries.tokens import TokenHolder
from tasks.models import ApiToken, Membership, Role, User
from tasks.storing.archived import require_not_archived


def member_of(
    request: Request, slug: str, *roles: Role, while_archived: bool = False
) -> Membership:
    """The caller's membership; 404 for a stranger, 403 for a member in another role, and 409 for
    writing in an archived campaign, unless that may be done `while_archived`."""
    try:
        membership = _by_token(request) or membership_in(caller_of(request), slug)
    except Membership.DoesNotExist:
        raise NotFound("no such campaign, or you are not a member of it") from None
    if roles and membership.role not in roles:
        raise PermissionDenied(f"required role: {' or '.join(roles)}")
    membership.campaign.reader = membership
    return membership if while_archived else _may_write(request, membership)


def member_for_assignment(request: Request, assignment_id: int) -> Membership:
    """The caller's membership that an assignment belongs to; 404 for anybody else's."""
    try:
        found = _by_token(request) or membership_for_assignment(caller_of(request), assignment_id)
    except Membership.DoesNotExist:
        raise NotFound("you have no such assignment") from None
    return _may_write(request, found)


def caller_of(request: Request) -> User:
    """The account that calls."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def token_of(request: Request) -> ApiToken | None:
    """The token that they call by; None in a browser's session."""
    return request.auth.token if isinstance(request.auth, TokenHolder) else None


def _may_write(request: Request, membership: Membership) -> Membership:
    """The membership, unless the request would write in an archived campaign."""
    if request.method not in SAFE_METHODS:
        require_not_archived(membership.campaign)
    return membership


def _by_token(request: Request) -> Membership | None:
    """The membership read with the token; None for a session, which has none."""
    if not isinstance(request.auth, TokenHolder):
        return None
    if request.auth.membership is None:
        raise Membership.DoesNotExist
    return request.auth.membership
