"""A campaign for the data explorer, of any size: rows are copied into the tables as they are."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from typing import Any

from django.db import connection, transaction

from benchmarks.campaigns.rated import load_rows, without_indexes
from tasks.campaigns.workflow.campaign import (
    add_member,
    create_campaign,
    publish_guideline,
)
from tasks.explorer.queries.words import BETWEEN
from tasks.explorer.workflow.refreshing import statements_for
from tasks.models import Campaign, Guideline, Membership, Outcome, System, Tag, User
from tasks.models.explorer import START
from tasks.models.summary_triggers import TABLE

OVERLAP, RATERS, PER_QUESTION = 3, 20, 4
SYSTEMS = ("juniper", "larch", "rowan", "willow")
RARE_SYSTEM, RARE_WORD, RARE_TYPE, RARE_MATCHER = "alder", "zyzzyva", "riddle", "bem"
TYPES, SPLITS = ("who", "where", "when", "how", "why"), ("train", "dev", "test")
_BEGAN = datetime(2025, 1, 1, tzinfo=UTC)
_YEARS = 1_000_000_000  # in seconds
_CLOCK = [str(timedelta(seconds=second)).zfill(8) for second in range(86_400)]
_NUMBERED = [
    f"tasks_{name}" for name in ("document", "question", "item", "slot", "assignment")
]  # tables with ids of ours
_EVERY_ITEM = """
INSERT INTO tasks_staleitem (campaign_id, item_id, texts)
SELECT campaign_id, id, true FROM tasks_item
"""
_AT_ONCE = 20_000  # items: of more, PostgreSQL would read all ratings for each block
_IDS = "SELECT generate_series(%(first)s::bigint, %(last)s::bigint) AS id"
_OF_BLOCK = """
FROM tasks_item i JOIN tasks_question q ON q.id = i.question_id
WHERE i.id BETWEEN %(first)s AND %(last)s
"""
_STARTS = (
    f"SELECT i.id, left(lower(rtrim(q.text, '?')), {START}), left(i.candidate, {START}) {_OF_BLOCK}"
)
_WORDS = f"""
INSERT INTO {TABLE} (item_id, words)
SELECT i.id, to_tsvector('simple', concat_ws(' {BETWEEN} ',
    '{BETWEEN}' || replace(i.key, '-', ''), q.text, i."references", i.candidate, q.context))
{_OF_BLOCK}
"""


def make_explored_campaign(
    slug: str,
    items: int,
    overlap: int = OVERLAP,
    *,
    raters: int = RATERS,
    unrated: int = 0,
    passage: int = 60,
) -> tuple[Membership, Membership]:
    """The campaign with so many items, of so many ratings each except for the last `unrated`,
    and passages of so many words; an admin who has asked for all votes, and one who has not.

    The first rater has an account, and was handed out what they have rated; the ratings of the
    others are as imported ones are.
    """
    campaign = create_campaign(slug=slug, protocol="ae", overlap=overlap)
    seeing, blind = (
        add_member(campaign=campaign, user=User.objects.create_user(name), role="admin")
        for name in ("seeing", "blind")
    )
    account = User.objects.create_user("rater")
    people = Membership.objects.bulk_create(
        Membership(
            campaign=campaign, name=f"rater-{n}", pseudonym=f"R{n:03}", user=None if n else account
        )
        for n in range(raters)
    )
    names = (*SYSTEMS, RARE_SYSTEM)
    systems = System.objects.bulk_create(System(campaign=campaign, name=name) for name in names)
    guidelines = [publish_guideline(campaign=campaign, text=f"Rules {n}") for n in (1, 2)]
    tag = Tag.objects.create(campaign=campaign, name="odd")
    rows = _Rows(campaign, items, unrated, passage, people, systems, guidelines, tag)
    load_rows(rows.tables())
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            for table in _NUMBERED:
                cursor.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table}"  # noqa: S608 - ours
                )
            cursor.execute("ANALYZE")  # as every import does
    Membership.objects.filter(pk=seeing.pk).update(votes_seen_until=datetime.now(UTC))
    seeing.refresh_from_db()
    return seeing, blind


def queue_every_item() -> None:
    """Have all summaries worked out, as SQLite's triggers do once they are back."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(_EVERY_ITEM)


def summarise_every_item(campaign: Campaign, items: int) -> None:
    """Summaries, scores and words on PostgreSQL, by the site's own statements for a great many
    items at once. The texts are plain words, which the database can split."""
    summarised = ["tasks_itemsummary", "tasks_itemscore", TABLE]
    with (
        transaction.atomic(),
        connection.cursor() as cursor,
        without_indexes(summarised, with_constraints=True),
    ):
        for first in range(1, items + 1, _AT_ONCE):
            block = {"first": first, "last": min(first + _AT_ONCE - 1, items)}
            for statement, parameters in statements_for(
                campaign.annotation_protocol, ids=_IDS, starts=_STARTS
            ):
                cursor.execute(statement, {**parameters, **block})
            cursor.execute(_WORDS, block)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


class _Rows:
    """What goes into each table. Ids count from 1: the site is a new one."""

    def __init__(
        self,
        campaign: Campaign,
        items: int,
        unrated: int,
        passage: int,
        raters: Sequence[Membership],
        systems: Sequence[System],
        guidelines: Sequence[Guideline],
        tag: Tag,
    ) -> None:
        self.campaign, self.items, self.overlap = campaign, items, campaign.overlap
        self.rated, self.passage = items - unrated, passage
        self.raters, self.systems, self.guidelines = raters, systems, guidelines
        self.tag = tag
        self.questions = -(-items // PER_QUESTION)
        self.words = [
            f"{a}{b}{c}"
            for a in "bdfgk"
            for b in ("ar", "el", "is", "on", "ur")
            for c in ("da", "lin", "mor", "ta", "ven", "zo", "bri", "cho")
        ]
        outcomes = Outcome.objects.filter(protocol="ae")
        self.outcomes = {
            label: outcomes.filter(label=label).order_by("pk")[0].pk
            for label in ("equivalent", "not-equivalent")
        }

    def tables(self) -> Iterator[tuple[str, Sequence[str], Iterable[Sequence[Any]]]]:
        yield "tasks_document", ("id", "campaign_id", "key"), self._documents()
        yield (
            "tasks_question",
            (
                *("id", "campaign_id", "document_id", "key", "text", "context", "fingerprint"),
                *("question_type", "split", "references", "answer_starts"),
            ),
            self._questions(),
        )
        yield (
            "tasks_item",
            (
                *("id", "campaign_id", "question_id", "key", "references", "candidate"),
                *("intended", "purpose", "created_at"),
            ),
            self._items(),
        )
        yield "tasks_itemsystem", ("item_id", "system_id"), self._item_systems()
        yield (
            "tasks_candidate",
            (
                *("system_id", "question_id", "text", "is_exact_match", "alternatives"),
                "provenance",
            ),
            self._candidates(),
        )
        yield (
            "tasks_slot",
            (
                *("id", "campaign_id", "item_id", "number", "order_key", "is_filled"),
                *("given_to_id", "given_until"),
            ),
            self._slots(),
        )
        yield (
            "tasks_assignment",
            ("id", "item_id", "rater_id", "slot_id", "state", "skip_reason", "claimed_at"),
            self._assignments(),
        )
        yield (
            "tasks_rating",
            (
                *("item_id", "rater_id", "outcome_id", "slot_id", "assignment_id"),
                *("guideline_id", "suggestion_arm", "comment", "suggestion_policy"),
                *("suggestion_matcher", "wording", "seconds", "rated_at"),
                *("idempotency_key", "payload_hash", "created_at"),
            ),
            self._ratings(),
        )
        yield (
            "tasks_suggestion",
            ("item_id", "matcher", "version", "score", "is_correct", "created_at"),
            self._suggestions(),
        )
        yield (
            "tasks_flag",
            ("item_id", "rater_id", "reason", "settlement", "created_at"),
            ((n, self.raters[0].pk, "odd", "", _time(n)) for n in range(1, self.items, 997)),
        )
        yield (
            "tasks_itemtag",
            ("tag_id", "item_id"),
            ((self.tag.pk, n) for n in range(1, self.items, 101)),
        )
        yield (
            "tasks_itemhandling",
            ("item_id", "is_dismissed", "is_sent", "more_ratings"),
            ((n, True, False, 0) for n in range(1, self.items, 499)),
        )

    def _documents(self) -> Iterator[Sequence[Any]]:
        for n in range(self.questions // 10 + 1):
            yield n + 1, self.campaign.pk, f"document-{n}"

    def _questions(self) -> Iterator[Sequence[Any]]:
        draw = Random(1)
        for n in range(self.questions):
            passage = " ".join(draw.choices(self.words, k=self.passage))
            rare = f" {RARE_WORD}" if n % 5000 == 7 else ""
            kind = RARE_TYPE if n % 25_000 == 3 else TYPES[n % len(TYPES)]
            text = f"Where does the {' '.join(draw.choices(self.words, k=3))} {n} rise?"
            yield (
                *(n + 1, self.campaign.pk, n // 10 + 1, f"q-{n}", text),
                *(f"The river {passage}{rare}.", str(n), kind, SPLITS[n % 10 // 4]),
                *('["in the northern hills"]', "[]"),
            )

    def _items(self) -> Iterator[Sequence[Any]]:
        draw = Random(2)
        for n in range(self.items):
            purpose = "control" if n % 10_000 == 5 else "live"
            candidate = f"{' '.join(draw.choices(self.words, k=4))} hills"
            yield (
                *(n + 1, self.campaign.pk, n // PER_QUESTION + 1, f"item-{n}"),
                *('["in the northern hills"]', candidate, "", purpose, _time(n)),
            )

    def _item_systems(self) -> Iterator[Sequence[Any]]:
        for n in range(self.items):
            yield n + 1, self.systems[n % len(SYSTEMS)].pk
            if n % 20_000 == 9:
                yield n + 1, self.systems[-1].pk

    def _candidates(self) -> Iterator[Sequence[Any]]:
        for n in range(self.items):
            system = self.systems[n % len(SYSTEMS)].pk
            yield system, n // PER_QUESTION + 1, f"{n} hills", False, "[]", "{}"

    def _slots(self) -> Iterator[Sequence[Any]]:
        for n in range(self.items):
            for number in range(self.overlap):
                pk = n * self.overlap + number + 1
                yield pk, self.campaign.pk, n + 1, number + 1, n, n < self.rated, None, None
        last = self.items * self.overlap
        for count, n in enumerate(range(0, self.items, 20), start=1):
            given = (self.raters[3].pk, _time(_YEARS)) if count % 5 else (None, None)
            yield last + count, self.campaign.pk, n + 1, self.overlap + 1, n, False, *given

    def _rated_slots(self) -> Iterator[tuple[int, int, Membership]]:
        """The number of an item, that of one of its slots, and who filled it."""
        for n in range(self.rated):
            for number in range(self.overlap):
                yield n, n * self.overlap + number, self.raters[(n + number * 7) % len(self.raters)]

    def _assignments(self) -> Iterator[Sequence[Any]]:
        first = self.raters[0]
        for n, slot, rater in self._rated_slots():
            if rater is first:
                yield slot + 1, n + 1, rater.pk, slot + 1, "submitted", "", _time(slot)

    def _ratings(self) -> Iterator[Sequence[Any]]:
        draw = Random(3)
        yes, no = self.outcomes["equivalent"], self.outcomes["not-equivalent"]
        usual, rare = (each.pk for each in self.guidelines)
        first = self.raters[0]
        for n, slot, rater in self._rated_slots():
            truth, other = (yes, no) if n % 3 else (no, yes)
            outcome = truth if draw.random() < 0.9 else other
            at, pk = _time(slot), slot + 1
            yield (
                *(n + 1, rater.pk, outcome, pk, pk if rater is first else None),
                *(rare if n % 10_000 == 11 else usual, "", "", "", "", "", 12.5, at),
                *(f"bulk-{pk:09}", "", at),
            )

    def _suggestions(self) -> Iterator[Sequence[Any]]:
        draw = Random(4)
        for n in range(self.items):
            score = round(draw.betavariate(3, 2) if n % 3 else draw.betavariate(2, 3), 4)
            yield n + 1, "f1", "1", score, score >= 0.5, _time(n)
            if n % 50 == 1:
                yield n + 1, RARE_MATCHER, "1", 1 - score, score < 0.5, _time(n)


def _time(number: int) -> str:
    """So many seconds after the beginning, in the time zone of the connection. In parts that are
    kept: of datetimes the texts of millions take minutes."""
    days, seconds = divmod(number, len(_CLOCK))
    return f"{_day(days)} {_CLOCK[seconds]}"


@cache
def _day(number: int) -> str:
    return str((_BEGAN + timedelta(days=number)).date())
