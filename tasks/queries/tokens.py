"""Whom a token speaks for, and who they are in the campaign that the call is about.

Both in one read: a rater's program makes two calls for every rating.
"""

from dataclasses import dataclass
from typing import Any

from tasks.models import ApiToken, Campaign, Guideline, Membership, User
from tasks.queries.joined_rows import columns, fetch_joined

_HOLDER = f"""
SELECT {columns(u=User, m=Membership, c=Campaign, g=Guideline)}
FROM tasks_apitoken t JOIN tasks_user u ON u.id = t.user_id
"""  # noqa: S608 - names of our own columns
_IN_CAMPAIGN = """
LEFT JOIN tasks_campaign c ON c.slug = %s
LEFT JOIN tasks_membership m ON m.campaign_id = c.id AND m.user_id = u.id AND m.is_active
"""
_OF_ASSIGNMENT = """
LEFT JOIN tasks_assignment a ON a.id = %s
LEFT JOIN tasks_membership m ON m.id = a.rater_id AND m.user_id = u.id AND m.is_active
LEFT JOIN tasks_campaign c ON c.id = m.campaign_id
"""
_BY_DIGEST = """
LEFT JOIN tasks_guideline g ON g.id = c.guideline_id
WHERE t.digest = %s AND u.is_active
"""


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """An active user, with their active membership in the campaign asked about if there is one."""

    user: User
    membership: Membership | None


def holder_in_campaign(key: str, slug: str) -> TokenHolder | None:
    """The holder of a token and their membership in a campaign; None for an unknown token."""
    return _holder(_IN_CAMPAIGN, key, slug)


def holder_of_assignment(key: str, assignment_id: int) -> TokenHolder | None:
    """The holder of a token, with a membership only if the assignment belongs to it."""
    return _holder(_OF_ASSIGNMENT, key, assignment_id)


def _holder(membership_join: str, key: str, subject: Any) -> TokenHolder | None:
    found = fetch_joined(
        f"{_HOLDER} {membership_join} {_BY_DIGEST}",
        [subject, ApiToken.digest_of(key)],
        *(User, Membership, Campaign, Guideline),
    )
    if found is None:
        return None
    user, membership, campaign, guideline = found
    if membership is not None:
        membership.user, membership.campaign = user, campaign
        campaign.guideline = guideline
    return TokenHolder(user, membership)
