"""From a system's predictions to candidates, and from candidates to items.

A candidate that is exact by the campaign's rule (tomahto.text.normalisation) is recorded and not
rated; every other one is set against the references (Bulian et al. 2022, §3.2). Where each answer
is to be judged, as CAP has it (§7.4), an import asks for exact ones to be rated too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

from django.core.exceptions import ValidationError

from tasks.campaigns.workflow.slots import note_items_of, plan_slots
from tasks.events.workflow.events import note_import
from tasks.intake.workflow.identity import (
    attach_documents,
    fingerprint_in,
    precedence,
    require_one_document,
)
from tasks.intake.workflow.import_of import import_of
from tasks.intake.workflow.items import NewItem, find_systems, new_items, store_items
from tasks.jobs.workflow.failures import failed_subjects, record_failures
from tasks.models import Campaign, Candidate, Job, Question, System
from tasks.storing.acts import storable
from tasks.storing.database import batches
from tasks.storing.import_run import run_import
from tasks.storing.plan import Plan
from tomahto.answerers.interface import Answer, Answerer, Failure, QuestionToAnswer
from tomahto.interchange.reading.records import (
    MAX_NAME,
    MAX_TEXT,
    PredictionRecord,
    QuestionRecord,
    Source,
)
from tomahto.interchange.reading.row import is_text, refusal
from tomahto.text.normalisation import is_empty, is_exact, plain_name

ANSWER_BATCH = 200
_NOTED = ("candidates", "items_created")


@dataclass(frozen=True, slots=True)
class PredictionIntake:
    """The result of a file of predictions.

    `candidates` counts the new ones, exact matches, empty answers and those to unanswerable
    questions included; predictions for questions the campaign does not have are counted and left
    out.
    """

    candidates: int
    exact_matches: int
    empty: int
    unanswerable: int
    items_created: int
    items_existing: int
    unknown_questions: int


def import_predictions(
    *,
    campaign: Campaign,
    system: str,
    records: Iterable[PredictionRecord],
    overlap: int | None = None,
    rates_exact: bool = False,
) -> PredictionIntake:
    """Store the candidates of one system and the items they make; `overlap` sets their target.
    With `rates_exact` exact matches become items like any other candidate. One that was exact when
    it came, and is not by the rule that the campaign has now, becomes items as well.

    Raises InputError if the system has given another answer to a question before, or if no record
    is for a question of the campaign, ValidationError if it cannot have such a name, and
    ImportRefused; nothing is stored then.
    """
    system = plain_name(system)
    return import_of(
        "predictions",
        campaign=campaign,
        records=records,
        plan=lambda plan, records: _plan_predictions(
            plan, system, records, overlap, rates_exact=rates_exact
        ),
        noted=_NOTED,
        subject=("predictions of", system),
        details=None if overlap is None else {"overlap": overlap},
    )


def _plan_predictions(
    plan: Plan,
    system: str,
    records: Iterable[PredictionRecord],
    overlap: int | None = None,
    *,
    rates_exact: bool = False,
) -> PredictionIntake:
    producer = _system(plan, system, overlap)
    counts: Counter[str] = Counter()
    first: PredictionRecord | None = None
    for batch in batches(records):
        first = first or batch[0]
        counts.update(_plan_batch(plan, producer, batch, rates_exact=rates_exact))
    if first is not None and not counts["known"]:
        raise first.source.error(_no_question(plan.campaign, first), "id")
    plan_slots(plan)
    return PredictionIntake(**{each.name: counts[each.name] for each in fields(PredictionIntake)})


class _MatchedPrediction(NamedTuple):
    """A prediction for a question of the campaign; `is_settled`: exact, so that nobody rates it."""

    record: PredictionRecord
    question: Question
    is_settled: bool


def _plan_batch(
    plan: Plan, producer: System, batch: list[PredictionRecord], *, rates_exact: bool
) -> Mapping[str, int]:
    questions = _questions(plan, batch)
    rule = None if rates_exact else plan.campaign.rule_of_exactness
    given = []
    for record in batch:
        if question := questions.get(record.question_key):
            is_settled = rule is not None and is_exact(record.candidate, question.references, rule)
            given.append(_MatchedPrediction(record, question, is_settled))
    candidates = _store_candidates(plan, producer, given)
    items = [item for each in given for item in _items(plan, producer, each)]
    created = len(store_items(plan, items).created)
    return {
        "known": len(given),
        "candidates": len(candidates),
        "exact_matches": sum(candidate.is_exact_match for candidate in candidates),
        "empty": sum(is_empty(candidate.text) for candidate in candidates),
        "unanswerable": sum(not candidate.question.references for candidate in candidates),
        "items_created": created,
        "items_existing": len({item.key for item in items}) - created,
        "unknown_questions": len(batch) - len(given),
    }


def _no_question(campaign: Campaign, first: PredictionRecord) -> str:
    question = Question.objects.filter(campaign=campaign).order_by("pk").first()
    if question is None:
        return "the campaign has no questions yet: import them before predictions"
    return (
        "no prediction belongs to a question of the campaign: the ids do not match (here "
        f"{first.question_key!r:.80}, in the campaign {question.key!r:.80})"
    )


def _system(plan: Plan, name: str, overlap: int | None) -> System:
    if not name:
        raise ValidationError({"system": "has no name"})
    if len(name) > MAX_NAME:
        raise ValidationError({"system": f"the name has more than {MAX_NAME} characters"})
    system = find_systems(plan, [name])[name]
    if overlap is not None:
        system.overlap = overlap
        system.full_clean()
        plan.change(system)
        note_items_of(plan, system)
    return system


def _questions(plan: Plan, batch: list[PredictionRecord]) -> dict[str, Question]:
    """By the predictions' ids. One that is made of a question's texts alone means the only question
    that has them. Raises InputError if several documents have one."""
    stored = Question.objects.filter(campaign=plan.campaign)
    texts = {record.question_key: fingerprint_in(record.question_key) for record in batch}
    found = plan.find(stored, key=texts, fingerprint=[*filter(None, texts.values())]).values()
    attach_documents(plan, found)
    questions = {question.key: question for question in found}
    for record in batch:
        key = record.question_key
        if key in questions:
            continue
        if meant := [each for each in found if each.fingerprint == texts[key]]:
            require_one_document(meant, record.source, "id")
            questions[key] = min(meant, key=precedence)
    return {key: questions[key] for key in texts if key in questions}


def _store_candidates(
    plan: Plan, system: System, given: Sequence[_MatchedPrediction]
) -> list[Candidate]:
    """The candidates that are new. One that is there as exact, and comes as one to be rated, is to
    be rated from now on. Raises InputError for a second, different answer."""
    ids = {question.pk for _, question, _ in given}
    stored = plan.find(Candidate.objects.filter(system=system.pk), question_id=ids)
    known = {candidate.question_id: candidate for candidate in stored.values()}
    new = []
    for record, question, is_settled in given:
        before = known.get(question.pk)
        if before is None:
            known[question.pk] = Candidate(
                system=system,
                question=question,
                text=record.candidate,
                is_exact_match=is_settled,
                score=record.score,
                alternatives=[list(alternative) for alternative in record.alternatives],
                provenance=dict(record.provenance),
            )
            new.append(known[question.pk])
        elif before.text != record.candidate:
            raise record.source.error(
                f"{system.name} has already answered question {question.key!r} differently",
                "candidate",
            )
        elif before.is_exact_match and not is_settled:
            before.is_exact_match = False
            plan.change(before)
    plan.add(new)
    return new


def _items(plan: Plan, system: System, given: _MatchedPrediction) -> list[NewItem]:
    """None of an answer that nobody has to rate: there is nothing to set it against, or no need."""
    record, question, is_settled = given
    if is_settled or not question.references or is_empty(record.candidate):
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
    return new_items(
        plan.campaign, as_record, record.candidate, (system.name,), source=record.source
    )


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

    def note(intake: PredictionIntake) -> None:
        note_import(campaign.pk, "predictions", **{name: getattr(intake, name) for name in _NOTED})

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
        # an import of the campaign goes first: the job waits until it has ended
        run_import(
            campaign=campaign,
            records=records,
            plan=lambda plan, records: _plan_predictions(plan, answerer.name, records),
            note=note,
            waits=True,
        )
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


def answer_record(answerer: Answerer, place: int, answer: Answer) -> PredictionRecord:
    """The answer as a prediction of the system that has the answerer's name.

    Its provenance names the answerer's version, which a list of predictions in a file cannot.
    """
    return PredictionRecord(
        Source(answerer.name, place),
        answer.key,
        answer.text,
        score=answer.score,
        alternatives=tuple((storable(text), score) for text, score in answer.alternatives),
        provenance={"version": answerer.version, **storable(dict(answer.provenance))},
    )
