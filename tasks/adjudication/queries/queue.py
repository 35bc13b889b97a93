"""The queue of items that wait for an adjudicator, most valuable first.

One statement counts every item's votes and says why it waits and for whom; it is run once for
the numbers and once for a page. What it is worth to decide an item is the formula of
`tomahto.votes.majority`, here as SQL so that the database can put the items in order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from django.db import connection, models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tasks.models import Membership
from tasks.votes.blindness import kept_from
from tasks.votes.ratings import IS_SET_ASIDE
from tomahto.votes.majority import EVEN_SPLIT, LOW_CONFIDENCE, PRIOR_VOTES, adjudication_value

MANY_DISPUTED, SOME_DISPUTED = 100_000, 10_000
"""Of more than so many items with different votes only so many are looked at, the most split: all
of some millions would take minutes."""


class Reason(models.TextChoices):
    """Why an item waits. The values are columns of the statement below."""

    TIE = "tie", _("Tie")
    LOW_CONFIDENCE = "low_confidence", _("Low confidence")
    FLAG = "flag", pgettext_lazy("reason", "Flag")
    SURPLUS = "surplus", _("Surplus vote that differs")
    DIFFER = "differ", _("Adjudicators differ")
    SENT = "sent", pgettext_lazy("reason", "Sent by an admin")


class Shelf(models.TextChoices):
    """The shelf of an item for one adjudicator; it is on one at most."""

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
    """The number of items on a shelf, and their reasons; one item may have several."""

    items: int
    reasons: Mapping[Reason, int]

    def number(self, reason: Reason | None) -> int:
        return self.items if reason is None else self.reasons[reason]


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
    rows = {row[0]: row[1:] for row in _rows(f"{_SHELVED} {numbers}", member)}
    nothing = (0,) * (1 + len(Reason))
    return {
        shelf: Waiting(int(numbers[0]), dict(zip(Reason, map(int, numbers[1:]), strict=True)))
        for shelf in Shelf
        for numbers in [rows.get(shelf, nothing)]
    }


def next_item(member: Membership) -> int | None:
    first = _page(member, Shelf.WAITING, None, 0, 1)
    return first[0].id if first else None


def _page(
    member: Membership, shelf: Shelf, reason: Reason | None, start: int, size: int
) -> list[QueuedItem]:
    for_reason = f"AND shelved.{reason} = 1" if reason else ""
    statement = f"{_SHELVED} {_PAGE.format(for_reason=for_reason)}"
    rows = _rows(statement, member, shelf=shelf.value, start=start, size=size)
    items = []
    for item_id, key, question, candidate, systems, confidence, *holds in rows:
        reasons = tuple(reason for reason, is_so in zip(Reason, holds, strict=True) if is_so)
        texts = (key, question, candidate)
        items.append(QueuedItem(item_id, *texts, systems, float(confidence), reasons))
    return items


def _rows(statement: str, member: Membership, **parameters: Any) -> list[tuple[Any, ...]]:
    labels = len(member.campaign.annotation_protocol.labels)
    named_values = {
        "campaign": member.campaign_id,
        "member": member.pk,
        "prior": PRIOR_VOTES,
        "prior_of_label": PRIOR_VOTES / labels,
        "low": LOW_CONFIDENCE,
        "even": EVEN_SPLIT,
        **parameters,
    }
    kept, values = kept_from(member).values("pk").query.sql_with_params()
    named = {f"kept_{number}": value for number, value in enumerate(values)}
    statement = statement.replace("{kept}", kept % tuple(f"%({name})s" for name in named))
    with connection.cursor() as cursor:
        # first, so that the planner knows how many items there are
        cursor.execute(_DISPUTED, [member.campaign_id, MANY_DISPUTED + 1])
        (disputed,) = cursor.fetchone()
        named["most"] = SOME_DISPUTED if disputed > MANY_DISPUTED else MANY_DISPUTED
        cursor.execute(statement, named_values | named)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


_DISPUTED = """
SELECT COUNT(*) FROM (
    SELECT 1 FROM tasks_itemsummary WHERE campaign_id = %s AND share > 0 AND share < 1 LIMIT %s
) AS disputed
"""

_IS_READY = "(unfilled = 0 AND state IN ('rated', 'disputed') AND NOT is_decided)"
_MOST_SPLIT = """SELECT item_id FROM (
        SELECT item_id FROM tasks_itemsummary
        WHERE campaign_id = %(campaign)s AND share > 0 AND share < 1 AND {ready}
        ORDER BY share, item_id LIMIT %(most)s) AS disputed"""
# `doubted`: all items that could wait. Of more than MANY_DISPUTED with different votes those in
# which the label in front has the least of them, so many that are ready to be decided and so many
# others; what has changed since its summary is one of them.
# `kept`: those whose votes the adjudicator may not know, because they may still rate them.
# `votes`: how often each label was given to an item, and how often in a slot; what was set aside is
# not even late evidence.
# `facts`: what an item's votes come to (`ahead` are all votes for the label in front), and apart
# from them that it was decided, flagged or sent by an admin; `known` puts them together. A group,
# not a join: a planner that expects few rows would compare all of one side with all of the other.
_SHELVED = f"""
WITH doubted (id) AS (
    {_MOST_SPLIT.format(ready=_IS_READY)}
    UNION {_MOST_SPLIT.format(ready=f"NOT {_IS_READY}")}
    UNION SELECT item_id FROM tasks_staleitem WHERE campaign_id = %(campaign)s
    UNION SELECT item_id FROM tasks_rating WHERE slot_id IS NULL
    UNION SELECT item_id FROM tasks_adjudication
    UNION SELECT item_id FROM tasks_flag WHERE settled_at IS NULL
    UNION SELECT item_id FROM tasks_itemhandling WHERE is_sent
), kept (id) AS ({{kept}} AND tasks_item.id IN (SELECT id FROM doubted)), votes AS (
    SELECT r.item_id, COUNT(r.slot_id) AS counted, COUNT(*) AS given
    FROM doubted d
    JOIN tasks_item i ON i.id = d.id
    JOIN tasks_rating r ON r.item_id = i.id
    JOIN tasks_outcome o ON o.id = r.outcome_id
    WHERE i.campaign_id = %(campaign)s AND i.purpose = 'live'
      AND d.id NOT IN (SELECT id FROM kept)
      AND NOT {IS_SET_ASIDE.format(rating="r")}
      AND NOT CASE WHEN EXISTS (
          SELECT 1 FROM tasks_rating later
          WHERE later.supersedes_id = r.id AND later.supersedes_id IS NOT NULL
      ) THEN TRUE ELSE FALSE END
    GROUP BY r.item_id, o.label
), led AS (
    SELECT item_id, counted, given, MAX(counted) OVER (PARTITION BY item_id) AS most FROM votes
), facts AS (
    SELECT item_id, COUNT(*) AS labels, SUM(given) AS given,
        MAX(CASE WHEN counted = most THEN given ELSE 0 END) AS ahead,
        SUM(CASE WHEN counted = most AND most > 0 THEN 1 ELSE 0 END) AS leaders,
        MAX(CASE WHEN counted < most AND given > counted THEN 1 ELSE 0 END) AS surplus,
        0 AS flag, 0 AS sent, 0 AS decided, CAST(NULL AS integer) AS mine
    FROM led GROUP BY item_id
    UNION ALL
    SELECT a.item_id, 0, 0, 0, 0, 0, 0, 0, COUNT(DISTINCT o.label),
        MAX(CASE WHEN a.adjudicator_id = %(member)s THEN 1 ELSE 0 END)
    FROM tasks_adjudication a
    JOIN tasks_item i ON i.id = a.item_id
    JOIN tasks_outcome o ON o.id = a.outcome_id
    WHERE i.campaign_id = %(campaign)s AND i.purpose = 'live'
      AND i.id NOT IN (SELECT id FROM kept)
      AND NOT CASE WHEN EXISTS (
          SELECT 1 FROM tasks_adjudication later
          WHERE later.supersedes_id = a.id AND later.supersedes_id IS NOT NULL
      ) THEN TRUE ELSE FALSE END
    GROUP BY a.item_id
    UNION ALL
    SELECT f.item_id, 0, 0, 0, 0, 0, 1, 0, 0, NULL
    FROM tasks_flag f
    JOIN tasks_item i ON i.id = f.item_id
    WHERE i.campaign_id = %(campaign)s AND i.purpose = 'live' AND f.settled_at IS NULL
    UNION ALL
    SELECT h.item_id, 0, 0, 0, 0, 0, 0, 1, 0, NULL
    FROM tasks_itemhandling h
    JOIN tasks_item i ON i.id = h.item_id
    WHERE i.campaign_id = %(campaign)s AND h.is_sent
), known AS (
    SELECT item_id AS id, MAX(labels) AS labels, MAX(given) AS given, MAX(ahead) AS ahead,
        MAX(leaders) AS leaders, MAX(surplus) AS surplus, MAX(flag) AS flag,
        CASE WHEN MAX(decided) > 0 THEN 0 ELSE MAX(sent) END AS sent,
        MAX(decided) AS decided, MAX(mine) AS mine
    FROM facts GROUP BY item_id
    HAVING (MAX(labels) > 1 OR MAX(flag) + MAX(sent) > 0 OR MAX(decided) > 0)
        AND NOT EXISTS (SELECT 1 FROM tasks_itemhandling h
            WHERE h.item_id = facts.item_id AND h.is_dismissed)
), judged AS (
    SELECT id, flag, sent, surplus, mine,
        CASE WHEN leaders > 1 THEN 1 ELSE 0 END AS tie,
        CASE WHEN labels > 1 AND
            (ahead + %(prior_of_label)s) / (given + %(prior)s) < %(low)s
            THEN 1 ELSE 0 END AS low,
        CASE WHEN decided > 1 THEN 1 ELSE 0 END AS differ,
        (ahead + %(prior_of_label)s) / (given + %(prior)s) AS confidence,
        CASE WHEN EXISTS (
            SELECT 1 FROM tasks_slot s WHERE s.item_id = known.id AND NOT s.is_filled
        ) THEN 1 ELSE 0 END AS is_open,
        CASE WHEN EXISTS (
            SELECT 1 FROM tasks_rating r WHERE r.item_id = known.id AND r.rater_id = %(member)s
        ) OR EXISTS (
            SELECT 1 FROM tasks_assignment a
            WHERE a.item_id = known.id AND a.rater_id = %(member)s AND a.state = 'active'
        ) THEN 1 ELSE 0 END AS is_own,
        CASE WHEN EXISTS (
            SELECT 1 FROM tasks_leftitem l
            WHERE l.item_id = known.id AND l.adjudicator_id = %(member)s
        ) THEN 1 ELSE 0 END AS is_left
    FROM known
), shelved AS (
    SELECT id, confidence,
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
"""  # noqa: S608 - a condition of our own

# texts are read for the items of the page alone
_PAGE = """
SELECT page.id, i.key, q.text, i.candidate, page.systems, page.confidence,
    page.tie, page.low_confidence, page.flag, page.surplus, page.differ, page.sent
FROM (
    SELECT given.*,
        CASE WHEN systems > 1 THEN systems ELSE 1 END
        * CASE WHEN 1 - confidence < %(even)s AND flag + differ + sent > 0
            THEN %(even)s ELSE 1 - confidence END AS worth
    FROM (
        SELECT shelved.*,
            (SELECT COUNT(*) FROM tasks_itemsystem s WHERE s.item_id = shelved.id) AS systems
        FROM shelved WHERE shelved.shelf = %(shelf)s {for_reason}
    ) AS given
    ORDER BY worth DESC, id LIMIT %(size)s OFFSET %(start)s
) AS page
JOIN tasks_item i ON i.id = page.id
JOIN tasks_question q ON q.id = i.question_id
ORDER BY page.worth DESC, page.id
"""
