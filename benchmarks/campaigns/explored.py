"""A campaign for the data explorer, of any size: rows are copied into the tables as they are."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from django.db import connection, transaction

from benchmarks.campaigns.rated import load_rows
from tasks.campaigns.workflow.campaign import (
    add_member,
    create_campaign,
    publish_guideline,
)
from tasks.models import Campaign, Guideline, Membership, Outcome, System, Tag, User

OVERLAP, RATERS, PER_QUESTION = 3, 20, 4
SYSTEMS = ("juniper", "larch", "rowan", "willow")
RARE_SYSTEM, RARE_WORD, RARE_TYPE, RARE_MATCHER = "alder", "zyzzyva", "riddle", "bem"
TYPES, SPLITS = ("who", "where", "when", "how", "why"), ("train", "dev", "test")
_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
_YEARS = 1_000_000_000  # in seconds
_EVERY_ITEM = """
INSERT INTO tasks_staleitem (campaign_id, item_id, texts)
SELECT campaign_id, id, true FROM tasks_item
"""


def make_explored_campaign(
    slug: str, items: int, overlap: int = OVERLAP
) -> tuple[Membership, Membership]:
    """The campaign with so many items of so many ratings each; an admin who has asked for all
    votes, and one who has not."""
    campaign = create_campaign(slug=slug, protocol="ae", overlap=overlap)
    seeing, blind = (
        add_member(campaign=campaign, user=User.objects.create_user(name), role="admin")
        for name in ("seeing", "blind")
    )
    raters = Membership.objects.bulk_create(
        Membership(campaign=campaign, name=f"rater-{n}", pseudonym=f"R{n:03}")
        for n in range(RATERS)
    )
    names = (*SYSTEMS, RARE_SYSTEM)
    systems = System.objects.bulk_create(System(campaign=campaign, name=name) for name in names)
    guidelines = [publish_guideline(campaign=campaign, text=f"Rules {n}") for n in (1, 2)]
    tag = Tag.objects.create(campaign=campaign, name="odd")
    rows = _Rows(campaign, items, raters, systems, guidelines, tag)
    load_rows(rows.tables())
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            for table in ("tasks_document", "tasks_question", "tasks_item", "tasks_slot"):
                cursor.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table}"  # noqa: S608 - ours
                )
            cursor.execute(_EVERY_ITEM)
            cursor.execute("ANALYZE")  # as every import does
    Membership.objects.filter(pk=seeing.pk).update(votes_seen_until=datetime.now(UTC))
    seeing.refresh_from_db()
    return seeing, blind


class _Rows:
    """What goes into each table. Ids count from 1: the site is a new one."""

    def __init__(
        self,
        campaign: Campaign,
        items: int,
        raters: Sequence[Membership],
        systems: Sequence[System],
        guidelines: Sequence[Guideline],
        tag: Tag,
    ) -> None:
        self.campaign, self.items, self.overlap = campaign, items, campaign.overlap
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
            "tasks_slot",
            (
                *("id", "campaign_id", "item_id", "number", "order_key", "is_filled"),
                *("given_to_id", "given_until"),
            ),
            self._slots(),
        )
        yield (
            "tasks_rating",
            (
                *("item_id", "rater_id", "outcome_id", "slot_id", "guideline_id"),
                *(
                    "suggestion_arm",
                    "comment",
                    "suggestion_policy",
                    "suggestion_matcher",
                    "seconds",
                    "rated_at",
                ),
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
            passage = " ".join(draw.choices(self.words, k=60))
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

    def _slots(self) -> Iterator[Sequence[Any]]:
        for n in range(self.items):
            for number in range(self.overlap):
                pk = n * self.overlap + number + 1
                yield pk, self.campaign.pk, n + 1, number + 1, n, True, None, None
        last = self.items * self.overlap
        for count, n in enumerate(range(0, self.items, 20), start=1):
            given = (self.raters[3].pk, _time(_YEARS)) if count % 5 else (None, None)
            yield last + count, self.campaign.pk, n + 1, self.overlap + 1, n, False, *given

    def _ratings(self) -> Iterator[Sequence[Any]]:
        draw = Random(3)
        yes, no = self.outcomes["equivalent"], self.outcomes["not-equivalent"]
        usual, rare = (each.pk for each in self.guidelines)
        for n in range(self.items):
            rules = rare if n % 10_000 == 11 else usual
            truth, other = (yes, no) if n % 3 else (no, yes)
            for number in range(self.overlap):
                outcome = truth if draw.random() < 0.9 else other
                at = _time(n * self.overlap + number)
                rater = self.raters[(n + number * 7) % RATERS].pk
                pk = n * self.overlap + number + 1
                yield (
                    *(n + 1, rater, outcome, pk, rules, "", "", "", "", 12.5, at),
                    *(f"bulk-{pk}", "", at),
                )

    def _suggestions(self) -> Iterator[Sequence[Any]]:
        draw = Random(4)
        for n in range(self.items):
            score = round(draw.betavariate(3, 2) if n % 3 else draw.betavariate(2, 3), 4)
            yield n + 1, "f1", "1", score, score >= 0.5, _time(n)
            if n % 50 == 1:
                yield n + 1, RARE_MATCHER, "1", 1 - score, score < 0.5, _time(n)


def _time(number: int) -> Any:
    at = _BEGAN + timedelta(seconds=number)
    return at if connection.vendor == "postgresql" else str(at.replace(tzinfo=None))
