"""Items as they are shown, scored and released."""

import json
from dataclasses import dataclass

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.crypto import salted_hmac

from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Item,
    ItemPurpose,
    Membership,
    SharedAnswer,
    Suggestion,
)

_ITEM_TO_RATE = """
SELECT i.id, i.key, q.text, q.context, i."references", i.candidate
FROM tasks_assignment a
JOIN tasks_item i ON i.id = a.item_id
JOIN tasks_question q ON q.id = i.question_id
WHERE a.id = %s
"""


@dataclass(frozen=True, slots=True)
class ItemToRate:
    """An item as a rater sees it: neither its systems nor anybody's opinion of it."""

    id: int
    key: str
    question: str
    context: str
    references: tuple[str, ...]
    candidate: str


def items_of(campaign: Campaign) -> QuerySet[Item]:
    """Items with question and document, in the order in which they came."""
    return (
        Item.objects.filter(campaign=campaign).select_related("question__document").order_by("id")
    )


def live_items(campaign: Campaign) -> QuerySet[Item]:
    """As `items_of`, without those that train or check raters."""
    return items_of(campaign).filter(purpose=ItemPurpose.LIVE)


def items_without_suggestion(campaign: Campaign, *, matcher: str, version: str) -> QuerySet[Item]:
    """Items that this version of the matcher has not scored."""
    scored = Suggestion.objects.filter(matcher=matcher, version=version).values("item")
    return items_of(campaign).exclude(pk__in=scored)


def item_to_rate(assignment_id: int) -> ItemToRate:
    """The item of an assignment. Raises Item.DoesNotExist."""
    with connection.cursor() as cursor:
        cursor.execute(_ITEM_TO_RATE, [assignment_id])
        row = cursor.fetchone()
    if row is None:
        raise Item.DoesNotExist
    item_id, key, question, context, references, candidate = row
    return ItemToRate(item_id, key, question, context, tuple(json.loads(references)), candidate)


def as_shown(item: Item) -> ItemToRate:
    """An item with its question, as a rater sees it."""
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
