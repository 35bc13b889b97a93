"""Ratings from files. They are votes like any other, by members without an account.

Imported ratings are counted even beyond the campaign's overlap: an item gets the slots it needs.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from django.db import transaction

from tasks.importers.records import GivenAnswer, RatingRow
from tasks.models import AuditAction, Campaign, Item, ItemPurpose, Membership, Rating, Slot
from tasks.protocols.definition import AnnotationProtocol
from tasks.workflow.audit import record
from tasks.workflow.batches import batches
from tasks.workflow.campaign import imported_rater
from tasks.workflow.events import tell_of_import
from tasks.workflow.intake import items_of_row, store_items
from tasks.workflow.outcomes import outcome_of
from tasks.workflow.planner_statistics import refresh_after_commit


@dataclass(frozen=True, slots=True)
class RatingIntake:
    """What a file of ratings brought; `raters` counts those the file names."""

    ratings_created: int
    ratings_existing: int
    raters: int
    items_created: int


@transaction.atomic
def import_ratings(*, campaign: Campaign, rows: Iterable[RatingRow]) -> RatingIntake:
    """Store ratings, and the items they bring along.

    Raises InputError for a row whose item is unknown or not live, whose answers the protocol does
    not permit, or whose rater has rated the item otherwise; nothing is stored then.
    """
    raters: dict[str, Membership] = {}
    created = existing = items_created = 0
    for batch in batches(rows):
        for row in batch:
            if row.rater not in raters:
                raters[row.rater] = imported_rater(campaign=campaign, name=row.rater)
        items, count = _items(campaign, batch)
        items_created += count
        new = _new_ratings(campaign, batch, items, raters)
        _fill_slots(campaign, new)
        Rating.objects.bulk_create(rating for rating, _counted in new)
        created += len(new)
        existing += len(batch) - len(new)
    refresh_after_commit()
    intake = RatingIntake(created, existing, len(raters), items_created)
    tell_of_import(campaign.pk, "ratings", ratings_created=created, items_created=items_created)
    record(
        AuditAction.IMPORT_DONE,
        campaign=campaign,
        subject=("file", "ratings"),
        details=asdict(intake),
    )
    return intake


def _items(campaign: Campaign, batch: list[RatingRow]) -> tuple[list[Item], int]:
    """The item of every row, and how many items are new."""
    by_id = {
        item.key: item
        for item in Item.objects.filter(
            campaign=campaign, key__in={row.item_id for row in batch if row.item is None}
        )
    }
    wanted = {
        place: items_of_row(campaign, row.item)
        for place, row in enumerate(batch)
        if row.item is not None
    }
    for place, items in wanted.items():
        if len(items) != 1:
            raise batch[place].source.error("a rating has exactly one reference", "references")
    stored = store_items(campaign, [items[0] for items in wanted.values()])
    found = []
    for place, row in enumerate(batch):
        item = (
            stored.by_key[wanted[place][0].key] if place in wanted else by_id.get(row.item_id or "")
        )
        if item is None:
            raise row.source.error(f"there is no item {row.item_id!r}", "id")
        if item.purpose != ItemPurpose.LIVE:
            raise row.source.error(f"item {item.key!r} is there to train or check raters", "id")
        found.append(item)
    return found, len(stored.created)


def _new_ratings(
    campaign: Campaign,
    batch: list[RatingRow],
    items: list[Item],
    raters: dict[str, Membership],
) -> list[tuple[Rating, bool]]:
    """The ratings that are not there yet, each with whether it counts."""
    given = {
        (item_id, rater_id): outcome_id
        for item_id, rater_id, outcome_id in Rating.objects.filter(
            item__in=items, rater__in=raters.values(), superseded_by=None
        ).values_list("item_id", "rater_id", "outcome_id")
    }
    new = []
    for row, item in zip(batch, items, strict=True):
        rating = _rating(campaign.annotation_protocol, row, item, raters[row.rater])
        place = (item.pk, rating.rater_id)
        if place not in given:
            given[place] = rating.outcome_id
            new.append((rating, row.counted))
        elif given[place] != rating.outcome_id:
            raise row.source.error(
                f"rater {row.rater!r} has rated this item otherwise before", "rater"
            )
    return new


def _rating(protocol: AnnotationProtocol, row: RatingRow, item: Item, rater: Membership) -> Rating:
    outcome_id = outcome_of(protocol, GivenAnswer(row.label, row.answers), row.source).id
    fingerprint = hashlib.sha256(f"import {item.key} {rater.name}".encode()).hexdigest()
    return Rating(
        item=item,
        rater=rater,
        outcome_id=outcome_id,
        comment=row.comment,
        seconds=row.seconds,
        rated_at=row.created_at,
        idempotency_key=fingerprint,
        payload_hash=hashlib.sha256(f"{outcome_id} {row.comment}".encode()).hexdigest(),
    )


def _fill_slots(campaign: Campaign, ratings: list[tuple[Rating, bool]]) -> None:
    """Give every counted rating a slot of its item: an open one, or else a further one."""
    counted = [rating for rating, is_counted in ratings if is_counted]
    slots: dict[int, list[Slot]] = defaultdict(list)
    for slot in Slot.objects.filter(item__in={r.item_id for r in counted}).order_by("number"):
        slots[slot.item_id].append(slot)
    taken: list[Slot] = []
    further: list[Slot] = []
    for rating in counted:
        known = slots[rating.item_id]
        open_slots = [slot for slot in known if not slot.is_filled and not slot.holder_id]
        if open_slots:
            slot = open_slots[0]
            taken.append(slot)
        else:
            slot = Slot(
                campaign=campaign,
                item_id=rating.item_id,
                number=known[-1].number + 1,
                order_key=known[-1].order_key,
            )
            known.append(slot)
            further.append(slot)
        slot.is_filled = True
        rating.slot = slot
    Slot.objects.bulk_update(taken, ["is_filled"], batch_size=500)
    Slot.objects.bulk_create(further)
    for rating in counted:
        rating.slot = rating.slot  # takes the key that bulk_create has set
