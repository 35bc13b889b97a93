"""Answers of systems from a release, beyond what its items and ratings say of them.

Each becomes the candidate that it was, which says to which question it is: its item may have come
with another one of the same texts. One that was not rated gets items, as it would from a file of
predictions. An answer that was rated has its items, which are imported before.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tasks.campaigns.workflow.slots import plan_slots
from tasks.intake.workflow.import_of import import_of
from tasks.intake.workflow.items import NewItem, find_systems, new_items, store_items
from tasks.intake.workflow.questions import questions_of_items
from tasks.models import Campaign, Candidate, Question
from tasks.storing.database import batches
from tasks.storing.plan import Plan
from tasks.votes.shared_items import SharedItem, items_with_texts
from tomahto.interchange.reading.records import AnswerRow, QuestionRecord
from tomahto.text.normalisation import is_empty


@dataclass(frozen=True, slots=True)
class AnswerIntake:
    """The result of a file of answers. `candidates` are the new ones, with items or without."""

    answers: int
    questions_created: int
    candidates: int
    items_created: int


def import_answers(*, campaign: Campaign, rows: Iterable[AnswerRow]) -> AnswerIntake:
    """Store the answers of systems. Repeating it changes nothing.

    Raises InputError if a question is there with other texts, or a system has answered it otherwise
    before, and ImportRefused; nothing is stored then.
    """
    return import_of(
        "answers",
        campaign=campaign,
        records=rows,
        plan=_plan_answers,
        noted=["answers", "questions_created", "candidates", "items_created"],
    )


def _plan_answers(plan: Plan, rows: Iterable[AnswerRow]) -> AnswerIntake:
    answers = candidates = items = 0
    for batch in batches(rows):
        found = list(zip(batch, _questions(plan, batch), strict=True))
        shared = items_with_texts(plan.campaign, {each.fingerprint for _, each in found})
        new = [
            item
            for row, question in found
            for item in _new_items(
                plan, row, question, shared.settling(question, row.system, row.candidate)
            )
        ]
        items += len(store_items(plan, new).created)
        candidates += len(_store_candidates(plan, found))
        answers += len(batch)
    plan_slots(plan)
    return AnswerIntake(answers, plan.count_new(Question), candidates, items)


def _questions(plan: Plan, batch: Sequence[AnswerRow]) -> list[Question]:
    """The questions of the rows, with the passages of those that are there."""
    keys = {row.question.key for row in batch}
    stored = plan.find(Question.objects.filter(campaign=plan.campaign), key=keys)
    known = {question.key: question.context for question in stored.values()}

    def whole(question: QuestionRecord) -> QuestionRecord:
        context = question.context or known.get(question.key or "", "")
        return replace(question, context=context)

    return questions_of_items(plan, [whole(row.question) for row in batch])


def _new_items(
    plan: Plan, row: AnswerRow, question: Question, there: Sequence[SharedItem]
) -> list[NewItem]:
    """The items of an answer that was not rated, unless one that waits to be is there."""
    if row.settled != "not-rated" or _makes_none(row):
        return []
    references = {each.references for each in there}
    if len(there) > row.items:
        return []
    record = replace(row.question, context=question.context)
    new = new_items(plan.campaign, record, row.candidate, (row.system,), source=row.source)
    return [item for item in new if item.references not in references]


def _makes_none(row: AnswerRow) -> bool:
    """Whether predictions make none of it either, and no file of items did."""
    return not row.items and (is_empty(row.candidate) or not row.question.references)


def _store_candidates(plan: Plan, found: Sequence[tuple[AnswerRow, Question]]) -> list[Candidate]:
    """The answers as predictions. Of several texts that a system gave a question one is kept so,
    that which no item tells of if there is one."""
    systems = find_systems(plan, {row.system for row, _ in found})
    stored = plan.find(
        Candidate.objects.filter(system__campaign=plan.campaign),
        question_id={question.pk for _, question in found},
    )
    given = {(each.system_id, each.question_id): each for each in stored.values()}
    new = []
    for row, question in found:
        place = (systems[row.system].pk, question.pk)
        before = given.get(place)
        if before is None:
            given[place] = Candidate(
                system=systems[row.system],
                question=question,
                text=row.candidate,
                is_exact_match=_is_exact(row),
            )
            new.append(given[place])
        elif before.text != row.candidate and (
            row.settled == "exact" or (row.settled == "not-rated" and _makes_none(row))
        ):
            _replace(plan, before, row)
    plan.add(new)
    return new


def _replace(plan: Plan, before: Candidate, row: AnswerRow) -> None:
    """Raises InputError unless the candidate is of the same file and items tell of it as well."""
    is_planned = before.pk is None or before.pk < 0
    if not is_planned or before.is_exact_match or is_empty(before.text):
        message = f"{row.system} has already answered question {row.question.key!r} differently"
        raise row.source.error(message, "candidate")
    before.text, before.is_exact_match = row.candidate, _is_exact(row)
    if before.pk is not None:
        plan.change(before)


def _is_exact(row: AnswerRow) -> bool:
    """As its release has it, whatever rule the campaign has; the first releases could have an empty
    answer as exact."""
    return row.settled == "exact" and not is_empty(row.candidate)
