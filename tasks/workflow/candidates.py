"""From a system's predictions to candidates, and from candidates to items.

A candidate that matches any reference exactly is recorded and never rated; every other one is
set against the references (Bulian et al. 2022, §3.2).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from django.core.exceptions import ValidationError
from django.db import transaction

from inference.answerers.interface import Answer, Answerer, Failure, QuestionToAnswer
from measures.text import exact_match
from tasks.importers.limits import MAX_NAME, MAX_TEXT
from tasks.importers.records import PredictionRecord, QuestionRecord
from tasks.importers.row import is_text, refusal
from tasks.models import AuditAction, Campaign, Candidate, Job, Question, System
from tasks.workflow import audit
from tasks.workflow.answer_records import answer_record
from tasks.workflow.batches import batches
from tasks.workflow.events import tell_of_import
from tasks.workflow.intake import NewItem, new_items, store_items
from tasks.workflow.job_failures import failed_subjects, record_failures
from tasks.workflow.planner_statistics import refresh_after_commit
from tasks.workflow.slots import change_overlaps

ANSWER_BATCH = 200


@dataclass(frozen=True, slots=True)
class PredictionIntake:
    """What a file of predictions brought.

    `candidates` counts the new ones, exact matches and empty answers included; predictions for
    questions the campaign does not have are counted and left out.
    """

    candidates: int
    exact_matches: int
    empty: int
    items_created: int
    items_existing: int
    unknown_questions: int


@transaction.atomic
def import_predictions(
    *,
    campaign: Campaign,
    system: str,
    records: Iterable[PredictionRecord],
    overlap: int | None = None,
) -> PredictionIntake:
    """Store the candidates of one system and the items they make; `overlap` sets their target.

    Raises InputError if the system has given another answer to a question before, and
    ValidationError if it cannot have such a name.
    """
    intake = _store_predictions(campaign, system, records, overlap)
    audit.record(
        AuditAction.IMPORT_DONE,
        campaign=campaign,
        subject=("predictions of", system),
        details=asdict(intake) | ({} if overlap is None else {"overlap": overlap}),
    )
    return intake


def _store_predictions(
    campaign: Campaign,
    system: str,
    records: Iterable[PredictionRecord],
    overlap: int | None = None,
) -> PredictionIntake:
    producer = _system(campaign, system)
    if overlap is not None:
        change_overlaps(campaign, {system: overlap})
    exact = empty = created = existing = unknown = stored = 0
    for batch in batches(records):
        questions = _questions(campaign, batch)
        known = [record for record in batch if record.question_key in questions]
        unknown += len(batch) - len(known)
        candidates = _store_candidates(producer, known, questions)
        stored += len(candidates)
        exact += sum(candidate.is_exact_match for candidate in candidates)
        empty += sum(not candidate.text.strip() for candidate in candidates)
        items = [item for record in known for item in _items(campaign, system, record, questions)]
        count = len(store_items(campaign, items).created)
        created += count
        existing += len({item.key for item in items}) - count
    refresh_after_commit()
    tell_of_import(campaign.pk, "predictions", candidates=stored, items_created=created)
    return PredictionIntake(stored, exact, empty, created, existing, unknown)


def _system(campaign: Campaign, name: str) -> System:
    if not name.strip():
        raise ValidationError({"system": "has no name"})
    if len(name) > MAX_NAME:
        raise ValidationError({"system": f"the name has more than {MAX_NAME} characters"})
    system, _created = System.objects.get_or_create(campaign=campaign, name=name)
    return system


def _questions(campaign: Campaign, batch: list[PredictionRecord]) -> dict[str, Question]:
    keys = [record.question_key for record in batch]
    found = Question.objects.filter(campaign=campaign, key__in=keys).select_related("document")
    return {question.key: question for question in found}


def _store_candidates(
    system: System, records: list[PredictionRecord], questions: dict[str, Question]
) -> list[Candidate]:
    """The candidates that are new. Raises InputError for a second, different answer."""
    given = {
        candidate.question_id: candidate.text
        for candidate in Candidate.objects.filter(system=system, question__in=questions.values())
    }
    new = []
    for record in records:
        question = questions[record.question_key]
        if question.pk not in given:
            given[question.pk] = record.candidate
            new.append(_candidate(system, question, record))
        elif given[question.pk] != record.candidate:
            raise record.source.error(
                f"{system.name} has answered question {question.key!r} otherwise before",
                "candidate",
            )
    return Candidate.objects.bulk_create(new)


def _candidate(system: System, question: Question, record: PredictionRecord) -> Candidate:
    return Candidate(
        system=system,
        question=question,
        text=record.candidate,
        is_exact_match=exact_match(record.candidate, question.references),
        score=record.score,
        alternatives=[list(alternative) for alternative in record.alternatives],
        provenance=dict(record.provenance),
    )


def _items(
    campaign: Campaign, system: str, record: PredictionRecord, questions: dict[str, Question]
) -> list[NewItem]:
    question = questions[record.question_key]
    if not record.candidate.strip() or exact_match(record.candidate, question.references):
        return []
    as_record = QuestionRecord(
        source=record.source,
        key=question.key,
        document=question.document.key,
        text=question.text,
        context=question.context,
        references=tuple(question.references),
        answer_starts=tuple(question.answer_starts),
    )
    return new_items(campaign, as_record, record.candidate, (system,), source=record.source)


def answer_questions(*, job: Job, answerer: Answerer) -> Iterator[int]:
    """Let an answerer answer what it has not answered yet, batch by batch; yields how many
    questions are left. The system's name is the answerer's. Questions it fails at are recorded
    with the job and left out of its further attempts. Repeating it changes nothing.

    Raises LeaseLost.
    """
    campaign = job.campaign
    open_questions = (
        Question.objects.filter(campaign=campaign)
        .exclude(candidates__system__name=answerer.name)
        .exclude(pk__in=failed_subjects(job, "question"))
    )
    yield open_questions.count()
    last = 0
    while batch := list(open_questions.filter(pk__gt=last).order_by("id")[:ANSWER_BATCH]):
        last = batch[-1].pk
        results = answerer.answer([QuestionToAnswer(q.key, q.text, q.context) for q in batch])
        reasons = _reasons(batch, results)
        records = [
            answer_record(answerer, place, result)
            for place, (question, result) in enumerate(zip(batch, results, strict=True), start=1)
            if isinstance(result, Answer) and question.pk not in reasons
        ]
        with transaction.atomic():
            _store_predictions(campaign, answerer.name, records)
        record_failures(job=job, subject="question", reasons=reasons)
        yield open_questions.filter(pk__gt=last).count()


def _reasons(batch: list[Question], results: Sequence[Answer | Failure]) -> dict[int, str]:
    """Why some questions of the batch have no answer that could be stored, by their ids."""
    reasons: dict[int, str] = {}
    for question, result in zip(batch, results, strict=True):
        if isinstance(result, Failure):
            reasons[question.pk] = result.reason
        elif not is_text(result.text, MAX_TEXT):
            reasons[question.pk] = f"the answer {refusal(result.text, MAX_TEXT)}"
    return reasons
