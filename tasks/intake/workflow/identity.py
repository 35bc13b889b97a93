"""When two questions or two items from files are the same: by their names, else by their texts,
and of questions by their documents. And who answered which of several questions that share an
item, kept in candidates.

An item belongs to one question. As soon as another question brings its texts, that a system gave
it no longer says to which of them.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from tasks.models import Candidate, Document, Item, ItemPurpose, ItemSystem, Question, System
from tasks.storing.plan import Plan
from tomahto.interchange.reading.records import QuestionRecord, Source, digest

_UNNAMED = re.compile("q-([0-9a-f]{24})")


@dataclass
class FoundQuestions:
    """Questions that are there with their documents, by their key and by their texts."""

    by_key: dict[str, Question] = field(default_factory=dict)
    by_texts: dict[str, dict[int, Question]] = field(default_factory=lambda: defaultdict(dict))

    @classmethod
    def of_all(cls, questions: Iterable[Question]) -> Self:
        """By what they are now."""
        found = cls()
        for question in questions:
            found.add(question)
        return found

    def add(self, question: Question) -> None:
        self.by_key[question.key] = question
        # one that is not planned yet has no id
        self.by_texts[question.fingerprint][question.pk or -id(question)] = question

    def of(self, record: QuestionRecord) -> Question | None:
        """The question a record means: by its key, or without one by its texts and its document.

        A record without a document means the only question with its texts. Raises InputError if
        several documents have one.
        """
        if record.key is not None:
            return self.by_key.get(record.key)
        found = self._in_document(record)
        if named_document(record) is None:
            require_one_document(found, record.source, "document")
        return min(found, key=precedence, default=None)

    def required(self, record: QuestionRecord) -> Question:
        """As `of`, for a question that must be there. Raises KeyError."""
        question = self.of(record)
        if question is None:
            raise KeyError(record.key)
        return question

    def unnamed(self, record: QuestionRecord) -> Question | None:
        """The question with a record's texts, in its document, that no file has named yet."""
        found = [each for each in self._in_document(record) if is_unnamed(each)]
        return found[0] if len(found) == 1 else None

    def _in_document(self, record: QuestionRecord) -> list[Question]:
        """Those with the texts that are in the document, or in none that a file named; all where
        the record names none."""
        found = [*self.by_texts[record.fingerprint].values()]
        document = named_document(record)
        if document is None:
            return found
        in_it = [each for each in found if each.document.key == document]
        return in_it or [each for each in found if each.document.key == record.own_document]


def require_one_document(questions: Collection[Question], source: Source, name: str) -> None:
    """Raises InputError for the field if questions that could be meant are in several documents."""
    documents = sorted({question.document.key for question in questions})
    if len(documents) > 1:
        shown = ", ".join(f"{document!r:.40}" for document in documents[:3])
        more = ", …" if len(documents) > 3 else ""
        raise source.error(
            f"the question occurs in {len(documents)} documents ({shown}{more}): give its id or "
            "its document",
            name,
        )


def find_questions(plan: Plan, records: Sequence[QuestionRecord]) -> FoundQuestions:
    """The campaign's questions that have the key or the texts of one of the records."""
    stored = Question.objects.filter(campaign=plan.campaign)
    keys = {record.key for record in records if record.key is not None}
    fingerprints = {record.fingerprint for record in records}
    questions = plan.find(stored, key=keys, fingerprint=fingerprints)
    attach_documents(plan, questions.values())
    return FoundQuestions.of_all(question for _pk, question in sorted(questions.items()))


def attach_documents(plan: Plan, questions: Collection[Question]) -> None:
    """Give each question the document it has, or will have."""
    documents = plan.find(
        Document.objects.all(), id={question.document_id for question in questions}
    )
    for question in questions:
        question.document = documents[question.document_id]


def item_key(question: str, context: str, references: Sequence[str], candidate: str) -> str:
    """The key of an item without an id: a hash of what the rater sees."""
    return "i-" + digest(question, context, list(references), candidate)


def named_document(record: QuestionRecord) -> str | None:
    """The document that a file names, which a passage of its own is not."""
    if record.document is None or record.document == record.own_document:
        return None
    return record.document


def question_key(record: QuestionRecord) -> str:
    """The key of a question: the file's, or one made of its texts and its document."""
    return record.key or unnamed_key(record.fingerprint, named_document(record))


def unnamed_key(texts: str, document: str | None) -> str:
    return f"q-{texts}" if document is None else f"q-{texts}-{digest(document)}"


def fingerprint_in(key: str) -> str | None:
    """The fingerprint of which a key is made, if it is one that says nothing of a document."""
    found = _UNNAMED.fullmatch(key)
    return found and found[1]


def precedence(question: Question) -> tuple[bool, str]:
    """Of several questions with the same texts a named one goes first, then the first key: so
    the order of imports does not matter."""
    return is_unnamed(question), question.key


def is_unnamed(question: Question) -> bool:
    return question.key.startswith(f"q-{question.fingerprint}")


class BroughtItem(NamedTuple):
    """An item with the question that a file brings it with, and the systems that gave it there."""

    item: Item
    question: Question
    systems: Sequence[System]


def keep_answers(
    plan: Plan, brought: Sequence[BroughtItem], before: Mapping[int, Question]
) -> None:
    """Plan a candidate for every answer that is brought, and for those that stood for themselves.

    `before` are the questions of the items that were there, by the ids of the items. The systems
    that are brought must not have been added to the items yet. A system has one candidate for a
    question: of several texts the first is kept.
    """
    live = [each for each in brought if each.item.purpose == ItemPurpose.LIVE]
    asked = {each.item.question.fingerprint for each in live}
    stored = Question.objects.filter(campaign=plan.campaign)
    twins = plan.find(stored, fingerprint=asked)
    given = {
        (each.system_id, each.question_id): each
        for each in plan.find(Candidate.objects.all(), question_id=twins).values()
    }
    answers = [
        *((system.pk, each.question, each.item) for each in live for system in each.systems),
        *_standing(plan, {each.item.pk: each.item for each in live}, before, twins, given),
    ]
    new = {
        (system, question.pk): Candidate(
            system_id=system, question=question, text=item.candidate, is_exact_match=False
        )
        for system, question, item in reversed(answers)
        if (system, question.pk) not in given
    }
    plan.add(new[place] for place in sorted(new))


def _standing(
    plan: Plan,
    items: Mapping[int, Item],
    before: Mapping[int, Question],
    twins: Mapping[int, Question],
    given: Mapping[tuple[int, int], Candidate],
) -> Iterable[tuple[int, Question, Item]]:
    """The systems of the items that no candidate tells of: they answered the item's question."""
    links = plan.find(ItemSystem.objects.all(), item_id=before.keys() & items.keys())
    for link in links.values():
        item = items[link.item_id]
        if not any(
            _tells(given.get((link.system_id, twin.pk)), item, twin) for twin in twins.values()
        ):
            yield link.system_id, before[item.pk], item


def _tells(candidate: Candidate | None, item: Item, question: Question) -> bool:
    return (
        candidate is not None
        and not candidate.is_exact_match
        and candidate.text == item.candidate
        and question.fingerprint == item.question.fingerprint
        and (question.pk == item.question_id or set(item.references) <= set(question.references))
    )
