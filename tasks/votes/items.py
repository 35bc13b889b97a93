"""Items as they are shown, scored and released; their slots by the database's clock; and how far a
campaign and its raters are."""

import json
from dataclasses import dataclass
from typing import Any, Self

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Figures,
    Item,
    ItemPurpose,
    Membership,
    Rating,
    SharedAnswer,
    Slot,
    Suggestion,
)

ITEM_TO_RATE = 'i.id, i.key, q.text, q.context, i."references", i.candidate'
"""The columns of an ItemToRate, of `tasks_item i` and `tasks_question q`."""
_OF_ASSIGNMENT = f"""
SELECT {ITEM_TO_RATE}
FROM tasks_assignment a
JOIN tasks_item i ON i.id = a.item_id
JOIN tasks_question q ON q.id = i.question_id
WHERE a.id = %s
"""  # noqa: S608 - names of our own columns


@dataclass(frozen=True, slots=True)
class ItemToRate:
    """An item as a rater sees it: neither its systems nor anybody's opinion of it."""

    id: int
    key: str
    question: str
    context: str
    references: tuple[str, ...]
    candidate: str

    @classmethod
    def of_row(
        cls, pk: int, key: str, question: str, context: str, references: str, candidate: str
    ) -> Self:
        return cls(pk, key, question, context, tuple(json.loads(references)), candidate)


def items_of(campaign: Campaign) -> QuerySet[Item]:
    """Items with question and document, in the order in which they came."""
    return (
        Item.objects.filter(campaign=campaign).select_related("question__document").order_by("id")
    )


def live_items(campaign: Campaign) -> QuerySet[Item]:
    """As `items_of`, without those that train or check raters."""
    return items_of(campaign).filter(purpose=ItemPurpose.LIVE)


def items_without_suggestion(campaign: Campaign, *, matcher: str, version: str) -> QuerySet[Item]:
    scored = Suggestion.objects.filter(matcher=matcher, version=version).values("item")
    return items_of(campaign).exclude(pk__in=scored)


def item_to_rate(assignment_id: int) -> ItemToRate:
    """The item of an assignment. Raises Item.DoesNotExist."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_ASSIGNMENT, [assignment_id])
        row = cursor.fetchone()
    if row is None:
        raise Item.DoesNotExist
    return ItemToRate.of_row(*row)


def as_shown(item: Item) -> ItemToRate:
    question = item.question
    references = tuple(item.references)
    texts = (question.text, question.context, references, item.candidate)
    return ItemToRate(item.pk, item.key, *texts)


def assignment_to_rate(assignment_id: int) -> Assignment:
    """An assignment with all that a rating form shows, in one query.

    It is annotated with `has_answers`: admins have answered something about the item for everybody.
    """
    answers = SharedAnswer.objects.filter(message__thread__item=OuterRef("item"))
    assignments = Assignment.objects.annotate(has_answers=Exists(answers))
    return assignments.select_related("item__question__document", "rater__campaign__guideline").get(
        pk=assignment_id
    )


def own_assignment(membership: Membership, assignment_id: int) -> Assignment:
    """As `assignment_to_rate`, the member's own alone, open or rated.

    Raises Assignment.DoesNotExist for anybody else's, and for one that was skipped.
    """
    assignment = assignment_to_rate(assignment_id)
    if assignment.rater_id != membership.pk or assignment.state == AssignmentState.SKIPPED:
        raise Assignment.DoesNotExist
    return assignment


def id_for_raters(item_id: int) -> str:
    """The id of an item as raters see it, the same at every call.

    It says nothing of what the item is called or when it came: an importer's name such as `gold-2`
    would give a control item away.
    """
    return f"i-{salted_hmac('tasks.items.id_for_raters', str(item_id)).hexdigest()[:24]}"


def open_slots() -> QuerySet[Slot]:
    """Slots without a rating and without a lease that lasts, of items that are handed out."""
    return Slot.objects.filter(
        Q(holder=None) | Q(expires_at__lt=Now()), is_filled=False, order_key__isnull=False
    )


def given_slots() -> QuerySet[Slot]:
    """Slots without a rating that an admin has given to a rater, while that lasts."""
    return Slot.objects.filter(given_until__gt=Now(), is_filled=False)


def is_given_to_nobody() -> Q:
    """Of slots without a rating: those that anybody may claim."""
    return Q(given_until=None) | Q(given_until__lte=Now())


@dataclass(frozen=True, slots=True)
class Progress:
    """Ratings in place and ratings wanted."""

    done: int
    wanted: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None while nothing is wanted."""
        return self.done / self.wanted if self.wanted else None


MANY_RATINGS = 1_000_000
"""Of a campaign with more, pages show counts as a worker has counted last."""


def counted_before(campaign: Campaign, name: str) -> dict[str, Any] | None:
    """The figures of this name that a worker stored last, of a campaign with so many ratings that
    counting takes seconds; None of any other one, and before the first time."""
    stored = Figures.objects.filter(
        assessment__campaign=campaign, assessment__ratings__gt=MANY_RATINGS, name=name
    )
    content = stored.values_list("content", flat=True).first()
    return json.loads(content) if content else None


def campaign_progress(campaign: Campaign) -> Progress:
    """The filled slots of live items, of all. Not for raters: it stands still after a control
    item, so that two looks would tell which item was one."""
    if figures := counted_before(campaign, "progress"):
        return Progress(figures["done"], figures["wanted"])
    counts = Slot.objects.filter(campaign=campaign, order_key__isnull=False).aggregate(
        done=Count("id", filter=Q(is_filled=True)), wanted=Count("id")
    )
    return Progress(counts["done"], counts["wanted"])


def ratings_by(membership: Membership) -> int:
    """The number of items that the member has rated, of whatever purpose; revisions count once."""
    return Rating.objects.filter(rater=membership, supersedes=None).count()


def votes_by(membership: Membership) -> int:
    """The member's part of what `campaign_progress` counts as done."""
    return Rating.objects.filter(
        rater=membership, supersedes=None, slot__order_key__isnull=False
    ).count()


def quota_of(membership: Membership) -> int | None:
    """The number of items that the member may rate, control items included; None for any number.

    Their own quota goes before the campaign's.
    """
    return membership.campaign.rater_quota if membership.quota is None else membership.quota


def is_quota_reached(membership: Membership) -> bool:
    """Whether the member has rated as many items as they may; no query without a quota."""
    quota = quota_of(membership)
    if quota is None:
        return False
    rated = Assignment.objects.filter(rater=membership, state=AssignmentState.SUBMITTED)
    return rated.count() >= quota
