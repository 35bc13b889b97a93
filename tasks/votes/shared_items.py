"""Questions of the same text and passage share their items: which of them settle whose answers,
and what people judged of the answers of systems.

An item belongs to one question. Who answered the others with its text, candidates say.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Count, QuerySet

from tasks.models import Campaign, Candidate, Item, ItemPurpose, ItemSystem, Question
from tasks.storing.database import rows_with
from tasks.votes.items import live_items
from tasks.votes.patterns import majority_labels, votes_by_item
from tomahto.ranking.system_accuracy import SystemAnswers, Texts, answers_of, settling_items


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


_ByQuestion = Mapping[int, list[SharedItem]]


@dataclass(frozen=True)
class SharedItems:
    """`questions` are those of a campaign that have the text and passage of another one, by id.

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
        given, there = set(self.predicted), defaultdict[tuple[str, str], _Items](_items_by_question)
        for item in self.items:
            for system in self.systems.get(item.pk, ()):
                there[system, item.candidate][item.question].append(item)
                if not self._is_predicted(item, system):
                    given.add(GivenText(item.question, system, item.candidate))
        return {
            answer: self._settling(answer.question, there[answer.system, answer.text])
            for answer in sorted(given)
        }

    @cached_property
    def texts(self) -> Mapping[tuple[int, str], list[SharedItem]]:
        """By question and text the items that settle it, whoever gave it."""
        there = defaultdict[tuple[str, str], _Items](_items_by_question)
        for item in self.items:
            texts = self.questions[item.question].fingerprint, item.candidate
            there[texts][item.question].append(item)
        return {
            (question, text): settling
            for (fingerprint, text), by_question in there.items()
            for question in self._groups[fingerprint]
            if (settling := self._settling(question, by_question))
        }

    @cached_property
    def _groups(self) -> Mapping[str, list[int]]:
        groups: dict[str, list[int]] = defaultdict(list)
        for pk, question in self.questions.items():
            groups[question.fingerprint].append(pk)
        return groups

    def _twins(self, question: int) -> list[int]:
        return self._groups[self.questions[question].fingerprint]

    def _is_predicted(self, item: SharedItem, system: str) -> bool:
        return any(
            GivenText(twin, system, item.candidate) in self.predicted
            and (
                twin == item.question
                or set(item.references) <= set(self.questions[twin].references)
            )
            for twin in self._twins(item.question)
        )

    def _settling(self, question: int, there: _ByQuestion) -> list[SharedItem]:
        """Of the items of one text, by the questions they belong to."""
        others = [
            item
            for twin in self._twins(question)
            if twin != question
            for item in there.get(twin, ())
        ]
        return settling_items(
            self.questions[question].references,
            there.get(question, ()),
            sorted(others),
            attrgetter("references"),
        )


_Items = defaultdict[int, list[SharedItem]]


def _items_by_question() -> _Items:
    return defaultdict(list)


def shared_items(campaign: Campaign) -> SharedItems:
    """Those of the campaign; no more than one query where no two questions have the same texts."""
    all_questions = Question.objects.filter(campaign=campaign)
    repeated = (
        all_questions.order_by()
        .values_list("fingerprint", flat=True)
        .annotate(number=Count("pk"))
        .filter(number__gt=1)
    )
    asked = all_questions.only("key", "fingerprint", "references")
    questions = {each.pk: each for each in rows_with(asked, "fingerprint", repeated)}
    live = Item.objects.filter(purpose=ItemPurpose.LIVE)
    items = live.values_list("key", "pk", "question", "candidate", "references")
    found = tuple(
        SharedItem(*row[:4], tuple(row[4])) for row in rows_with(items, "question", questions)
    )
    systems: dict[int, list[str]] = defaultdict(list)
    links = ItemSystem.objects.values_list("item", "system__name")
    for item, name in rows_with(links, "item", (each.pk for each in found)):
        systems[item].append(name)
    predicted = Candidate.objects.filter(is_exact_match=False)
    texts = predicted.values_list("question", "system__name", "text")
    return SharedItems(
        questions,
        found,
        {item: tuple(names) for item, names in systems.items()},
        frozenset(GivenText(*row) for row in rows_with(texts, "question", questions)),
    )


def items_of_answer(question: Question, system: str, text: str) -> list[Item]:
    """The stored items that settle a system's answer to a question, which may be a new one."""
    items = list(
        live_items(question.campaign)
        .filter(
            question__fingerprint=question.fingerprint,
            candidate=text,
            item_systems__system__name=system,
        )
        .order_by("key")
    )
    own = [item for item in items if item.question_id == question.pk]
    others = [item for item in items if item.question_id != question.pk]
    return settling_items(question.references, own, others, attrgetter("references"))


def system_answers(campaign: Campaign) -> list[SystemAnswers[int]]:
    labels = majority_labels(campaign, votes_by_item(campaign))
    texts, exact = _answers_of_systems(campaign)
    accepted = frozenset(campaign.annotation_protocol.accepted_labels)
    names = campaign.systems.values_list("name", flat=True)
    return [
        answers_of(name, texts.get(name, {}), frozenset(exact.get(name, ())), labels, accepted)
        for name in sorted(names)
    ]


def candidates_for_answerable(campaign: Campaign) -> QuerySet[Candidate]:
    """The candidates of all systems for questions that have a reference: those to questions
    without a right answer are for SQuAD scores."""
    return Candidate.objects.filter(system__campaign=campaign).exclude(question__references=[])


def _answers_of_systems(campaign: Campaign) -> tuple[dict[str, Texts[int]], dict[str, set[int]]]:
    """By system: the live items that settle every text it gave, and the questions it answered
    exactly.

    A text may have no item: nobody judges it then.
    """
    shared = shared_items(campaign)
    texts: dict[str, Texts[int]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    exact: dict[str, set[int]] = defaultdict(set)
    candidates = candidates_for_answerable(campaign).values_list(
        "system__name", "question", "text", "is_exact_match"
    )
    for name, question, text, is_exact in candidates:
        if is_exact:
            exact[name].add(question)
        else:
            texts[name][question][text] = []
    items = (
        ItemSystem.objects.filter(system__campaign=campaign, item__purpose=ItemPurpose.LIVE)
        .order_by("item")
        .values_list("system__name", "item__question", "item__candidate", "item")
    )
    for name, question, text, item in items:
        if question not in shared.questions:
            texts[name][question][text].append(item)
    for answer, settling in shared.answers.items():
        if settling:
            found = sorted(item.pk for item in settling)
            texts[answer.system][answer.question][answer.text] = found
    return texts, exact
