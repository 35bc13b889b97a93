"""Ratings from files. They are votes like any other, by members without an account.

Imported ratings are counted even beyond the campaign's overlap: an item gets the slots it needs.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tasks.campaigns.workflow.imported_raters import NamedPeople, why_not_imported
from tasks.campaigns.workflow.slots import plan_slots
from tasks.intake.workflow.import_of import import_of
from tasks.intake.workflow.items import find_items, items_of_row, store_items
from tasks.intake.workflow.outcomes import outcome_of
from tasks.intake.workflow.rating_places import TO_BE_GIVEN, plan_places
from tasks.intake.workflow.skipped import Skipped, SkippedRecords
from tasks.models import Campaign, Item, ItemPurpose, Membership, Rating
from tasks.protocols.definition import AnnotationProtocol
from tasks.protocols.wording import known_names
from tasks.storing.batches import batches
from tasks.storing.lookups import is_last_revision
from tasks.storing.plan import Plan
from tomahto.interchange.reading.records import GivenAnswer, RatingRow, SkippedAnnotation

_Annotations = Iterable[RatingRow | SkippedAnnotation]


@dataclass(frozen=True, slots=True)
class RatingIntake:
    """The outcome of a file of ratings; `raters` counts those the file names.

    `skipped` holds the first annotations that are no ratings, of each reason, and
    `skipped_by_reason` counts all.
    """

    ratings_created: int
    ratings_existing: int
    raters: int
    items_created: int
    skipped: list[Skipped] = field(default_factory=list)
    skipped_by_reason: dict[str, int] = field(default_factory=dict)


def import_ratings(*, campaign: Campaign, rows: _Annotations) -> RatingIntake:
    """Store ratings, and the items they bring along.

    Raises InputError for a row whose item is unknown or not live, whose answers the protocol does
    not permit, whose wording is not known, whose rater has rated the item otherwise, or has an
    account and has not rated it so, and ImportRefused; nothing is stored then.
    """
    return import_of(
        "ratings",
        campaign=campaign,
        records=rows,
        plan=_plan_ratings,
        noted=["ratings_created", "items_created"],
    )


def _plan_ratings(plan: Plan, rows: _Annotations) -> RatingIntake:
    raters: dict[str, int] = {}  # not the members: a file may name very many
    people = NamedPeople(plan)
    created = existing = items_created = 0
    skipped = SkippedRecords()
    for batch in batches(_ratings(rows, skipped)):
        members = people.members({row.rater for row in batch})
        raters |= {name: member.pk for name, member in members.items()}
        items, count = _items(plan, batch)
        items_created += count
        new = _new_ratings(plan, batch, items, members)
        plan.add(new)
        created += len(new)
        existing += len(batch) - len(new)
    plan_slots(plan)
    if created:
        plan_places(plan)
    return RatingIntake(
        created,
        existing,
        len(raters),
        items_created,
        skipped.examples,
        dict(skipped.by_reason),
    )


def _ratings(rows: _Annotations, skipped: SkippedRecords) -> Iterator[RatingRow]:
    for row in rows:
        if isinstance(row, RatingRow):
            yield row
        else:
            skipped.add(row.source, row.id, row.reason)


def _items(plan: Plan, batch: list[RatingRow]) -> tuple[list[Item], int]:
    """The item of every row, and how many items are new."""
    by_id = find_items(plan, {row.item_id or "" for row in batch if row.item is None})
    wanted = {
        place: items_of_row(plan.campaign, row.item)
        for place, row in enumerate(batch)
        if row.item is not None
    }
    for place, items in wanted.items():
        if len(items) != 1:
            raise batch[place].source.error(
                "a rating must have exactly one reference", "references"
            )
    stored = store_items(plan, [items[0] for items in wanted.values()])
    found = []
    for place, row in enumerate(batch):
        item = (
            stored.by_key[wanted[place][0].key] if place in wanted else by_id.get(row.item_id or "")
        )
        if item is None:
            raise row.source.error(f"there is no item {row.item_id!r}", "id")
        if item.purpose != ItemPurpose.LIVE:
            raise row.source.error(f"item {item.key!r} is for training or checking raters", "id")
        found.append(item)
    return found, len(stored.created)


def _new_ratings(
    plan: Plan, batch: list[RatingRow], items: list[Item], raters: dict[str, Membership]
) -> list[Rating]:
    """The ratings that are not there yet."""
    stored = Rating.objects.filter(is_last_revision(Rating), rater__in=raters.values())
    given = {
        (rating.item_id, rating.rater_id): rating
        for rating in plan.find(stored, item_id={item.pk for item in items}).values()
    }
    new = []
    for row, item in zip(batch, items, strict=True):
        rater = raters[row.rater]
        rating = _rating(plan.campaign.annotation_protocol, row, item, rater)
        before = given.get((item.pk, rater.pk))
        if not rater.is_imported and not (before and _is_said_by(before, row, rating)):
            raise row.source.error(why_not_imported(row.rater), "rater")
        if before is None:
            given[item.pk, rater.pk] = rating
            new.append(rating)
        elif before.outcome_id != rating.outcome_id:
            raise row.source.error(
                f"rater {row.rater!r} has already rated this item differently", "rater"
            )
    return new


def _is_said_by(stored: Rating, row: RatingRow, rating: Rating) -> bool:
    """Whether a row says of a rating what is stored, as far as it says anything."""
    return (
        stored.outcome_id == rating.outcome_id
        and row.comment in ("", stored.comment)
        and (row.counted in (None, stored.has_place) or row.counted is stored.is_counted)
        and row.wording in ("", stored.wording)
    )


def _rating(protocol: AnnotationProtocol, row: RatingRow, item: Item, rater: Membership) -> Rating:
    outcome_id = outcome_of(protocol, GivenAnswer(row.label, row.answers), row.source).id
    if row.wording not in known_names():
        raise row.source.error(f"the form has no wording named {row.wording!r}", "wording")
    fingerprint = hashlib.sha256(f"import {item.key} {rater.name}".encode()).hexdigest()
    return Rating(
        item=item,
        rater=rater,
        outcome_id=outcome_id,
        slot_id=None if row.counted is False else TO_BE_GIVEN,
        comment=row.comment,
        wording=row.wording,
        seconds=row.seconds,
        rated_at=row.created_at,
        idempotency_key=fingerprint,
        payload_hash=hashlib.sha256(f"{outcome_id} {row.comment}".encode()).hexdigest(),
    )
