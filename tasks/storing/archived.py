"""An archived campaign can only be read. Pages and calls refuse to change one before they begin
(`tasks.access.guards`), and whatever records an act refuses it here."""

from typing import Final

from tasks.models import AuditAction, Campaign, CampaignState
from tasks.storing.refusals import Refusal

ALLOWED: Final = frozenset(
    {
        AuditAction.CAMPAIGN_COPIED,
        AuditAction.DATA_COPIED,
        AuditAction.CAMPAIGN_ARCHIVED,
        AuditAction.CAMPAIGN_DELETED,
        AuditAction.CAMPAIGN_RESTORED,
        AuditAction.CAMPAIGN_REMOVED,
        # reading, and releases of what there is
        AuditAction.OPERATOR_ENTERED,
        AuditAction.EXPORT_TAKEN,
        AuditAction.RELEASE_DOWNLOADED,
        AuditAction.RELEASE_MADE,
        AuditAction.RELEASE_WITHDRAWN,
        # ending access and work
        AuditAction.MEMBER_DEACTIVATED,
        AuditAction.JOB_CANCELLED,
        # accounts and tokens, which are the people's own
        AuditAction.TOKEN_MADE,
        AuditAction.TOKEN_REVOKED,
    }
)
"""All that may still be done in one. CAMPAIGN_REOPENED is recorded when it is open again."""


class CampaignArchived(Refusal, ValueError):
    """Something would have changed an archived campaign, which is `campaign`."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        super().__init__(
            f"the campaign {campaign.slug} is archived and read-only; "
            "an admin can reopen it in its settings"
        )


def require_not_archived(campaign: Campaign) -> None:
    """As the campaign was read. Raises CampaignArchived."""
    if campaign.is_archived:
        raise CampaignArchived(campaign)


def require_allowed(action: AuditAction, campaign: Campaign) -> None:
    """As the campaign is now, for an act that is about to be stored. Raises CampaignArchived."""
    archived = Campaign.objects.filter(pk=campaign.pk, state=CampaignState.ARCHIVED)
    if action not in ALLOWED and archived.exists():
        raise CampaignArchived(campaign)
