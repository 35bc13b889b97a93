"""Archiving, reopening, deleting and restoring a campaign. All of it can be undone."""

from django.db import transaction
from django.db.models.functions import Now

from tasks.campaigns.queries.deleted import restorable
from tasks.jobs.workflow.jobs import cancel
from tasks.models import UNFINISHED, AuditAction, Campaign, CampaignState, Job, Slot
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal


class NotItsName(Refusal, ValueError):
    """Another text was typed than the campaign's short name."""

    status = 400


class NotRestorable(Refusal, ValueError):
    """The campaign is not deleted, or has been removed for good."""


@transaction.atomic
def archive(*, campaign: Campaign) -> bool:
    """From now on the campaign can only be read; false if that was so before.

    Its jobs are cancelled, and items that raters hold are taken back.
    """
    working = Campaign.objects.filter(pk=campaign.pk).exclude(state=CampaignState.ARCHIVED)
    if not working.update(state=CampaignState.ARCHIVED):
        return False
    campaign.state = CampaignState.ARCHIVED
    _cancel_jobs(campaign)
    held = Slot.objects.filter(campaign=campaign, is_filled=False, holder__isnull=False)
    held.update(holder=None, expires_at=None)
    _record(AuditAction.CAMPAIGN_ARCHIVED, campaign)
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
    _record(AuditAction.CAMPAIGN_REOPENED, campaign)
    return True


@transaction.atomic
def delete_campaign(*, campaign: Campaign, typed: str) -> None:
    """Archive the campaign and hide it; it can be restored for KEPT_DAYS. Again changes nothing.

    `typed` is what the person typed to confirm it. Raises NotItsName if that is not the short name.
    """
    if typed.strip() != campaign.slug:
        raise NotItsName("this is not the short name of the campaign")
    archive(campaign=campaign)
    _cancel_jobs(campaign)  # an archived campaign may be making a release
    if Campaign.objects.filter(pk=campaign.pk, deleted_at=None).update(deleted_at=Now()):
        _record(AuditAction.CAMPAIGN_DELETED, campaign)


@transaction.atomic
def restore(*, campaign: Campaign) -> None:
    """A deleted campaign is back, archived. Raises NotRestorable."""
    if not restorable().filter(pk=campaign.pk).update(deleted_at=None):
        raise NotRestorable(f"{campaign.slug} is not deleted, or was removed for good")
    _record(AuditAction.CAMPAIGN_RESTORED, campaign)


def _cancel_jobs(campaign: Campaign) -> None:
    for job in Job.objects.filter(campaign=campaign, state__in=UNFINISHED):
        cancel(job=job)


def _record(action: AuditAction, campaign: Campaign) -> None:
    record(action, campaign=campaign, subject=("campaign", campaign.slug))
