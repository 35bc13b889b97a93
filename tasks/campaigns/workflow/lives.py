"""The lives of a campaign: archived, reopened, deleted, restored. None of these loses anything."""

from django.db import transaction
from django.db.models.functions import Now

from tasks.campaigns.queries.deleted import restorable
from tasks.jobs.workflow.jobs import cancel
from tasks.models import UNFINISHED, AuditAction, Campaign, CampaignState, Job, Slot
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal


class NotTheTitle(Refusal):
    """What was typed is not the campaign's title."""

    status = 400


class NotRestorable(Refusal):
    """The campaign is not deleted, or has been removed for good."""


@transaction.atomic
def archive(*, campaign: Campaign) -> bool:
    """From now on the campaign can only be read; false if that was so before.

    Its jobs are cancelled, and items that raters hold are given back.
    """
    open_one = Campaign.objects.filter(pk=campaign.pk).exclude(state=CampaignState.ARCHIVED)
    if not open_one.update(state=CampaignState.ARCHIVED):
        return False
    campaign.state = CampaignState.ARCHIVED
    for job in Job.objects.filter(campaign=campaign, state__in=UNFINISHED):
        cancel(job=job)
    held = Slot.objects.filter(campaign=campaign, is_filled=False, holder__isnull=False)
    held.update(holder=None, expires_at=None)
    record(AuditAction.CAMPAIGN_ARCHIVED, campaign=campaign, subject=("campaign", campaign.slug))
    return True


@transaction.atomic
def reopen(*, campaign: Campaign) -> bool:
    """An archived campaign can be worked in again; false if it is not archived.

    It is paused at first, so that nobody gets items before its admins want them to.
    """
    archived = Campaign.objects.filter(
        pk=campaign.pk, state=CampaignState.ARCHIVED, deleted_at=None
    )
    if not archived.update(state=CampaignState.PAUSED):
        return False
    campaign.state = CampaignState.PAUSED
    record(AuditAction.CAMPAIGN_REOPENED, campaign=campaign, subject=("campaign", campaign.slug))
    return True


@transaction.atomic
def delete_campaign(*, campaign: Campaign, title: str) -> None:
    """Hide the campaign at once; it can be restored for KEPT_DAYS. Again changes nothing.

    Raises NotTheTitle, unless `title` is that of the campaign: who deletes has to type it.
    """
    if " ".join(title.split()) != " ".join(campaign.title.split()):
        raise NotTheTitle("this is not the title of the campaign")
    archive(campaign=campaign)
    if Campaign.objects.filter(pk=campaign.pk, deleted_at=None).update(deleted_at=Now()):
        record(AuditAction.CAMPAIGN_DELETED, campaign=campaign, subject=("campaign", campaign.slug))


@transaction.atomic
def restore(*, campaign: Campaign) -> None:
    """A deleted campaign is there again, archived. Raises NotRestorable."""
    deleted = restorable().filter(pk=campaign.pk)
    if not deleted.update(deleted_at=None):
        raise NotRestorable("the campaign is not deleted, or was removed for good")
    record(AuditAction.CAMPAIGN_RESTORED, campaign=campaign, subject=("campaign", campaign.slug))
