"""What may still be done in a campaign that is archived: little, and nothing that adds to it."""

from typing import Final

from tasks.models import AuditAction, Campaign, CampaignState
from tasks.models.audit_action import READINGS
from tasks.storing.refusals import Refusal

ALLOWED: Final = frozenset(
    {
        AuditAction.CAMPAIGN_COPIED,
        AuditAction.CAMPAIGN_ARCHIVED,
        AuditAction.CAMPAIGN_REOPENED,
        AuditAction.CAMPAIGN_DELETED,
        AuditAction.CAMPAIGN_RESTORED,
        AuditAction.CAMPAIGN_REMOVED,
        # what only takes away: people, ways in, and what must not be out there any more
        AuditAction.INVITATION_REVOKED,
        AuditAction.JOB_CANCELLED,
        AuditAction.MEMBER_DEACTIVATED,
        AuditAction.RELEASE_WITHDRAWN,
        AuditAction.SUBMISSION_WITHDRAWN,
        AuditAction.WEBHOOK_DELETED,
        AuditAction.WEBHOOK_SWITCHED_OFF,
        # accounts and programs, which are no part of the campaign
        AuditAction.ACCOUNT_CREATED,
        AuditAction.EMAIL_CHANGED,
        AuditAction.PASSWORD_CHANGED,
        AuditAction.PASSWORD_LINK_MADE,
        AuditAction.RECOVERY_CODES_MADE,
        AuditAction.SECOND_FACTOR_OFF,
        AuditAction.SECOND_FACTOR_ON,
        AuditAction.TOKEN_MADE,
        AuditAction.TOKEN_REVOKED,
        # reading
        *READINGS,
        AuditAction.BACKUP_RESTORED,
        AuditAction.OPERATOR_ENTERED,
    }
)


class CampaignArchived(Refusal):
    """The campaign can only be read; `campaign` is it."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        super().__init__(
            f"the campaign {campaign.slug} is archived and can only be read; "
            "an admin can reopen it in its settings"
        )


def require_not_archived(campaign: Campaign) -> None:
    """As the campaign was read. Raises CampaignArchived."""
    if campaign.is_archived:
        raise CampaignArchived(campaign)


def require_allowed(action: AuditAction, campaign: Campaign) -> None:
    """As the campaign is now, for an act that is about to be stored. Raises CampaignArchived."""
    if action in ALLOWED:
        return
    if Campaign.objects.filter(pk=campaign.pk, state=CampaignState.ARCHIVED).exists():
        raise CampaignArchived(campaign)
