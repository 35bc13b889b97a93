"""Removing deleted campaigns for good, with all their rows and files.

The campaign's row stays with its title, because the audit log names it. Files go first and rows in
one transaction: whatever interrupts it, the next round finds the campaign again and ends the work.
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

from tasks.campaigns.queries.deleted import due_for_removal
from tasks.models import AuditAction, Campaign, User
from tasks.models.belonging import Way, keys_from_outside, lookup, owned_models
from tasks.models.campaign import KEPT_DAYS
from tasks.release_store.places import remove_releases
from tasks.storing.acts import record
from tasks.storing.long_statements import allow_long_statements

logger = logging.getLogger(__name__)


class NotDue(RuntimeError):
    """The campaign is not deleted, or can still be restored."""


def remove_due() -> int:
    """Remove every campaign that was deleted long enough ago; how many there were.

    One that cannot be removed now, as while its files cannot be reached, waits for the next round.
    """
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
