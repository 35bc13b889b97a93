"""Questions from records, with their passages, documents and references, all or nothing."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tasks.intake.workflow.identity import (
    FoundQuestions,
    find_questions,
    is_unnamed,
    named_document,
    question_key,
    unnamed_key,
)
from tasks.intake.workflow.import_of import Skipped, SkippedRecords, import_of
from tasks.models import Campaign, Document, Question
from tasks.storing.database import batches
from tasks.storing.plan import Plan
from tomahto.interchange.reading.records import InputError, QuestionRecord


@dataclass(frozen=True, slots=True)
class QuestionIntake:
    """The result of a file of questions. `references` counts those of the new questions.

    `unanswerable` of the new questions have no right answer but none at all: they are there for
    SQuAD 2.0 scores, and nothing about them is rated. `skipped` holds the first records of each
    reason, `skipped_by_reason` counts all.
    """

    documents: int
    questions: int
    unanswerable: int
    references: int
    skipped: list[Skipped]
    skipped_by_reason: dict[str, int]


def import_questions(*, campaign: Campaign, records: Iterable[QuestionRecord]) -> QuestionIntake:
    """Store the questions that have references or none that is right; the others and repeated ones
    are skipped.

    Raises InputError if a question is there already with other content, and ImportRefused; nothing
    is stored then.
    """
    noted = ["documents", "questions"]
    return import_of(
        "questions", campaign=campaign, records=records, plan=_plan_questions, noted=noted
    )


def _plan_questions(plan: Plan, records: Iterable[QuestionRecord]) -> QuestionIntake:
    documents = questions = unanswerable = references = 0
    skipped = SkippedRecords()
    for batch in batches(records):
        usable = []
        for record in batch:
            if record.references or record.is_unanswerable:
                usable.append(record)
            else:
                skipped.add(record.source, record.key, "no reference answer")
        stored = store_questions(plan, usable, find_questions(plan, usable))
        documents += stored.documents
        questions += len(stored.new)
        unanswerable += sum(not question.references for question in stored.new)
        references += sum(len(question.references) for question in stored.new)
        for record in stored.repeated:
            skipped.add(record.source, record.key, "already exists")
    numbers = (documents, questions, unanswerable, references)
    return QuestionIntake(*numbers, skipped.examples, dict(skipped.by_reason))


@dataclass(frozen=True, slots=True)
class StoredQuestions:
    """The result of storing a batch of questions."""

    new: list[Question]
    documents: int
    repeated: list[QuestionRecord]


def store_questions(
    plan: Plan, records: Sequence[QuestionRecord], found: FoundQuestions
) -> StoredQuestions:
    """Plan the questions that are not there yet, with their documents; `found` are those that are.

    A question without an id is one for each document that files name with it. One known only by
    its texts, from a file of items, takes the name this file gives it. Raises InputError if a key
    is taken by a question with other content, or if it is open which question is meant.
    """
    documents, created = _documents(plan, records)
    new: list[Question] = []
    repeated = []
    for record in records:
        question = found.of(record)
        if question is not None:
            _require_same_text(question, record)
            if list(record.references) != question.references:
                raise record.source.error(
                    f"question {question.key!r} already exists with other references", "references"
                )
            _take_details(plan, question, documents, record)
            repeated.append(record)
            continue
        question = found.unnamed(record)
        if question is None:
            question = _new(plan.campaign, documents[_document_key(record)], record)
        else:
            _describe(plan, question, documents, record)
        found.add(question)
        new.append(question)
    # one that two records name is there twice
    plan.add({id(question): question for question in new if question.pk is None}.values())
    return StoredQuestions(new, created, repeated)


def questions_of_items(plan: Plan, records: Sequence[QuestionRecord]) -> list[Question]:
    """The question row of every record, as items bring them: a question gathers the references.

    Raises InputError if a key is taken by a question with another text or context, or if it is open
    which question is meant.
    """
    found = find_questions(plan, records)
    documents, _created = _documents(plan, [record for record in records if found.of(record)])
    absent: dict[tuple[str | None, str], dict[str | None, QuestionRecord]] = defaultdict(dict)
    for record in records:
        if question := found.of(record):
            _require_same_text(question, record)
            _take_details(plan, question, documents, record)
            _add_references(plan, question, record.references)
        else:
            brought = absent[record.key, record.fingerprint]
            document = named_document(record) if record.key is None else None
            brought[document] = _joined(brought.get(document), record)
    new = [record for brought in absent.values() for record in _by_document(brought)]
    if new:
        there = FoundQuestions.of_all(found.by_key.values())
        for question in store_questions(plan, new, there).new:
            found.add(question)
    return [found.required(record) for record in records]


def _by_document(brought: Mapping[str | None, QuestionRecord]) -> Iterable[QuestionRecord]:
    """The records of one question, by the document that they name. One that names none is of the
    only one that others name; where these are several, it is not there to be stored."""
    records = dict(brought)
    if len(records) > 1 and (without := records.pop(None, None)) and len(records) == 1:
        [document] = records
        records[document] = _joined(records[document], without)
    return records.values()


def _joined(before: QuestionRecord | None, record: QuestionRecord) -> QuestionRecord:
    """One question out of two items that bring it with different references."""
    if before is None:
        return record
    starts = dict(zip(record.references, record.answer_starts, strict=True))
    starts |= dict(zip(before.references, before.answer_starts, strict=True))
    if before.split and record.split and before.split != record.split:
        raise _other_split(record, before.split)
    named = {name for each in (before, record) if (name := named_document(each)) is not None}
    if len(named) > 1:
        raise _other_document(record, str(before.document))
    return replace(
        before,
        document=min(named, default=None),
        references=tuple(starts),
        answer_starts=tuple(starts.values()),
        question_type=min(filter(None, (before.question_type, record.question_type)), default=""),
        split=before.split or record.split,
    )


def _document_key(record: QuestionRecord) -> str:
    return record.document or record.own_document


def _take_details(
    plan: Plan, question: Question, documents: Mapping[str, Document], record: QuestionRecord
) -> None:
    """A question has one document, any that a file names before the passage's own; the first of
    several types that files name; and one split in its source, as none can be preferred to another.

    Raises InputError if files name different documents or splits.
    """
    before = (question.document.key, question.question_type, question.split)
    unnamed = record.own_document  # they have the same texts
    stands, comes = question.document.key, _document_key(record)
    if comes not in {stands, unnamed}:
        if stands != unnamed:
            raise _other_document(record, stands)
        question.document = documents[comes]
        if is_unnamed(question):
            question.key = unnamed_key(question.fingerprint, comes)
    if record.question_type and not "" < question.question_type <= record.question_type:
        question.question_type = record.question_type
    if question.split and record.split and question.split != record.split:
        raise _other_split(record, question.split)
    question.split = question.split or record.split
    after = (question.document.key, question.question_type, question.split)
    if question.pk is not None and before != after:
        plan.change(question)


def _other_document(record: QuestionRecord, document: str) -> InputError:
    return record.source.error(
        f"is {record.document!r:.40}, but the question already exists in {document!r:.40}",
        "document",
    )


def _other_split(record: QuestionRecord, split: str) -> InputError:
    return record.source.error(
        f"is {record.split!r}, but the question already exists in {split!r}", "split"
    )


def _documents(plan: Plan, records: Sequence[QuestionRecord]) -> tuple[dict[str, Document], int]:
    keys = list(dict.fromkeys(_document_key(record) for record in records))
    stored = Document.objects.filter(campaign=plan.campaign)
    known = {document.key: document for document in plan.find(stored, key=keys).values()}
    new = [Document(campaign_id=plan.campaign.pk, key=key) for key in keys if key not in known]
    plan.add(new)
    return known | {document.key: document for document in new}, len(new)


def _new(campaign: Campaign, document: Document, record: QuestionRecord) -> Question:
    return Question(
        campaign_id=campaign.pk,
        document=document,
        key=question_key(record),
        text=record.text,
        context=record.context,
        fingerprint=record.fingerprint,
        question_type=record.question_type,
        split=record.split,
        references=list(record.references),
        answer_starts=list(record.answer_starts),
    )


def _describe(
    plan: Plan, question: Question, documents: Mapping[str, Document], record: QuestionRecord
) -> None:
    """Let a question that items brought say what the record says of it as well."""
    question.key = question_key(record)
    _take_details(plan, question, documents, record)
    starts = dict(zip(record.references, record.answer_starts, strict=True))
    question.references = list(dict.fromkeys((*record.references, *question.references)))
    question.answer_starts = [starts.get(reference) for reference in question.references]
    if question.pk is not None:
        plan.change(question)


def _require_same_text(question: Question, record: QuestionRecord) -> None:
    if (question.text, question.context) != (record.text, record.context):
        raise record.source.error(
            f"question {question.key!r} already exists with another text or context", "question"
        )


def _add_references(plan: Plan, question: Question, references: tuple[str, ...]) -> None:
    added = [reference for reference in references if reference not in question.references]
    if added:
        question.references += added
        question.answer_starts += [None] * len(added)
        plan.change(question)
