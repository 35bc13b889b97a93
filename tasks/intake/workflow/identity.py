"""When two questions or two items from files are the same: by their names, else by their texts."""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tasks.models import Document, Question
from tasks.storing.plan import Plan
from tomahto.interchange.reading.records import QuestionRecord


@dataclass
class FoundQuestions:
    """Questions that are there, by their key and by their texts; a named one goes first."""

    by_key: dict[str, Question] = field(default_factory=dict)
    by_texts: dict[str, Question] = field(default_factory=dict)

    def add(self, question: Question) -> None:
        self.by_key[question.key] = question
        other = self.by_texts.get(question.fingerprint)
        if other is None or precedence(question) < precedence(other):
            self.by_texts[question.fingerprint] = question

    def of(self, record: QuestionRecord) -> Question | None:
        """The question a record means: by its key, or without one by its texts."""
        if record.key is not None:
            return self.by_key.get(record.key)
        return self.by_texts.get(fingerprint(record))

    def required(self, record: QuestionRecord) -> Question:
        """As `of`, for a question that must be there. Raises KeyError."""
        by_texts = self.by_texts[fingerprint(record)]
        return by_texts if record.key is None else self.by_key[record.key]

    def unnamed(self, record: QuestionRecord) -> Question | None:
        """The question with a record's texts that no file has named yet."""
        return self.by_key.get(unnamed_key(fingerprint(record)))


def find_questions(plan: Plan, records: Sequence[QuestionRecord]) -> FoundQuestions:
    """The campaign's questions that have the key or the texts of one of the records."""
    stored = Question.objects.filter(campaign=plan.campaign)
    keys = {record.key for record in records if record.key is not None}
    fingerprints = {fingerprint(record) for record in records}
    questions = plan.find(stored, key=keys, fingerprint=fingerprints)
    attach_documents(plan, questions.values())
    found = FoundQuestions()
    for _pk, question in sorted(questions.items()):
        found.add(question)
    return found


def attach_documents(plan: Plan, questions: Collection[Question]) -> None:
    """Give each question the document it has, or will have."""
    stored = Document.objects.filter(campaign=plan.campaign)
    documents = plan.find(stored, id={question.document_id for question in questions})
    for question in questions:
        question.document = documents[question.document_id]


def item_key(question: str, context: str, references: Sequence[str], candidate: str) -> str:
    """The key of an item without an id: a hash of what the rater sees."""
    return "i-" + digest(question, context, list(references), candidate)


def fingerprint(record: QuestionRecord) -> str:
    """What makes two questions the same when a file does not name them."""
    return digest(record.text, record.context)


def unnamed_key(texts: str) -> str:
    """The key of a question that has none of its own, made of its fingerprint."""
    return f"q-{texts}"


def precedence(question: Question) -> tuple[bool, str]:
    """Of several questions with the same texts a named one goes first, then the first key: so
    the order of imports does not matter."""
    return question.key == unnamed_key(question.fingerprint), question.key


def digest(*parts: object) -> str:
    """24 hexadecimal digits of SHA-256 over the parts as JSON."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:24]
