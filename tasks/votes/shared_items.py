"""Questions of the same text and passage share their items: which of them settle whose answers,
and what people judged of the answers of systems.

An item belongs to one question. Candidates say which systems answered the others with its texts.
The items that settle an answer are worked out from both whenever it is read.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from heapq import merge
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Count, QuerySet

from tasks.models import Campaign, Candidate, Item, ItemPurpose, ItemSystem, Question
from tasks.storing.database import rows_with
from tasks.votes.labels import votes_by_item
from tomahto.ranking.system_answers import GivenAnswers, SystemAnswers, settling_items


class GivenText(NamedTuple):
    """A text that a system gave to a question: the question's id and the system's name."""

    question: int
    system: str
    text: str


class SharedItem(NamedTuple):
    """A live item of such a question."""

    key: str
    pk: int
    question: int
    candidate: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class SharedItems:
    """`questions` are all that have one of some pairs of text and passage in a campaign, by id.

    `items` are theirs, `systems` the names that files and predictions give with each of them, and
    `predicted` the texts of candidates that match no reference.
    """

    questions: Mapping[int, Question] = field(default_factory=dict)
    items: tuple[SharedItem, ...] = ()
    systems: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    predicted: frozenset[GivenText] = frozenset()

    @cached_property
    def answers(self) -> Mapping[GivenText, list[SharedItem]]:
        """The answers of systems that no reference settles, with the items that do.

        An item whose system predicted its text for one of the questions is no answer to another
        one; without such a prediction it is an answer to its own.
        """
        own_texts = {
            GivenText(item.question, system, item.candidate)
            for item in self.items
            for system in self.systems.get(item.pk, ())
            if not self._is_predicted(item, system)
        }
        return {
            answer: self.settling(self.questions[answer.question], answer.system, answer.text)
            for answer in sorted(self.predicted | own_texts)
        }

    @cached_property
    def texts(self) -> Mapping[tuple[int, str], list[SharedItem]]:
        """By question and text the items that settle it, whoever gave it."""
        by_text = defaultdict[tuple[str, str], list[SharedItem]](list)
        for item in self.items:
            by_text[self._fingerprint(item), item.candidate].append(item)
        return {
            (question.pk, text): settling
            for (fingerprint, text), items in by_text.items()
            for question in self._groups[fingerprint]
            if (settling := _settling(question, items))
        }

    def settling(self, question: Question, system: str, text: str) -> list[SharedItem]:
        """The items that settle a system's answer to a question of these texts, which may be a new
        one."""
        return _settling(question, self._by_answer.get((question.fingerprint, system, text), ()))

    @cached_property
    def _by_answer(self) -> Mapping[tuple[str, str, str], list[SharedItem]]:
        """By fingerprint, system and text."""
        items = defaultdict[tuple[str, str, str], list[SharedItem]](list)
        for item in self.items:
            for system in self.systems.get(item.pk, ()):
                items[self._fingerprint(item), system, item.candidate].append(item)
        return items

    @cached_property
    def _groups(self) -> Mapping[str, list[Question]]:
        groups: dict[str, list[Question]] = defaultdict(list)
        for question in self.questions.values():
            groups[question.fingerprint].append(question)
        return groups

    def _fingerprint(self, item: SharedItem) -> str:
        return self.questions[item.question].fingerprint

    def _is_predicted(self, item: SharedItem, system: str) -> bool:
        return any(
            GivenText(twin.pk, system, item.candidate) in self.predicted
            and (twin.pk == item.question or set(item.references) <= set(twin.references))
            for twin in self._groups[self._fingerprint(item)]
        )


def _settling(question: Question, items: Collection[SharedItem]) -> list[SharedItem]:
    """Of the items of one text, which come with questions of the same texts."""
    own = [item for item in items if item.question == question.pk]
    others = sorted(item for item in items if item.question != question.pk)
    return settling_items(question.references, own, others, attrgetter("references"))


def shared_items(campaign: Campaign) -> SharedItems:
    """Those of the questions that have the text and passage of another one; no more than one query
    where there are none."""
    repeated = (
        Question.objects.filter(campaign=campaign)
        .order_by()
        .values_list("fingerprint", flat=True)
        .annotate(number=Count("pk"))
        .filter(number__gt=1)
    )
    shared = items_with_texts(campaign, repeated)
    predicted = Candidate.objects.filter(is_exact_match=False)
    rows = predicted.values_list("question", "system__name", "text")
    texts = (GivenText(*row) for row in rows_with(rows, "question", shared.questions))
    return replace(shared, predicted=frozenset(texts))


def items_with_texts(campaign: Campaign, fingerprints: Iterable[str]) -> SharedItems:
    """The stored items of questions with these fingerprints, without what systems predicted."""
    asked = Question.objects.filter(campaign=campaign).only("key", "fingerprint", "references")
    questions = {each.pk: each for each in rows_with(asked, "fingerprint", fingerprints)}
    live = Item.objects.filter(purpose=ItemPurpose.LIVE)
    rows = live.values_list("key", "pk", "question", "candidate", "references")
    items = tuple(
        SharedItem(*row[:4], tuple(row[4])) for row in rows_with(rows, "question", questions)
    )
    systems: dict[int, list[str]] = defaultdict(list)
    links = ItemSystem.objects.values_list("item", "system__name")
    for item, name in rows_with(links, "item", (each.pk for each in items)):
        systems[item].append(name)
    return SharedItems(questions, items, {item: tuple(names) for item, names in systems.items()})


def system_answers(campaign: Campaign) -> list[SystemAnswers]:
    """The answers of all systems by name, read question by question: there may be millions."""
    votes, names = votes_by_item(campaign), campaign.systems.values_list("name", flat=True)
    given = {name: GivenAnswers[int](name, partial(array, "q")) for name in sorted(names)}
    for question, answers in answers_by_question(campaign, candidates_for_answerable(campaign)):
        texts: dict[str, dict[str, list[int]]] = {}
        exact = set[str]()
        for answer in answers:
            of_system = texts.setdefault(answer.system, {})
            if answer.is_exact:
                exact.add(answer.system)
                continue
            settling = of_system.setdefault(answer.text, [])
            if answer.item is not None:
                settling.append(answer.item)
        for system, of_system in texts.items():
            given[system].add(question, of_system, is_exact=system in exact)
    labels, accepted = votes.scheme.labels, campaign.annotation_protocol.accepted_labels
    return [each.judged(votes.majority_of, labels, accepted) for each in given.values()]


def candidates_for_answerable(campaign: Campaign) -> QuerySet[Candidate]:
    """The candidates of all systems for questions that have a reference: those to questions
    without a right answer are for SQuAD scores."""
    return Candidate.objects.filter(system__campaign=campaign).exclude(question__references=[])


class AnswerItem(NamedTuple):
    """A text that a system gave to a question, exact or with one of the items that settle it."""

    question: int
    system: str
    text: str
    is_exact: bool
    item: int | None = None
    key: str = ""


def _answer_items(
    campaign: Campaign, candidates: QuerySet[Candidate]
) -> tuple[Iterator[AnswerItem], ...]:
    """The texts of these candidates; those of items that no questions share; those of items that
    some do. Each by question, a text of items once for every item."""
    shared = shared_items(campaign)
    predicted = candidates.order_by("question").values_list(
        "question", "system__name", "text", "is_exact_match"
    )
    items = (
        ItemSystem.objects.filter(item__campaign=campaign, item__purpose=ItemPurpose.LIVE)
        .order_by("item__question", "item")
        .values_list("item__question", "system__name", "item__candidate", "item", "item__key")
    )
    return (
        (AnswerItem(*row) for row in predicted.iterator(chunk_size=2000)),
        (
            AnswerItem(question, system, text, False, item, key)
            for question, system, text, item, key in items.iterator(chunk_size=2000)
            if question not in shared.questions
        ),
        (
            AnswerItem(*answer, False, item.pk, item.key)
            for answer, settling in shared.answers.items()
            for item in settling
        ),
    )


def answers_by_question(
    campaign: Campaign, candidates: QuerySet[Candidate]
) -> Iterator[tuple[int, Iterator[AnswerItem]]]:
    """The texts of these candidates and of items (`_answer_items`) together, by question."""
    question_of = attrgetter("question")
    return groupby(merge(*_answer_items(campaign, candidates), key=question_of), question_of)
