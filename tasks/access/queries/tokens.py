"""Whom a token speaks for, and who they are in the campaign that the call is about.

Both in one read: a rater's program makes two calls for every rating.
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from tasks.models import ApiToken, Campaign, Guideline, Membership, User
from tasks.storing.joined_rows import LARGEST_ID, columns, fetch_row, instances

_HOLDER = f"""
SELECT t.scopes, {columns(t=ApiToken, u=User, m=Membership, c=Campaign, g=Guideline)}
FROM tasks_apitoken t JOIN tasks_user u ON u.id = t.user_id
"""  # noqa: S608 - names of our own columns
_HERE = "m.user_id = u.id AND m.is_active AND (t.campaign_id IS NULL OR t.campaign_id = {place})"
_IN_CAMPAIGN = f"""
LEFT JOIN tasks_campaign c ON c.slug = %s AND c.deleted_at IS NULL
LEFT JOIN tasks_membership m ON m.campaign_id = c.id AND {_HERE.format(place="c.id")}
"""
_OF_ASSIGNMENT = f"""
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
    """The holder of a token and their membership in a campaign.

    None for an unknown token and for one that has expired by the database's clock.
    """
    return _holder(_IN_CAMPAIGN, key, slug)


def holder_of_assignment(key: str, assignment_id: int) -> TokenHolder | None:
    """The holder of a token, with a membership only if the assignment belongs to it."""
    return _holder(_OF_ASSIGNMENT, key, min(assignment_id, LARGEST_ID))


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
