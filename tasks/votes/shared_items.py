"""Questions of the same text and passage share their items: which of them settle whose answers.

An item belongs to one question. Who answered the others with its text, candidates say.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Count, Window

from tasks.models import Campaign, Candidate, Item, ItemPurpose, ItemSystem, Question
from tasks.votes.items import live_items
from tomahto.ranking.settling import settling_items


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
        """What systems answered that no reference settles, with the items that do.

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
    repeated = Question.objects.filter(campaign=campaign).annotate(
        alike=Window(Count("pk"), partition_by="fingerprint")
    )
    # a subquery that reads the questions once: a join with their groups is repeated for each row
    # where PostgreSQL has not counted a new campaign yet
    asked = Question.objects.filter(pk__in=repeated.filter(alike__gt=1).values("pk"))
    questions = asked.only("key", "fingerprint", "references").in_bulk()
    if not questions:
        return SharedItems()
    ids = asked.values("pk")
    live = Item.objects.filter(question__in=ids, purpose=ItemPurpose.LIVE)
    items = live.values_list("key", "pk", "question", "candidate", "references")
    systems: dict[int, list[str]] = defaultdict(list)
    links = ItemSystem.objects.filter(item__question__in=ids, item__purpose=ItemPurpose.LIVE)
    for item, name in links.values_list("item", "system__name"):
        systems[item].append(name)
    predicted = Candidate.objects.filter(question__in=ids, is_exact_match=False)
    return SharedItems(
        questions,
        tuple(SharedItem(*row[:4], tuple(row[4])) for row in items),
        {item: tuple(names) for item, names in systems.items()},
        frozenset(
            GivenText(*row) for row in predicted.values_list("question", "system__name", "text")
        ),
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
