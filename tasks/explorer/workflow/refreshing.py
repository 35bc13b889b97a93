"""Keeping summaries, scores and words of items true to what they follow from.

Triggers put an item into a queue in the transaction that changes anything (StaleItem). Here a part
of the queue is taken out and its items are worked out again, in one transaction: whatever was
committed with an entry of the queue is seen by then. On PostgreSQL one transaction at a time does
so in a campaign; two could else end in the wrong order, the one that had seen less last. Whoever is
interrupted leaves the queue as it was.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from tasks.explorer.queries.rows import ExplorerRow, rows_of
from tasks.explorer.queries.stale import is_anything_stale, stale_items
from tasks.explorer.queries.texts import ReadTexts, read_texts
from tasks.explorer.queries.words import as_vector
from tasks.explorer.workflow.summary_statements import (
    IDS,
    IS_CORRECT,
    NEVER,
    SCORE,
    STARTS,
    SUMMARISE,
)
from tasks.models import Campaign, Item, Membership
from tasks.models.item_words import TABLE
from tasks.protocols.definition import AnnotationProtocol
from tasks.storing.messages import send

REFRESH = "tasks.refresh_items"
AT_ONCE = 2000  # items of a transaction
PATIENCE = 0.25  # seconds after which a page begins no further transaction

_LOCK = 0x746F6E  # of PostgreSQL, together with a campaign's id
_TAKE = """
DELETE FROM tasks_staleitem WHERE campaign_id = %s AND item_id IN (
    SELECT item_id FROM tasks_staleitem WHERE campaign_id = %s
    GROUP BY item_id ORDER BY item_id LIMIT %s
) RETURNING item_id, texts
"""
_FORGET = {
    "postgresql": f"DELETE FROM {TABLE} WHERE item_id = ANY(%s)",  # noqa: S608 - ours
    "sqlite": f"DELETE FROM {TABLE} WHERE rowid IN (SELECT value FROM json_each(%s))",  # noqa: S608 - ours
}
_STORE = {
    "postgresql": f"INSERT INTO {TABLE} (item_id, words) VALUES (%s, %s::tsvector)",  # noqa: S608 - ours
    "sqlite": f"INSERT INTO {TABLE} (rowid, words) VALUES (%s, %s)",  # noqa: S608 - ours
}


def refresh(*, campaign: Campaign) -> int:
    """Work out the first items of the campaign's queue again; how many, AT_ONCE at most."""
    with _only_one(campaign), connection.cursor() as cursor:
        cursor.execute(_TAKE, [campaign.pk, campaign.pk, AT_ONCE])
        taken = cursor.fetchall()
        items = sorted({item for item, _texts in taken})
        read = list(read_texts({item for item, texts in taken if texts}))
        _store_words(read)
        _summarise(campaign, items, read)
    return len(items)


def refresh_before_reading(*, campaign: Campaign) -> int:
    """Bring the campaign's summaries up to date; how many items have to wait for a worker.

    What is asked for at a page or call: it takes no lock and writes nothing if nothing is stale,
    and a long queue is left to the workers after a moment.
    """
    if not is_anything_stale(campaign):
        return 0
    until = time.monotonic() + PATIENCE
    while refresh(campaign=campaign) == AT_ONCE:
        if time.monotonic() > until:
            send(REFRESH, campaign.pk, expires=60)
            return stale_items(campaign)
    return 0


def row_of_item(*, member: Membership, item: Item) -> ExplorerRow:
    """The row of one item, of this moment however long the queue is."""
    if refresh_before_reading(campaign=member.campaign):
        with _only_one(member.campaign):
            _summarise(member.campaign, [item.pk], list(read_texts({item.pk})))
    (row,) = rows_of(member, [item.pk])
    return row


def refresh_all(*, campaign: Campaign) -> None:
    """Until the queue is empty, a transaction at a time."""
    while refresh(campaign=campaign) == AT_ONCE:
        pass


@contextmanager
def _only_one(campaign: Campaign) -> Iterator[None]:
    """A transaction that alone works out summaries of the campaign."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, campaign.pk])
        yield


def _summarise(campaign: Campaign, items: Sequence[int], read: Sequence[ReadTexts]) -> None:
    """Work out summaries and scores; of items whose texts were read, also how they begin."""
    if items:
        starts = json.dumps(
            [
                {
                    "id": each.item,
                    "question": each.question_start,
                    "candidate": each.candidate_start,
                }
                for each in read
            ]
        )
        with connection.cursor() as cursor:
            for statement, parameters in _statements(campaign.annotation_protocol, items):
                cursor.execute(statement, {**parameters, "starts": starts})


def _statements(
    protocol: AnnotationProtocol, ids: Sequence[int]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    vendor = connection.vendor
    chosen = list(ids) if vendor == "postgresql" else json.dumps(ids)
    labels = protocol.scheme.labels
    bits = " UNION ALL ".join(
        f"SELECT CAST(%(label{place})s AS varchar(60)), CAST({1 << place} AS bigint)"
        for place in range(len(labels))
    )
    summarise = SUMMARISE.format(
        ids=IDS[vendor],
        bits=bits,
        starts=STARTS[vendor],
        never=NEVER[vendor],
    )
    named = {f"label{place}": label for place, label in enumerate(labels)}
    yield summarise, {"ids": chosen, **named}
    correct = json.dumps(sorted(protocol.correct_labels))
    score = SCORE.format(ids=IDS[vendor], is_correct=IS_CORRECT[vendor])
    yield score, {"ids": chosen, "correct": correct}


def _store_words(read: Sequence[ReadTexts]) -> None:
    """Let the text search know what items say now."""
    if not read:
        return
    is_postgres = connection.vendor == "postgresql"
    items = [each.item for each in read]
    written = as_vector if is_postgres else " ".join
    with connection.cursor() as cursor:
        cursor.execute(_FORGET[connection.vendor], [items if is_postgres else json.dumps(items)])
        cursor.executemany(
            _STORE[connection.vendor], [(each.item, written(each.words)) for each in read]
        )
