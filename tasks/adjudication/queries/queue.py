"""The queue of items that wait for an adjudicator, most valuable first.

One statement counts every item's votes and says why it waits and for whom; it is run once for
the numbers and once for a page. What it is worth to decide an item is the formula of
`tomahto.votes.label_confidence`, here as SQL so that the database can put the items in order.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from django.db import connection, models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tasks.models import Membership
from tomahto.votes.confidence import PRIOR_VOTES
from tomahto.votes.label_confidence import (
    EVEN_SPLIT,
    LOW_CONFIDENCE,
    adjudication_value,
)


class Reason(models.TextChoices):
    """Why an item waits. The values are columns of the statement below."""

    TIE = "tie", _("Tie")
    LOW_CONFIDENCE = "low_confidence", _("Low confidence")
    FLAG = "flag", pgettext_lazy("reason", "Flag")
    SURPLUS = "surplus", _("Surplus vote that differs")
    DIFFER = "differ", _("Adjudicators differ")
    SENT = "sent", pgettext_lazy("reason", "Sent by an admin")


class Shelf(models.TextChoices):
    """Where an item stands for one adjudicator; it is on one shelf at most."""

    WAITING = "waiting", _("Waiting for you")
    UNFINISHED = "unfinished", _("Still being rated")
    SECOND = "second", _("Decided by others, not by you")
    LEFT = "left", _("Passed on")
    OWN = "own", _("Rated by you")


@dataclass(frozen=True, slots=True)
class QueuedItem:
    """An item of the queue. It says that votes are split, never which way."""

    id: int
    key: str
    question: str
    candidate: str
    systems: int
    confidence: float
    reasons: tuple[Reason, ...]

    @property
    def value(self) -> float:
        disputed = {Reason.FLAG, Reason.DIFFER, Reason.SENT}.intersection(self.reasons)
        return adjudication_value(self.confidence, systems=self.systems, is_disputed=bool(disputed))


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many items are on a shelf, and for which reasons; one item may have several."""

    items: int
    reasons: Mapping[Reason, int]


@dataclass(frozen=True)
class Queue(Sequence[QueuedItem]):
    """The items of one shelf of a member, for one reason if one is named.

    Its length is `items`, counted beforehand; what is cut out of it is read then.
    """

    member: Membership
    shelf: Shelf
    reason: Reason | None
    items: int

    def __len__(self) -> int:
        return self.items

    @overload
    def __getitem__(self, place: int) -> QueuedItem: ...

    @overload
    def __getitem__(self, place: slice) -> list[QueuedItem]: ...

    def __getitem__(self, place: int | slice) -> QueuedItem | list[QueuedItem]:
        if isinstance(place, int):
            return _page(self.member, self.shelf, self.reason, place, 1)[0]
        start, stop, _step = place.indices(self.items)
        return _page(self.member, self.shelf, self.reason, start, max(stop - start, 0))


def shelves_of(member: Membership) -> dict[Shelf, Waiting]:
    """Every shelf with its numbers, empty ones included."""
    sums = ", ".join(f"SUM({reason})" for reason in Reason)
    numbers = f"SELECT shelf, COUNT(*), {sums} FROM shelved WHERE shelf <> '' GROUP BY shelf"  # noqa: S608 - our names
    found = {row[0]: row[1:] for row in _rows(f"{_SHELVED} {numbers}", member)}
    nothing = (0,) * (1 + len(Reason))
    return {
        shelf: Waiting(int(numbers[0]), dict(zip(Reason, map(int, numbers[1:]), strict=True)))
        for shelf in Shelf
        for numbers in [found.get(shelf, nothing)]
    }


def next_item(member: Membership) -> int | None:
    """The most valuable item that waits for the member."""
    first = _page(member, Shelf.WAITING, None, 0, 1)
    return first[0].id if first else None


def _page(
    member: Membership, shelf: Shelf, reason: Reason | None, start: int, size: int
) -> list[QueuedItem]:
    for_reason = f"AND shelved.{reason} = 1" if reason else ""
    statement = f"{_SHELVED} {_PAGE.format(for_reason=for_reason)}"
    rows = _rows(statement, member, shelf=shelf.value, start=start, size=size)
    return [_item(row[:6], row[6:]) for row in rows]


def _item(fields: tuple[Any, ...], holds: Iterable[int]) -> QueuedItem:
    item_id, key, question, candidate, systems, confidence = fields
    reasons = tuple(reason for reason, is_so in zip(Reason, holds, strict=True) if is_so)
    return QueuedItem(item_id, key, question, candidate, systems, float(confidence), reasons)


def _rows(statement: str, member: Membership, **parameters: Any) -> list[tuple[Any, ...]]:
    labels = len(member.campaign.annotation_protocol.labels)
    given = {
        "campaign": member.campaign_id,
        "member": member.pk,
        "prior": PRIOR_VOTES,
        "prior_of_label": PRIOR_VOTES / labels,
        "low": LOW_CONFIDENCE,
        "even": EVEN_SPLIT,
        **parameters,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


# `votes`: how often each label was given to an item, and how often in a slot.
# `tallies`: what the item's votes come to; `leading` are all votes for the label in front.
_SHELVED = """
WITH votes AS (
    SELECT r.item_id, COUNT(r.slot_id) AS counted, COUNT(*) AS given
    FROM tasks_rating r
    JOIN tasks_item i ON i.id = r.item_id
    JOIN tasks_outcome o ON o.id = r.outcome_id
    WHERE i.campaign_id = %(campaign)s AND i.purpose = 'live'
      AND NOT EXISTS (SELECT 1 FROM tasks_rating newer WHERE newer.supersedes_id = r.id)
    GROUP BY r.item_id, o.label
), led AS (
    SELECT item_id, counted, given, MAX(counted) OVER (PARTITION BY item_id) AS most FROM votes
), tallies AS (
    SELECT item_id, COUNT(*) AS labels, SUM(given) AS given,
        MAX(CASE WHEN counted = most THEN given ELSE 0 END) AS leading,
        SUM(CASE WHEN counted = most AND most > 0 THEN 1 ELSE 0 END) AS leaders,
        MAX(CASE WHEN counted < most AND given > counted THEN 1 ELSE 0 END) AS strays
    FROM led GROUP BY item_id
), decisions AS (
    SELECT a.item_id, COUNT(DISTINCT o.label) AS labels,
        MAX(CASE WHEN a.adjudicator_id = %(member)s THEN 1 ELSE 0 END) AS mine
    FROM tasks_adjudication a
    JOIN tasks_item i ON i.id = a.item_id
    JOIN tasks_outcome o ON o.id = a.outcome_id
    WHERE i.campaign_id = %(campaign)s
      AND NOT EXISTS (SELECT 1 FROM tasks_adjudication newer WHERE newer.supersedes_id = a.id)
    GROUP BY a.item_id
), unfinished AS (
    SELECT DISTINCT item_id FROM tasks_slot
    WHERE campaign_id = %(campaign)s AND NOT is_filled
), flagged AS (
    SELECT DISTINCT item_id FROM tasks_flag WHERE settled_at IS NULL
), requested AS (
    SELECT r.item_id FROM tasks_adjudicationrequest r
    JOIN tasks_item i ON i.id = r.item_id
    WHERE i.campaign_id = %(campaign)s
      AND NOT EXISTS (SELECT 1 FROM tasks_adjudication a WHERE a.item_id = r.item_id)
), own AS (
    SELECT item_id FROM tasks_rating WHERE rater_id = %(member)s
    UNION
    SELECT item_id FROM tasks_assignment WHERE rater_id = %(member)s AND state = 'active'
), judged AS (
    SELECT i.id, i.key, i.question_id, i.candidate,
        CASE WHEN tallies.leaders > 1 THEN 1 ELSE 0 END AS tie,
        CASE WHEN tallies.labels > 1 AND
            (tallies.leading + %(prior_of_label)s) / (tallies.given + %(prior)s) < %(low)s
            THEN 1 ELSE 0 END AS low,
        CASE WHEN flagged.item_id IS NULL THEN 0 ELSE 1 END AS flag,
        CASE WHEN requested.item_id IS NULL THEN 0 ELSE 1 END AS sent,
        COALESCE(tallies.strays, 0) AS surplus,
        CASE WHEN decisions.labels > 1 THEN 1 ELSE 0 END AS differ,
        (COALESCE(tallies.leading, 0) + %(prior_of_label)s)
            / (COALESCE(tallies.given, 0) + %(prior)s) AS confidence,
        decisions.mine AS mine,
        CASE WHEN unfinished.item_id IS NULL THEN 0 ELSE 1 END AS is_open,
        CASE WHEN own.item_id IS NULL THEN 0 ELSE 1 END AS is_own,
        CASE WHEN EXISTS (
            SELECT 1 FROM tasks_leftitem l
            WHERE l.item_id = i.id AND l.adjudicator_id = %(member)s
        ) THEN 1 ELSE 0 END AS is_left
    FROM tasks_item i
    LEFT JOIN tallies ON tallies.item_id = i.id
    LEFT JOIN decisions ON decisions.item_id = i.id
    LEFT JOIN unfinished ON unfinished.item_id = i.id
    LEFT JOIN flagged ON flagged.item_id = i.id
    LEFT JOIN requested ON requested.item_id = i.id
    LEFT JOIN own ON own.item_id = i.id
    WHERE i.campaign_id = %(campaign)s AND i.purpose = 'live'
      AND (tallies.labels > 1 OR flagged.item_id IS NOT NULL OR requested.item_id IS NOT NULL
           OR decisions.mine IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM tasks_dismisseditem d WHERE d.item_id = i.id)
), shelved AS (
    SELECT id, key, question_id, candidate, confidence,
        tie, CASE WHEN tie = 1 THEN 0 ELSE low END AS low_confidence, flag, surplus, differ, sent,
        CASE
            WHEN mine = 1 AND differ = 1 THEN 'waiting'
            WHEN mine = 1 THEN ''
            WHEN mine IS NULL AND tie + low + flag + surplus + sent = 0 THEN ''
            WHEN is_own = 1 AND mine IS NULL AND (is_open = 0 OR flag + sent > 0) THEN 'own'
            WHEN is_own = 1 THEN ''
            WHEN is_left = 1 THEN 'left'
            WHEN mine = 0 THEN 'second'
            WHEN is_open = 1 AND flag + sent = 0 THEN 'unfinished'
            ELSE 'waiting'
        END AS shelf
    FROM judged
)
"""

_PAGE = """
SELECT id, key, question, candidate, systems, confidence,
    tie, low_confidence, flag, surplus, differ, sent
FROM (
    SELECT shelved.*, q.text AS question,
        (SELECT COUNT(*) FROM tasks_itemsystem s WHERE s.item_id = shelved.id) AS systems
    FROM shelved JOIN tasks_question q ON q.id = shelved.question_id
    WHERE shelved.shelf = %(shelf)s {for_reason}
) AS page
ORDER BY
    CASE WHEN systems > 1 THEN systems ELSE 1 END
    * CASE WHEN 1 - confidence < %(even)s AND flag + differ + sent > 0
        THEN %(even)s ELSE 1 - confidence END DESC,
    id
LIMIT %(size)s OFFSET %(start)s
"""
