"""What systems answered, from a release: what its items and ratings do not say of them.

An exact answer becomes the candidate that it was; one that was not rated gets items, as it would
from a file of predictions. An answer that was rated has its items, which are imported before.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from django.db import transaction

from tasks.importers.records import AnswerRow, QuestionRecord
from tasks.models import AuditAction, Campaign, Candidate, Item, ItemPurpose, Question, System
from tasks.workflow import audit
from tasks.workflow.batches import batches
from tasks.workflow.events import tell_of_import
from tasks.workflow.intake import NewItem, new_items, store_items
from tasks.workflow.planner_statistics import refresh_after_commit
from tasks.workflow.questions import questions_of_items


@dataclass(frozen=True, slots=True)
class AnswerIntake:
    """What a file of answers brought. `candidates` are the new ones that have no items."""

    answers: int
    questions_created: int
    candidates: int
    items_created: int


@transaction.atomic
def import_answers(*, campaign: Campaign, rows: Iterable[AnswerRow]) -> AnswerIntake:
    """Store the answers of systems. Repeating it changes nothing.

    Raises InputError if a question is there with other texts, or a system has answered it otherwise
    before; nothing is stored then.
    """
    before = campaign.questions.count()
    answers = candidates = items = 0
    for batch in batches(rows):
        questions = _questions(campaign, batch)
        found = list(zip(batch, questions, strict=True))
        new = [item for row, question in found for item in _new_items(campaign, row, question)]
        items += len(store_items(campaign, new).created)
        candidates += len(_store_candidates(campaign, found))
        answers += len(batch)
    refresh_after_commit()
    intake = AnswerIntake(answers, campaign.questions.count() - before, candidates, items)
    tell_of_import(campaign.pk, "answers", **asdict(intake))
    audit.record(
        AuditAction.IMPORT_DONE,
        campaign=campaign,
        subject=("file", "answers"),
        details=asdict(intake),
    )
    return intake


def _questions(campaign: Campaign, batch: Sequence[AnswerRow]) -> list[Question]:
    """The questions of the rows, with the passages of those that are there."""
    keys = [row.question.key for row in batch]
    known = dict(campaign.questions.filter(key__in=keys).values_list("key", "context"))

    def whole(question: QuestionRecord) -> QuestionRecord:
        return (
            question
            if question.context
            else replace(question, context=known.get(question.key or "", ""))
        )

    return questions_of_items(campaign, [whole(row.question) for row in batch])


def _new_items(campaign: Campaign, row: AnswerRow, question: Question) -> list[NewItem]:
    """The items of an answer that was not rated, unless one that waits to be is there."""
    if row.settled != "not-rated" or _has_no_items(row):
        return []
    there = Item.objects.filter(
        question=question,
        candidate=row.candidate,
        item_systems__system__name=row.system,
        purpose=ItemPurpose.LIVE,
    )
    references = {tuple(each) for each in there.values_list("references", flat=True)}
    if there.count() > row.items:
        return []
    record = replace(row.question, context=question.context)
    return [
        item
        for item in new_items(campaign, record, row.candidate, (row.system,), source=row.source)
        if item.references not in references
    ]


def _has_no_items(row: AnswerRow) -> bool:
    """Whether predictions make none of it either."""
    return not row.candidate.strip() or not row.question.references


def _store_candidates(
    campaign: Campaign, found: Sequence[tuple[AnswerRow, Question]]
) -> list[Candidate]:
    """The answers that no item tells of."""
    alone = [each for each in found if each[0].settled == "exact" or _is_bare(each[0])]
    systems = {
        name: System.objects.get_or_create(campaign=campaign, name=name)[0]
        for name in sorted({row.system for row, _ in alone})
    }
    given = {
        (each.system_id, each.question_id): each.text
        for each in Candidate.objects.filter(
            system__in=systems.values(), question__in=[question for _, question in alone]
        )
    }
    new = []
    for row, question in alone:
        place = (systems[row.system].pk, question.pk)
        if place not in given:
            given[place] = row.candidate
            new.append(_candidate(systems[row.system], question, row))
        elif given[place] != row.candidate:
            message = f"{row.system} has answered question {question.key!r} otherwise before"
            raise row.source.error(message, "candidate")
    return Candidate.objects.bulk_create(new)


def _candidate(system: System, question: Question, row: AnswerRow) -> Candidate:
    return Candidate(
        system=system,
        question=question,
        text=row.candidate,
        is_exact_match=row.settled == "exact",
    )


def _is_bare(row: AnswerRow) -> bool:
    return row.settled == "not-rated" and _has_no_items(row)
