"""Archiving, reopening, deleting, restoring and at last removing a campaign.

All but the last can be undone. Removed is everything but the campaign's row with its title, because
the audit log names it. Files go first and rows in one transaction: whatever interrupts it, the next
round finds the campaign again and ends the work.
"""

import logging
import shutil
from collections.abc import Iterable
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Now

from tasks.campaigns.queries import due_for_removal, restorable
from tasks.jobs.workflow.jobs import cancel
from tasks.models import UNFINISHED, AuditAction, Campaign, CampaignState, Job, Slot, User
from tasks.models.belonging import Way, keys_from_outside, lookup, owned_models
from tasks.models.campaign import KEPT_DAYS
from tasks.release_store.places import remove_releases
from tasks.storing.acts import record
from tasks.storing.database import allow_long_statements
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


logger = logging.getLogger(__name__)


class NotDue(RuntimeError):
    """The campaign is not deleted, or can still be restored."""


def remove_due() -> int:
    """The number of campaigns removed. One that cannot be removed now, as while its files cannot be
    reached, waits for the next round."""
    removed = 0
    for campaign in due_for_removal():
        try:
            remove(campaign=campaign)
        except Exception:  # whatever it is, the others can be removed
            logger.exception("campaign %s could not be removed", campaign.pk)
        else:
            removed += 1
    return removed


def remove(*, campaign: Campaign) -> None:
    """Remove everything that belongs to a campaign. Raises NotDue before its time, when the
    database would keep its ratings anyway, and StoreError while the store cannot be used."""
    if not due_for_removal().filter(pk=campaign.pk).exists():
        raise NotDue(f"{campaign.slug} was not deleted {KEPT_DAYS} days ago")
    remove_releases(campaign.slug)
    if (matchers := Path(settings.MATCHERS_DIR) / campaign.slug).is_dir():
        shutil.rmtree(matchers)
    with transaction.atomic():
        allow_long_statements()
        # accounts stay, for the audit log; those of a crowd service's visitors were made for this
        visits = "memberships__crowd_visit__campaign"
        visitors = User.objects.filter(**{visits: campaign}).values("pk")
        User.objects.filter(pk__in=visitors).update(is_active=False)
        for key in keys_from_outside():
            from_outside = ((key, *way) for way in owned_models()[key.related_model])
            _rows(key.model, from_outside, campaign).update(**{key.name: None})
        # foreign keys are checked when the transaction ends
        for model, ways in owned_models().items():
            keys = _rows(model, ways, campaign).values("pk")
            # without asking Django what else points there: all of that goes, too
            model._base_manager.filter(pk__in=keys)._raw_delete(keys.db)
        _empty(campaign)


def _rows(model: type[Model], ways: Iterable[Way], campaign: Campaign) -> QuerySet[Any]:
    conditions = (Q(**{lookup(way): campaign}) for way in ways)
    return model._base_manager.filter(reduce(or_, conditions))


def _empty(campaign: Campaign) -> None:
    """Keep its title alone. Its short name is free for another campaign."""
    kept = {"id", "title", "protocol", "state", "deleted_at", "created_at"}
    fields = [field for field in Campaign._meta.concrete_fields if field.name not in kept]
    blank = {field.name: field.get_default() for field in fields}
    blank |= {"slug": f"removed/{campaign.pk}", "removed_at": Now()}  # no address can hold it
    Campaign.objects.filter(pk=campaign.pk).update(**blank)
    record(AuditAction.CAMPAIGN_REMOVED, campaign=campaign, subject=("campaign", campaign.slug))
