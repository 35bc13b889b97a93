"""A campaign whose items are all rated, of any size, stored in bulk.

An import checks every rating, which takes hours for millions of them; here the rows are drawn and
written as an import would leave them. Only an empty database takes them.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from tasks.campaigns.workflow.campaign import create_campaign
from tasks.models import Campaign, Document, Membership, Question

_KNOWS = 0.8
_SEED = 4


def drawn_outcomes(outcomes: int, items: int, overlap: int) -> NDArray[np.int16]:
    """The outcome of every rating (items, overlap), by its place among the outcomes there are."""
    generator = np.random.default_rng(_SEED)
    shape = (items, overlap)
    true = generator.integers(0, outcomes, (items, 1), dtype=np.int16)
    guessed = generator.integers(0, outcomes, shape, dtype=np.int16)
    return np.where(generator.random(shape, dtype=np.float32) < _KNOWS, true, guessed)


RATERS = 20
_CHUNK = 50_000
_NOW = "2026-03-01 12:00:00+00:00"
_HASH = "0" * 64
_LOADING = {  # a database that is thrown away needs no journal, and made rows no checks
    "sqlite": (
        *("PRAGMA foreign_keys = OFF", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF"),
        "PRAGMA cache_size = -200000",
    ),
    "postgresql": ("SET session_replication_role = replica",),
}

_ITEM = (
    *("id", "campaign_id", "question_id", "key", "references", "candidate", "purpose"),
    "created_at",
)
_SLOT = ("id", "campaign_id", "item_id", "number", "order_key", "is_filled")
_RATING = (
    *("id", "item_id", "rater_id", "outcome_id", "slot_id", "guideline_id", "suggestion_arm"),
    *("comment", "seconds", "rated_at", "idempotency_key", "payload_hash", "created_at"),
)


def make_rated_campaign(slug: str, *, protocol: str, items: int, overlap: int) -> Campaign:
    """Each item with so many counted ratings, by neighbours among 20 raters without an account."""
    campaign = create_campaign(slug=slug, protocol=protocol, overlap=overlap)
    raters = [f"rater {number:02}" for number in range(RATERS)]
    members = Membership.objects.bulk_create(
        Membership(campaign=campaign, name=name, pseudonym=name.replace(" ", "-"))
        for name in raters
    )
    document = Document.objects.create(campaign=campaign, key="rivers")
    question = Question.objects.create(
        campaign=campaign, document=document, key="q", text="Where does it rise?", fingerprint=""
    )
    rows = _Rows(campaign, question, [member.pk for member in members], items, overlap)
    _before_loading()
    with transaction.atomic():
        _load("tasks_item", _ITEM, rows.items())
        _load("tasks_slot", _SLOT, rows.slots())
        _load("tasks_rating", _RATING, rows.ratings())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return campaign


class _Rows:
    """The rows of items, slots and ratings of a campaign in an otherwise empty database."""

    def __init__(
        self,
        campaign: Campaign,
        question: Question,
        raters: Sequence[int],
        items: int,
        overlap: int,
    ) -> None:
        self._campaign, self._question, self._raters = campaign, question, raters
        self._items, self._overlap = items, overlap

    def items(self) -> Iterator[tuple[Any, ...]]:
        for item in range(1, self._items + 1):
            texts = (f"item-{item}", '["in the northern hills"]', "far from the sea")
            yield (item, self._campaign.pk, self._question.pk, *texts, "live", _NOW)

    def slots(self) -> Iterator[tuple[Any, ...]]:
        for number, item, place in self._places():
            yield (number, self._campaign.pk, item, place, number, True)

    def ratings(self) -> Iterator[tuple[Any, ...]]:
        outcomes = [each.id for each in self._campaign.annotation_protocol.outcomes if each.answers]
        drawn = drawn_outcomes(len(outcomes), self._items, self._overlap)
        guideline = self._campaign.guideline_id
        for (number, item, place), outcome in zip(self._places(), drawn.flat, strict=True):
            rater = self._raters[(item * 7 + place * 3) % len(self._raters)]
            said = (item, rater, outcomes[outcome], number, guideline, "hidden", "")
            yield (number, *said, 9.5, _NOW, f"key-{number}", _HASH, _NOW)

    def _places(self) -> Iterator[tuple[int, int, int]]:
        """Number of the rating, number of its item, and its place there."""
        for number in range(self._items * self._overlap):
            yield number + 1, number // self._overlap + 1, number % self._overlap


def _before_loading() -> None:
    with connection.cursor() as cursor:
        for statement in _LOADING[connection.vendor]:
            cursor.execute(statement)


def _load(table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    names = ", ".join(f'"{column}"' for column in columns)
    rows = iter(rows)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * len(columns))
        while chunk := list(islice(rows, _CHUNK)):
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", chunk)  # noqa: S608 - our names
