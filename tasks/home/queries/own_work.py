"""The next thing to do for a member who rates."""

from dataclasses import dataclass
from typing import Literal

from tasks.models import CampaignState, Membership
from tasks.rating.workflow.admission import what_is_missing
from tasks.rating.workflow.items_left import items_left
from tasks.training.queries import standing_of
from tasks.votes.progress import is_quota_reached, ratings_by

NextForMember = Literal[
    "archived",
    "consent",
    "calibration",
    "stuck",
    "campaign-paused",
    "paused",
    "quota",
    "nothing",
    "rate",
]
"""Nothing, the campaign is archived; give consent; pass the calibration; an admin decides about it;
wait until the campaign, or the member, is no longer paused; nothing, their quota is reached;
nothing, no item is left; rate."""


@dataclass(frozen=True, slots=True)
class OwnWork:
    """`rated` are the member's items, whatever their purpose. `left` is what `items_left` says
    where the member can rate, else 0."""

    next: NextForMember
    rated: int
    left: int | None = 0


def own_work(member: Membership) -> OwnWork:
    rated = ratings_by(member)
    if waits := _waits_for(member):
        return OwnWork(waits, rated)
    left = items_left(member)
    return OwnWork("nothing" if left == 0 else "rate", rated, left)


def _waits_for(member: Membership) -> NextForMember | None:
    """In the order in which claiming an item asks."""
    if member.campaign.is_archived:
        return "archived"
    missing = what_is_missing(member)
    if missing == "calibration" and standing_of(member) == "stuck":
        return "stuck"
    if missing:
        return missing
    if member.campaign.state != CampaignState.OPEN:
        return "campaign-paused"
    if member.is_paused:
        return "paused"
    return "quota" if is_quota_reached(member) else None
