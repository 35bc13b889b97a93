"""Access to campaigns: every page and every call starts here. Then tokens, second factors, and
visitors of a crowd service."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks.models import ApiToken, Campaign, CrowdVisit, Guideline, Membership, Role, User
from tasks.storing.database import LARGEST_ID, columns, fetch_joined, fetch_row, instances

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
    """In one of the roles, if any are named. Raises Membership.DoesNotExist: a campaign one may not
    see is not there."""
    membership = _membership(_IN_CAMPAIGN, user, slug)
    if roles and membership.role not in roles:
        raise Membership.DoesNotExist
    return membership


def membership_for_assignment(user: User, assignment_id: int) -> Membership:
    """Raises Membership.DoesNotExist, also for somebody else's assignment."""
    return _membership(_OF_ASSIGNMENT, user, min(assignment_id, LARGEST_ID))


def campaign_to_enter(user: User, slug: str) -> Campaign:
    """Raises Campaign.DoesNotExist, also for who is no operator."""
    if not user.is_operator:
        raise Campaign.DoesNotExist
    return Campaign.objects.get(slug=slug, deleted_at=None)


def campaigns_of_site(user: User) -> QuerySet[Any, Any]:
    """By title, and for operators alone; `role` is theirs in it, None outside."""
    mine = Membership.objects.filter(campaign=OuterRef("pk"), user=user, is_active=True)
    campaigns = Campaign.objects.filter(deleted_at=None)
    campaigns = campaigns.annotate(role=Subquery(mine.values("role")[:1]))
    return campaigns.order_by("title", "pk") if user.is_operator else campaigns.none()


def _membership(statement: str, user: User, *parameters: Any) -> Membership:
    row = fetch_joined(statement, [user.pk, *parameters], Membership, Campaign, Guideline)
    if row is None:
        raise Membership.DoesNotExist
    membership: Membership
    membership, membership.campaign, membership.campaign.guideline = row
    membership.user = user
    return membership


# with the membership, in one read: a rater's program makes two calls for every rating
_HOLDER = f"""
SELECT t.scopes, {columns(t=ApiToken, u=User, m=Membership, c=Campaign, g=Guideline)}
FROM tasks_apitoken t JOIN tasks_user u ON u.id = t.user_id
"""  # noqa: S608 - names of our own columns
_HERE = "m.user_id = u.id AND m.is_active AND (t.campaign_id IS NULL OR t.campaign_id = {place})"
_HOLDER_IN_CAMPAIGN = f"""
LEFT JOIN tasks_campaign c ON c.slug = %s AND c.deleted_at IS NULL
LEFT JOIN tasks_membership m ON m.campaign_id = c.id AND {_HERE.format(place="c.id")}
"""
_HOLDER_OF_ASSIGNMENT = f"""
LEFT JOIN tasks_assignment a ON a.id = %s
LEFT JOIN tasks_item i ON i.id = a.item_id
LEFT JOIN tasks_campaign c ON c.id = i.campaign_id AND c.deleted_at IS NULL
LEFT JOIN tasks_membership m ON m.id = a.rater_id AND {_HERE.format(place="c.id")}
  AND m.campaign_id = c.id
"""
_BY_DIGEST = """
LEFT JOIN tasks_guideline g ON g.id = c.guideline_id
WHERE t.digest = %s AND u.is_active AND (t.expires_at IS NULL OR t.expires_at > {now})
"""


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """An active user with the token they call by, and their active membership in the campaign
    asked about, if there is one that the token is good for."""

    user: User
    membership: Membership | None
    token: ApiToken


def holder_in_campaign(key: str, slug: str) -> TokenHolder | None:
    """None for an unknown token and for one that has expired by the database's clock."""
    return _holder(_HOLDER_IN_CAMPAIGN, key, slug)


def holder_of_assignment(key: str, assignment_id: int) -> TokenHolder | None:
    """The holder of a token, with a membership only if the assignment belongs to it."""
    return _holder(_HOLDER_OF_ASSIGNMENT, key, min(assignment_id, LARGEST_ID))


def live_tokens(user: User) -> QuerySet[ApiToken]:
    """The user's tokens that have not expired, newest first, with their campaigns; none of a
    deleted campaign."""
    return (
        ApiToken.objects.filter(Q(expires_at=None) | Q(expires_at__gt=Now()), user=user)
        .filter(campaign__deleted_at=None)
        .select_related("campaign")
        .order_by("-pk")
    )


def _holder(membership_join: str, key: str, subject: Any) -> TokenHolder | None:
    row = fetch_row(
        f"{_HOLDER} {membership_join} {_by_digest(connection.vendor)}",
        [subject, ApiToken.digest_of(key)],
    )
    if row is None:
        return None
    scopes, *values = row
    token, user, membership, campaign, guideline = instances(
        values, *(ApiToken, User, Membership, Campaign, Guideline)
    )
    token.user, token.scopes = user, json.loads(scopes)
    if membership is not None:
        membership.user, membership.campaign = user, campaign
        campaign.guideline = guideline
    return TokenHolder(user, membership, token)


@cache
def _by_digest(vendor: str) -> str:
    """SQLite keeps times as texts, which are in the order of time."""
    on_sqlite = "strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now')"
    return _BY_DIGEST.format(now="statement_timestamp()" if vendor == "postgresql" else on_sqlite)


def app_of(user: User) -> TOTPDevice | None:
    """The authenticator app that a login of this user asks for; None without one."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def unconfirmed_app_of(user: User) -> TOTPDevice | None:
    """An app that is being set up and protects nothing yet."""
    return TOTPDevice.objects.filter(user=user, confirmed=False).first()


def recovery_of(user: User) -> StaticDevice | None:
    return StaticDevice.objects.filter(user=user).first()


def recovery_codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


@dataclass(frozen=True, slots=True)
class Completion:
    """The code or the address that a visitor takes back to the service, or both."""

    code: str
    url: str


def is_crowd_account(user: User) -> bool:
    """Whether the account was made for a visitor of one campaign and is for nothing else."""
    return CrowdVisit.objects.filter(membership__user=user).exists()


def visit_of(campaign: Campaign, participant: str) -> CrowdVisit | None:
    return (
        CrowdVisit.objects.select_related("membership__user", "membership__campaign")
        .filter(campaign=campaign, participant=participant)
        .first()
    )


def completion_for(membership: Membership) -> Completion | None:
    """The campaign's completion for a visitor who has rated something; None for all others."""
    campaign = membership.campaign
    if not (campaign.completion_code or campaign.completion_url):
        return None
    is_earned = (
        CrowdVisit.objects.filter(membership=membership).exists() and membership.ratings.exists()
    )
    return Completion(campaign.completion_code, campaign.completion_url) if is_earned else None
