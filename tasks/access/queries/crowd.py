"""Visitors that a crowd service sent, and what they are told when they are done."""

from dataclasses import dataclass

from tasks.models import Campaign, CrowdVisit, Membership, User


@dataclass(frozen=True, slots=True)
class Completion:
    """What a visitor takes back to the service: a code, an address, or both."""

    code: str
    url: str


def is_crowd_account(user: User) -> bool:
    """Whether the account was made for a visitor of one campaign and is for nothing else."""
    return CrowdVisit.objects.filter(membership__user=user).exists()


def visit_of(campaign: Campaign, participant: str) -> CrowdVisit | None:
    """The visit of a participant, with the membership and the account made for it."""
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
