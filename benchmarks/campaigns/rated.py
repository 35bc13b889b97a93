"""A campaign whose items are all rated, of any size, stored in bulk.

An import checks every rating, which takes hours for millions of them; here the rows are drawn and
written as an import would leave them. Only an empty database takes them.
"""

import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice, product
from typing import Any

from django.db import connection, transaction

from benchmarks.campaigns.outcomes import random_outcomes
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.models import Campaign, Document, Membership, Question, System
from tasks.models.guards import install_guards, remove_fitting_guards
from tasks.models.summary_triggers import install_triggers, remove_triggers

RATERS = 20
_PER_DOCUMENT = 10  # questions
_NOW = "2026-03-01 12:00:00+00:00"
_BEGUN = datetime(2026, 3, 1, 12, tzinfo=UTC)
_HASH = "0" * 64
_BLOCK = 5000  # rows that are sent at once
_INDEXES = """
SELECT CASE WHEN k.oid IS NULL THEN format('DROP INDEX %%I', c.relname)
        ELSE format('ALTER TABLE %%s DROP CONSTRAINT %%I', i.indrelid::regclass, k.conname) END,
    CASE WHEN k.oid IS NULL THEN pg_get_indexdef(c.oid)
        ELSE format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s',
            i.indrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) END
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
LEFT JOIN pg_constraint k ON k.conindid = c.oid AND k.contype IN ('u', 'x')
WHERE i.indrelid = ANY(%s::text[]::regclass[]) AND NOT i.indisprimary
    AND (k.oid IS NULL OR NOT %s)
"""
_ITEM = (
    *("id", "campaign_id", "question_id", "key", "references", "candidate", "purpose"),
    "created_at",
)
_SLOT = ("id", "campaign_id", "item_id", "number", "order_key", "is_filled")
_ASSIGNMENT = ("id", "item_id", "rater_id", "slot_id", "state", "skip_reason", "claimed_at")
_RATING = (
    *("id", "item_id", "rater_id", "outcome_id", "slot_id", "assignment_id", "guideline_id"),
    "suggestion_arm",
    *("comment", "seconds", "rated_at", "idempotency_key", "payload_hash", "created_at"),
)


def make_rated_campaign(
    slug: str,
    *,
    protocol: str,
    items: int,
    overlap: int,
    questions: int = 1,
    words: int = 120,
    systems: Sequence[str] = (),
    is_claimed: bool = False,
) -> Campaign:
    """Each item with so many counted ratings, by neighbours among 20 raters without an account.
    Items are shared out evenly among the questions, each with a passage of its own of so many
    words, and are all answers of the systems. `is_claimed`: the raters claimed what they rated."""
    campaign = create_campaign(slug=slug, protocol=protocol, overlap=overlap)
    raters = [f"rater {number:02}" for number in range(RATERS)]
    members = Membership.objects.bulk_create(
        Membership(campaign=campaign, name=name, pseudonym=name.replace(" ", "-"))
        for name in raters
    )
    asked = _questions(campaign, questions, words)
    rows = _Rows(campaign, asked, [member.pk for member in members], items, overlap, is_claimed)
    names = System.objects.bulk_create(System(campaign=campaign, name=name) for name in systems)
    load_rows(
        [
            ("tasks_item", _ITEM, rows.items()),
            ("tasks_itemsystem", ("item_id", "system_id"), rows.systems(names)),
            ("tasks_slot", _SLOT, rows.slots()),
            ("tasks_assignment", _ASSIGNMENT, rows.assignments()),
            ("tasks_rating", _RATING, rows.ratings()),
        ]
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return campaign


def _questions(campaign: Campaign, number: int, length: int) -> list[int]:
    """The keys of so many questions that are no near-duplicates of each other."""
    documents = Document.objects.bulk_create(
        Document(campaign=campaign, key=f"river-{place}")
        for place in range(-(-number // _PER_DOCUMENT))
    )
    draw = random.Random(1)
    words = [f"word{place}" for place in range(3000)]
    asked = Question.objects.bulk_create(
        (
            Question(
                campaign=campaign,
                document=documents[place // _PER_DOCUMENT],
                key=f"q-{place}",
                text=f"{' '.join(draw.choices(words, k=9))}?",
                context=" ".join(draw.choices(words, k=length)),
                references=["in the northern hills"],
                fingerprint=f"texts-{place}",
            )
            for place in range(number)
        ),
        batch_size=1000,
    )
    return [question.pk for question in asked]


class _Rows:
    """The rows of items, slots and ratings of a campaign in an otherwise empty database."""

    def __init__(
        self,
        campaign: Campaign,
        questions: Sequence[int],
        raters: Sequence[int],
        items: int,
        overlap: int,
        is_claimed: bool,
    ) -> None:
        self._campaign, self._questions, self._raters = campaign, questions, raters
        self._items, self._overlap, self._is_claimed = items, overlap, is_claimed

    def items(self) -> Iterator[tuple[Any, ...]]:
        for item in range(1, self._items + 1):
            question = self._questions[(item - 1) * len(self._questions) // self._items]
            texts = (f"item-{item}", '["in the northern hills"]', f"{item % 10} miles from the sea")
            yield (item, self._campaign.pk, question, *texts, "live", _NOW)

    def systems(self, systems: Iterable[System]) -> Iterator[tuple[Any, ...]]:
        return product(range(1, self._items + 1), (system.pk for system in systems))

    def slots(self) -> Iterator[tuple[Any, ...]]:
        for number, item, place in self._places():
            yield (number, self._campaign.pk, item, place, number, True)

    def assignments(self) -> Iterator[tuple[Any, ...]]:
        for number, item, place in self._places() if self._is_claimed else ():
            yield (number, item, self._rater(item, place), number, "submitted", "", _NOW)

    def ratings(self) -> Iterator[tuple[Any, ...]]:
        outcomes = [each.id for each in self._campaign.annotation_protocol.outcomes if each.answers]
        drawn = random_outcomes(len(outcomes), self._items, self._overlap)
        guideline = self._campaign.guideline_id
        for (number, item, place), outcome in zip(self._places(), drawn.flat, strict=True):
            rater, assignment = self._rater(item, place), number if self._is_claimed else None
            said = (item, rater, outcomes[outcome], number, assignment, guideline, "hidden", "")
            when = _BEGUN + timedelta(milliseconds=1234 * number)
            known = (number * 37 % 100_000 / 1000, str(when), f"key-{number}", _HASH, _NOW)
            yield (number, *said, *known)

    def _rater(self, item: int, place: int) -> int:
        return self._raters[(item * 7 + place * 3) % len(self._raters)]

    def _places(self) -> Iterator[tuple[int, int, int]]:
        """Number of the rating, number of its item, and its place there."""
        for number in range(self._items * self._overlap):
            yield number + 1, number // self._overlap + 1, number % self._overlap


def load_rows(tables: Iterable[tuple[str, Sequence[str], Iterable[Sequence[Any]]]]) -> None:
    """Copy rows into each table, by these columns. Nothing is checked and nothing is queued."""
    if connection.vendor == "postgresql":
        loads = list(tables)
        names = [table for table, _columns, _rows in loads]
        with transaction.atomic(), connection.cursor() as cursor, without_indexes(names):
            for table, columns, rows in loads:
                with cursor.copy(f"COPY {table} ({_names(columns)}) FROM STDIN") as copy:
                    for block in _blocks(rows):
                        copy.write(block)
        return
    remove_fitting_guards()
    remove_triggers(plan=[None])
    raw: sqlite3.Connection = connection.connection
    for pragma in ("foreign_keys = OFF", "synchronous = OFF", "cache_size = -200000"):
        raw.execute(f"PRAGMA {pragma}")
    with transaction.atomic():
        for table, columns, rows in tables:
            marks = ", ".join("?" * len(columns))
            raw.executemany(f"INSERT INTO {table} ({_names(columns)}) VALUES ({marks})", rows)  # noqa: S608 - ours
    raw.execute("PRAGMA foreign_keys = ON")
    install_guards()
    install_triggers()


@contextmanager
def without_indexes(tables: Sequence[str], *, with_constraints: bool = False) -> Iterator[None]:
    """Empty PostgreSQL's tables, and make their indexes after the rows that come now, except for
    primary keys, and `with_constraints` for those of constraints. No trigger runs. To be used in a
    transaction: with wal_level=minimal what is new in it is not logged."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("SET LOCAL maintenance_work_mem = '1GB'")
        cursor.execute(f"TRUNCATE {', '.join(tables)} CASCADE")
        cursor.execute(_INDEXES, [list(tables), with_constraints])
        indexes = cursor.fetchall()
        for drop, _make in indexes:
            cursor.execute(drop)
        yield
        for _drop, make in indexes:
            cursor.execute(make)


def _blocks(rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Rows as COPY reads them, thousands at once. The texts hold nothing to be escaped."""
    lines = ("\t".join(["\\N" if cell is None else str(cell) for cell in row]) for row in rows)
    while block := list(islice(lines, _BLOCK)):
        yield "\n".join([*block, ""])


def _names(columns: Sequence[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)
