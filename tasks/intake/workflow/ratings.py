"""Ratings from files. They are votes like any other, by members without an account.

Every counted one gets an open slot of its item, or a further one, even beyond the campaign's
overlap. What is open is known only at the moment of storing, because raters go on claiming. So
the database deals out the slots, in order, in the transaction of the ratings.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Final

from tasks.campaigns.workflow.campaign import NamedPeople, why_not_imported
from tasks.campaigns.workflow.slots import plan_slots
from tasks.intake.workflow.import_of import Skipped, SkippedRecords, import_of, outcome_of
from tasks.intake.workflow.items import find_items, items_of_row, live_item, store_items
from tasks.models import Campaign, Item, Membership, Rating
from tasks.protocols.definition import AnnotationProtocol
from tasks.protocols.wording import known_names
from tasks.storing.database import batches, is_last_revision
from tasks.storing.plan import Plan
from tasks.storing.planned import planned_table
from tomahto.interchange.reading.records import GivenAnswer, RatingRow, SkippedAnnotation
from tomahto.votes.remarks import REMARKS, TYPED, Remarks

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
        found.append(live_item(item, row.item_id, row.source))
    return found, len(stored.created)


def _new_ratings(
    plan: Plan, batch: list[RatingRow], items: list[Item], raters: dict[str, Membership]
) -> list[Rating]:
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
        and all(
            getattr(row, remark.name) in ("", getattr(stored, remark.name)) for remark in REMARKS
        )
        and (row.counted in (None, stored.has_place) or row.counted is stored.is_counted)
    )


def _rating(protocol: AnnotationProtocol, row: RatingRow, item: Item, rater: Membership) -> Rating:
    outcome_id = outcome_of(protocol, GivenAnswer(row.label, row.answers), row.source).id
    if row.wording not in known_names():
        raise row.source.error(f"the form has no wording named {row.wording!r}", "wording")
    for remark in TYPED:
        if fault := remark.mismatch(getattr(row, remark.name)):
            raise row.source.error(fault, remark.name)
    fingerprint = hashlib.sha256(f"import {item.key} {rater.name}".encode()).hexdigest()
    return Rating(
        item=item,
        rater=rater,
        outcome_id=outcome_id,
        slot_id=None if row.counted is False else TO_BE_GIVEN,
        seconds=row.seconds,
        rated_at=row.rated_at,
        idempotency_key=fingerprint,
        payload_hash=hashlib.sha256(f"{outcome_id} {row.comment}".encode()).hexdigest(),
        **asdict(Remarks.of(row)),
    )


TO_BE_GIVEN: Final = 0
"""The slot of a planned rating that is to be counted."""

_RATINGS: Final = planned_table(Rating)

# `place` counts the ratings of an item, `number` is that of the slot a rating gets, and
# `further_after` that of the item's last slot where it gets a new one
_RANK: Final = f"""
SELECT id AS rating_id, item_id, row_number() OVER (PARTITION BY item_id ORDER BY id DESC) AS place,
       CAST(NULL AS bigint) AS number, CAST(NULL AS bigint) AS further_after
FROM {_RATINGS} WHERE slot_id = {TO_BE_GIVEN} ORDER BY item_id
"""  # noqa: S608 - names of ours only
_DEAL: Final = (
    """
    WITH open_slots AS (
        SELECT item_id, number, row_number() OVER (
            PARTITION BY item_id ORDER BY given_to_id IS NOT NULL, number) AS place
        FROM tasks_slot
        WHERE NOT is_filled AND holder_id IS NULL
          AND item_id IN (SELECT item_id FROM planned_place)
    )
    UPDATE planned_place SET number = o.number FROM open_slots o
    WHERE o.item_id = planned_place.item_id AND o.place = planned_place.place
    """,
    """
    WITH present AS (
        SELECT item_id, max(number) AS last,
               sum(CASE WHEN is_filled OR holder_id IS NOT NULL THEN 0 ELSE 1 END) AS open
        FROM tasks_slot
        WHERE item_id IN (SELECT item_id FROM planned_place WHERE number IS NULL)
        GROUP BY item_id
    )
    UPDATE planned_place
    SET number = p.last + planned_place.place - p.open, further_after = p.last
    FROM present p
    WHERE p.item_id = planned_place.item_id AND planned_place.number IS NULL
    """,
    """
    INSERT INTO tasks_slot (campaign_id, item_id, number, order_key, is_filled)
    SELECT s.campaign_id, s.item_id, p.number, COALESCE(s.order_key, 0), TRUE
    FROM planned_place p JOIN tasks_slot s ON s.item_id = p.item_id AND s.number = p.further_after
    ORDER BY s.item_id, p.number
    """,
    """
    UPDATE tasks_slot SET is_filled = TRUE, order_key = COALESCE(order_key, 0) FROM planned_place p
    WHERE p.item_id = tasks_slot.item_id AND p.number = tasks_slot.number
      AND p.further_after IS NULL
    """,
    f"""
    UPDATE {_RATINGS} SET slot_id = s.id
    FROM planned_place p JOIN tasks_slot s ON s.item_id = p.item_id AND s.number = p.number
    WHERE p.rating_id = {_RATINGS}.id
    """,  # noqa: S608 - as above
)


def plan_places(plan: Plan) -> None:
    plan.fill_table(Rating)
    plan.own_table("planned_place", rows=_RANK)
    plan.before(Rating, *_DEAL)
