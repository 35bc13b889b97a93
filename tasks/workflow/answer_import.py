"""What systems answered, from a release: what its items and ratings do not say of them.

An exact answer becomes the candidate that it was; one that was not rated gets items, as it would
from a file of predictions. An answer that was rated has its items, which are imported before.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from tasks.importers.records import AnswerRow, QuestionRecord
from tasks.models import AuditAction, Campaign, Candidate, Item, ItemPurpose, Question, System
from tasks.workflow import audit
from tasks.workflow.batches import batches
from tasks.workflow.events import tell_of_import
from tasks.workflow.import_run import run_import
from tasks.workflow.intake import NewItem, find_systems, new_items, store_items
from tasks.workflow.plan import Plan
from tasks.workflow.questions import questions_of_items
from tasks.workflow.slots import plan_slots


@dataclass(frozen=True, slots=True)
class AnswerIntake:
    """What a file of answers brought. `candidates` are the new ones that have no items."""

    answers: int
    questions_created: int
    candidates: int
    items_created: int


def import_answers(*, campaign: Campaign, rows: Iterable[AnswerRow]) -> AnswerIntake:
    """Store the answers of systems. Repeating it changes nothing.

    Raises InputError if a question is there with other texts, or a system has answered it otherwise
    before, and ImportRefused; nothing is stored then.
    """
    return run_import(
        campaign=campaign,
        records=rows,
        plan=_plan_answers,
        note=lambda intake: _note(campaign, intake),
    )


def _plan_answers(plan: Plan, rows: Iterable[AnswerRow]) -> AnswerIntake:
    answers = candidates = items = 0
    for batch in batches(rows):
        found = list(zip(batch, _questions(plan, batch), strict=True))
        new = [item for row, question in found for item in _new_items(plan, row, question)]
        items += len(store_items(plan, new).created)
        candidates += len(_store_candidates(plan, found))
        answers += len(batch)
    plan_slots(plan)
    return AnswerIntake(answers, plan.count_new(Question), candidates, items)


def _note(campaign: Campaign, intake: AnswerIntake) -> None:
    tell_of_import(campaign.pk, "answers", **asdict(intake))
    audit.record(
        AuditAction.IMPORT_DONE,
        campaign=campaign,
        subject=("file", "answers"),
        details=asdict(intake),
    )


def _questions(plan: Plan, batch: Sequence[AnswerRow]) -> list[Question]:
    """The questions of the rows, with the passages of those that are there."""
    keys = {row.question.key for row in batch}
    stored = plan.find(Question.objects.filter(campaign=plan.campaign), key=keys)
    known = {question.key: question.context for question in stored.values()}

    def whole(question: QuestionRecord) -> QuestionRecord:
        return (
            question
            if question.context
            else replace(question, context=known.get(question.key or "", ""))
        )

    return questions_of_items(plan, [whole(row.question) for row in batch])


def _new_items(plan: Plan, row: AnswerRow, question: Question) -> list[NewItem]:
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
        for item in new_items(
            plan.campaign, record, row.candidate, (row.system,), source=row.source
        )
        if item.references not in references
    ]


def _has_no_items(row: AnswerRow) -> bool:
    """Whether predictions make none of it either."""
    return not row.candidate.strip() or not row.question.references


def _store_candidates(plan: Plan, found: Sequence[tuple[AnswerRow, Question]]) -> list[Candidate]:
    """The answers that no item tells of."""
    alone = [each for each in found if each[0].settled == "exact" or _is_bare(each[0])]
    systems = find_systems(plan, {row.system for row, _ in alone})
    stored = plan.find(
        Candidate.objects.filter(system__campaign=plan.campaign),
        question_id={question.pk for _, question in alone},
    )
    given = {(each.system_id, each.question_id): each.text for each in stored.values()}
    new = []
    for row, question in alone:
        place = (systems[row.system].pk, question.pk)
        if place not in given:
            given[place] = row.candidate
            new.append(_candidate(systems[row.system], question, row))
        elif given[place] != row.candidate:
            message = f"{row.system} has answered question {question.key!r} otherwise before"
            raise row.source.error(message, "candidate")
    plan.add(new)
    return new


def _candidate(system: System, question: Question, row: AnswerRow) -> Candidate:
    return Candidate(
        system=system,
        question=question,
        text=row.candidate,
        is_exact_match=row.settled == "exact",
    )


def _is_bare(row: AnswerRow) -> bool:
    return row.settled == "not-rated" and _has_no_items(row)
