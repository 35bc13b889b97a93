"""Removing deleted campaigns for good, with all their rows and files.

What remains is the campaign's row, without its texts: entries of the audit log name it. Files go
first, and everything can be done again: whoever is interrupted leaves nothing that is not found by
the next round.
"""

import logging
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import models, transaction
from django.db.models.functions import Now

from tasks.campaigns.queries.deleted import due_for_removal
from tasks.models import (
    AuditAction,
    AuditEntry,
    Campaign,
    Membership,
    Release,
    Slot,
    User,
    Worker,
)
from tasks.models.campaign import KEPT_DAYS
from tasks.release_store.object_place import SCHEME, object_place
from tasks.storing.acts import record

logger = logging.getLogger(__name__)

KEPT = frozenset({Campaign, AuditEntry})
"""Models that have a campaign and stay."""


class NotDue(RuntimeError):
    """The campaign is not deleted, or could still be restored."""


Way = tuple[str, ...]


def remove_due() -> int:
    """Remove every campaign that has been deleted for long enough; how many there were.

    One that cannot be removed now, as when its files cannot be reached, waits for the next round.
    """
    removed = 0
    for campaign in due_for_removal():
        try:
            remove(campaign=campaign)
        except Exception:
            logger.exception("campaign %s could not be removed", campaign.pk)
        else:
            removed += 1
    return removed


def remove(*, campaign: Campaign) -> None:
    """Remove all that a campaign had. Raises NotDue if it has not been deleted for long enough:
    the guards of the database would not let its ratings go either."""
    if not due_for_removal().filter(pk=campaign.pk).exists():
        raise NotDue(f"{campaign.slug} has not been deleted for {KEPT_DAYS} days")
    _remove_files(campaign)
    with transaction.atomic():
        # foreign keys are looked at when the transaction ends; these two point in from outside
        Worker.objects.filter(job__campaign=campaign).update(job=None)
        Campaign.objects.filter(pk=campaign.pk).update(guideline=None, consent_text=None)
        visitors = User.objects.filter(
            memberships__campaign=campaign, memberships__crowd_visit__isnull=False
        )
        User.objects.filter(pk__in=list(visitors.values_list("pk", flat=True))).update(
            is_active=False
        )
        for model, path in owned_models():
            _delete(model, path, campaign)
        _empty(campaign)
        record(AuditAction.CAMPAIGN_REMOVED, campaign=campaign, subject=("campaign", campaign.slug))


def owned_models() -> list[tuple[type[models.Model], Way]]:
    """Every model whose rows belong to a campaign, each before those that its rows point at, with
    the way from a row to the campaign."""
    found = {
        model: path
        for model in apps.get_app_config("tasks").get_models()
        if model not in KEPT and (path := _way_to_campaign(model))
    }
    ordered: dict[type[models.Model], None] = {}
    for model in found:
        _after_whoever_points_here(model, found, ordered, set())
    return [(model, found[model]) for model in ordered]


def _after_whoever_points_here(
    model: type[models.Model],
    found: dict[type[models.Model], Way],
    ordered: dict[type[models.Model], None],
    begun: set[type[models.Model]],
) -> None:
    if model in ordered or model in begun:
        return
    begun.add(model)
    for other in found:
        if any(field.related_model is model for field in _foreign_keys(other)):
            _after_whoever_points_here(other, found, ordered, begun)
    ordered[model] = None


def _foreign_keys(model: type[models.Model]) -> Iterator["models.ForeignKey[object, object]"]:
    for field in model._meta.concrete_fields:
        if isinstance(field, models.ForeignKey) and field.name not in _ROUND.get(model, ()):
            yield field


_ROUND: dict[type[models.Model], tuple[str, ...]] = {
    Campaign: ("guideline", "consent_text"),
    Membership: ("consented_to", "passed_calibration", "invitation"),
    Slot: ("holder",),
    Worker: ("job",),
}
"""Foreign keys that go round in circles, and so say nothing of an order."""


def _way_to_campaign(model: type[models.Model]) -> Way | None:
    """The shortest way by foreign keys, first by those that are always there."""
    waiting: list[tuple[type[models.Model], Way]] = [(model, ())]
    seen = {model}
    while waiting:
        waiting.sort(key=lambda each: len(each[1]))
        current, path = waiting.pop(0)
        for field in sorted(_foreign_keys(current), key=lambda each: each.null):
            target = field.related_model
            if target is Campaign:
                return (*path, field.name)
            if isinstance(target, type) and target not in seen and target is not User:
                seen.add(target)
                waiting.append((target, (*path, field.name)))
    return None


def _delete(model: type[models.Model], path: Way, campaign: Campaign) -> None:
    """Without asking Django what else hangs on it: that has gone before."""
    rows = model._base_manager.filter(**{"__".join(path): campaign})
    # of failures of a job either the item or the question is named, and of deliveries the alert or
    # the event; each has a way of its own
    for other in _other_ways(model, path):
        rows = rows | model._base_manager.filter(**{"__".join(other): campaign})
    keys = rows.values("pk")
    model._base_manager.filter(pk__in=keys)._raw_delete(rows.db)


def _other_ways(model: type[models.Model], path: Way) -> Iterator[Way]:
    """Where the first step of the way may be missing, those by the other foreign keys."""
    first = model._meta.get_field(path[0])
    if not first.null:
        return
    for field in _foreign_keys(model):
        if field.name == path[0] or field.related_model in {User, Campaign}:
            continue
        if isinstance(field.related_model, type):
            rest = _way_to_campaign(field.related_model)
            if rest:
                yield (field.name, *rest)


def _empty(campaign: Campaign) -> None:
    """What is left of it says nothing, and gives its short name back."""
    Campaign.objects.filter(pk=campaign.pk).update(
        slug=f"removed-{campaign.pk}-{secrets.token_hex(4)}",
        title="",
        description="",
        completion_code="",
        completion_url="",
        webhook_events="",
        created_by=None,
        removed_at=Now(),
    )


def _remove_files(campaign: Campaign) -> None:
    """Its releases where the site keeps them, and its trained matchers.

    What an operator has written elsewhere with `manage.py release --out` is theirs, and stays.
    Raises OSError, and StoreError while the store cannot be used.
    """
    for place in Release.objects.filter(campaign=campaign).values_list("path", flat=True):
        if place.startswith(SCHEME):
            if settings.RELEASES_URL and place.startswith(f"{settings.RELEASES_URL.rstrip('/')}/"):
                # its client is not installed everywhere
                from tasks.release_store.publication import remove_release

                remove_release(object_place(place))
        elif Path(place).is_relative_to(settings.RELEASES_DIR):
            _remove_folder(Path(place))
    for root in (settings.RELEASES_DIR, settings.MATCHERS_DIR):
        _remove_folder(Path(root) / campaign.slug)


def _remove_folder(folder: Path) -> None:
    if folder.is_dir():
        shutil.rmtree(folder)
