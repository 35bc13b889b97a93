"""Keeping summaries, scores and words of items true to what they follow from.

Triggers put an item into a queue in the transaction that changes anything (StaleItem). Here a part
of the queue is taken out and its items are worked out again, in one transaction: whatever was
committed with an entry of the queue is seen by then. On PostgreSQL one transaction at a time does
so in a campaign; two could else end in the wrong order, the one that had seen less last. Whoever is
interrupted leaves the queue as it was.

In the statements `{ids}` selects the ids, `{bits}` the bit of each label, `{starts}` how texts
begin.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.db import connection, transaction

from tasks.explorer.queries.rows import ExplorerRow, is_anything_stale, rows_of, stale_items
from tasks.explorer.queries.words import ReadTexts, as_vector, read_texts
from tasks.models import Campaign, Item, Membership
from tasks.models.explorer import NO_SHARE, ItemState
from tasks.models.summary_triggers import TABLE
from tasks.protocols.definition import AnnotationProtocol
from tasks.storing.database import execute
from tasks.storing.messages import send
from tasks.votes.ratings import IS_COUNTED

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
    with _only_one(campaign):
        taken = execute(_TAKE, [campaign.pk, campaign.pk, AT_ONCE])
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
            execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, campaign.pk])
        yield


def _summarise(campaign: Campaign, items: Sequence[int], read: Sequence[ReadTexts]) -> None:
    """Work out summaries and scores; of items whose texts were read, also how they begin."""
    if items:
        starts = [
            {"id": text.item, "question": text.question_start, "candidate": text.candidate_start}
            for text in read
        ]
        chosen = list(items) if connection.vendor == "postgresql" else json.dumps(items)
        values = {"ids": chosen, "starts": json.dumps(starts)}
        for statement, parameters in statements_for(campaign.annotation_protocol):
            execute(statement, {**parameters, **values})


def statements_for(
    protocol: AnnotationProtocol, *, ids: str = "", starts: str = ""
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The statements that store summaries and scores, with the parameters that a protocol gives.

    `ids` selects the ids, `starts` how the texts of items begin: else parameters of those names.
    """
    vendor = connection.vendor
    ids, starts = ids or IDS[vendor], starts or STARTS[vendor]
    labels = protocol.scheme.labels
    bits = " UNION ALL ".join(
        f"SELECT CAST(%(label{place})s AS varchar(60)), CAST({1 << place} AS bigint)"
        for place in range(len(labels))
    )
    summarise = SUMMARISE.format(ids=ids, bits=bits, starts=starts, never=NEVER[vendor])
    yield summarise, {f"label{place}": label for place, label in enumerate(labels)}
    correct = json.dumps(sorted(protocol.correct_labels))
    yield SCORE.format(ids=ids, is_correct=IS_CORRECT[vendor]), {"correct": correct}


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


IDS: Final = {
    "postgresql": "SELECT unnest(%(ids)s::bigint[]) AS id",
    "sqlite": "SELECT value AS id FROM json_each(%(ids)s)",
}

# how the texts of an item begin, of those items alone whose texts are new
STARTS: Final = {
    "postgresql": "SELECT t.id, t.question, t.candidate"
    " FROM jsonb_to_recordset(%(starts)s::jsonb) AS t (id bigint, question text, candidate text)",
    "sqlite": "SELECT json_extract(value, '$.id') AS id,"
    " json_extract(value, '$.question') AS question,"
    " json_extract(value, '$.candidate') AS candidate FROM json_each(%(starts)s)",
}

NEVER: Final = {
    "postgresql": "TIMESTAMPTZ '1970-01-01 00:00:00+00'",
    "sqlite": "'1970-01-01 00:00:00'",
}

_COLUMNS: Final = {
    "campaign_id": "i.campaign_id",
    "document_id": "q.document_id",
    "purpose": "i.purpose",
    "question_type": "q.question_type",
    "split": "q.split",
    "question_start": "COALESCE(starts.question, earlier.question_start, '')",
    "candidate_start": "COALESCE(starts.candidate, earlier.candidate_start, '')",
    "ratings": "COALESCE(tally.ratings, 0)",
    "wanted": "COALESCE(places.wanted, 0)",
    "unfilled": "COALESCE(places.unfilled, 0)",
    "label": "CASE WHEN first.labels = 1 THEN first.label ELSE '' END",
    "labels": "COALESCE(tally.bits, 0)",
    "is_tied": "COALESCE(first.labels > 1, false)",
    "is_disputed": "COALESCE(tally.labels > 1, false)",
    "share": f"COALESCE(tally.most * 1.0 / tally.ratings, {NO_SHARE})",
    "first_rated_at": "times.first_rated_at",
    "last_rated_at": "COALESCE(times.last_rated_at, {never})",
    "decided": "CASE WHEN decisions.labels = 1 THEN decisions.label ELSE '' END",
    "is_decided": "decisions.labels IS NOT NULL",
    "open_flags": "COALESCE(raised.open_flags, 0)",
    "flags": "COALESCE(raised.flags, 0)",
    "skips": "COALESCE(skipped.skips, 0)",
    "state": f"""CASE
        WHEN handling.is_dismissed THEN '{ItemState.DISMISSED}'
        WHEN i.purpose <> 'live' THEN '{ItemState.APART}'
        WHEN decisions.labels > 1 THEN '{ItemState.DISPUTED}'
        WHEN decisions.labels = 1 THEN '{ItemState.DECIDED}'
        WHEN places.unfilled > 0 THEN '{ItemState.OPEN}'
        WHEN tally.ratings IS NULL THEN '{ItemState.APART}'
        WHEN tally.labels > 1 THEN '{ItemState.DISPUTED}'
        ELSE '{ItemState.RATED}' END""",
}

SUMMARISE: Final = f"""
WITH chosen AS ({{ids}}), bits (label, bit) AS ({{bits}}),
starts (id, question, candidate) AS ({{starts}}),
votes AS (
    SELECT r.item_id, o.label, COUNT(*) AS votes
    FROM chosen c JOIN tasks_item i ON i.id = c.id AND i.purpose = 'live'
    JOIN tasks_rating r ON r.item_id = c.id
    JOIN tasks_outcome o ON o.id = r.outcome_id
    WHERE {IS_COUNTED.format(rating="r")}
      AND NOT EXISTS (SELECT 1 FROM tasks_rating newer WHERE newer.supersedes_id = r.id)
    GROUP BY r.item_id, o.label
), tally AS (
    SELECT v.item_id, SUM(v.votes) AS ratings, MAX(v.votes) AS most, COUNT(*) AS labels,
        SUM(COALESCE(b.bit, 0)) AS bits
    FROM votes v LEFT JOIN bits b ON b.label = v.label GROUP BY v.item_id
), first AS (
    SELECT v.item_id, COUNT(*) AS labels, MIN(v.label) AS label
    FROM votes v JOIN tally t ON t.item_id = v.item_id AND v.votes = t.most GROUP BY v.item_id
), times AS (
    SELECT r.item_id, MIN(r.created_at) AS first_rated_at,
        MAX(COALESCE(r.rated_at, r.created_at)) AS last_rated_at
    FROM chosen c JOIN tasks_rating r ON r.item_id = c.id GROUP BY r.item_id
), decisions AS (
    SELECT a.item_id, COUNT(DISTINCT o.label) AS labels, MIN(o.label) AS label
    FROM chosen c JOIN tasks_adjudication a ON a.item_id = c.id
    JOIN tasks_outcome o ON o.id = a.outcome_id
    WHERE NOT EXISTS (SELECT 1 FROM tasks_adjudication newer WHERE newer.supersedes_id = a.id)
    GROUP BY a.item_id
), places AS (
    SELECT s.item_id, COUNT(*) AS wanted,
        SUM(CASE WHEN s.is_filled THEN 0 ELSE 1 END) AS unfilled
    FROM chosen c JOIN tasks_slot s ON s.item_id = c.id
    WHERE s.order_key IS NOT NULL GROUP BY s.item_id
), raised AS (
    SELECT f.item_id, COUNT(*) AS flags,
        SUM(CASE WHEN f.settled_at IS NULL THEN 1 ELSE 0 END) AS open_flags
    FROM chosen c JOIN tasks_flag f ON f.item_id = c.id GROUP BY f.item_id
), skipped AS (
    SELECT a.item_id, COUNT(*) AS skips
    FROM chosen c JOIN tasks_assignment a ON a.item_id = c.id
    WHERE a.state = 'skipped' GROUP BY a.item_id
)
INSERT INTO tasks_itemsummary (item_id, {", ".join(_COLUMNS)})
SELECT i.id, {", ".join(_COLUMNS.values())}
FROM chosen c
JOIN tasks_item i ON i.id = c.id
JOIN tasks_question q ON q.id = i.question_id
LEFT JOIN tasks_itemsummary earlier ON earlier.item_id = i.id
LEFT JOIN tasks_itemhandling handling ON handling.item_id = i.id
LEFT JOIN starts ON starts.id = i.id
LEFT JOIN tally ON tally.item_id = i.id
LEFT JOIN first ON first.item_id = i.id
LEFT JOIN times ON times.item_id = i.id
LEFT JOIN decisions ON decisions.item_id = i.id
LEFT JOIN places ON places.item_id = i.id
LEFT JOIN raised ON raised.item_id = i.id
LEFT JOIN skipped ON skipped.item_id = i.id
WHERE true
ON CONFLICT (item_id) DO UPDATE
    SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS)}
"""  # noqa: S608 - names of our own columns

SCORE: Final = """
WITH chosen AS ({ids})
INSERT INTO tasks_itemscore (item_id, campaign_id, matcher, score, is_correct, differs)
SELECT g.item_id, s.campaign_id, g.matcher, g.score, g.is_correct,
    CASE WHEN s.label = '' OR %(correct)s = '[]' THEN NULL
        ELSE g.is_correct <> ({is_correct}) END
FROM chosen c
JOIN tasks_itemsummary s ON s.item_id = c.id
JOIN tasks_suggestion g ON g.item_id = c.id
WHERE NOT EXISTS (
    SELECT 1 FROM tasks_suggestion newer
    WHERE newer.item_id = g.item_id AND newer.matcher = g.matcher AND newer.id > g.id)
ON CONFLICT (item_id, matcher) DO UPDATE
    SET score = excluded.score, is_correct = excluded.is_correct, differs = excluded.differs
"""

IS_CORRECT: Final = {
    "postgresql": "%(correct)s::jsonb @> to_jsonb(s.label::text)",
    "sqlite": "s.label IN (SELECT value FROM json_each(%(correct)s))",
}
