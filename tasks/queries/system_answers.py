"""The answers of a campaign's systems, and what people judged of them.

An answer is what a system says to a question: a text, or several where it gave more than one. Each
text has several items where every reference makes one. It is judged once all of these are rated
and no tie leaves it open, and right if one of them is. An exact match with a reference has no item
and is right. Answers to questions that have no right one are left out: they are for SQuAD scores.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet

from tasks.models import Campaign, Candidate, ItemPurpose, ItemSystem
from tasks.queries.votes import majority_labels, votes_by_item

TIE = "tie"
_UNRATED = ""


@dataclass(frozen=True, slots=True)
class RatedItem:
    """A rated item of a system: its question and its majority label, TIE where there is none."""

    question: int
    label: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The items of each text of an answer, and the share of its texts that are right.

    `value` is None while one of them is not judged.
    """

    texts: tuple[tuple[int, ...], ...]
    value: float | None

    @property
    def items(self) -> Iterator[int]:
        return (item for text in self.texts for item in text)


@dataclass(frozen=True)
class SystemAnswers:
    """A system's answers by question; `exact` are the questions it answered as a reference does.

    `items` counts its live items, and `rated` has those with a vote.
    """

    system: str
    answers: Mapping[int, Answer]
    exact: frozenset[int]
    items: int
    rated: tuple[RatedItem, ...]

    @cached_property
    def questions(self) -> frozenset[int]:
        return self.exact.union(self.answers)

    def value(self, question: int) -> float | None:
        """How right the answer to one of its questions is; None while that is not known."""
        return 1.0 if question in self.exact else self.answers[question].value


Texts = dict[int, dict[str, list[int]]]  # the items of every text, by question


def system_answers(campaign: Campaign) -> list[SystemAnswers]:
    """The answers of every system of the campaign, by name."""
    labels = majority_labels(campaign, votes_by_item(campaign))
    texts, exact = _given(campaign)
    correct = campaign.annotation_protocol.correct_labels
    names = campaign.systems.values_list("name", flat=True)
    return [
        _answers(name, texts.get(name, {}), frozenset(exact.get(name, ())), labels, correct)
        for name in sorted(names)
    ]


def _answers(
    system: str,
    texts: Texts,
    exact: frozenset[int],
    labels: Mapping[int, str | None],
    correct: frozenset[str],
) -> SystemAnswers:
    items = sorted(
        (item, question)
        for question, given in texts.items()
        for of_text in given.values()
        for item in of_text
    )
    return SystemAnswers(
        system,
        {
            question: _answer([tuple(of_text) for of_text in given.values()], labels, correct)
            for question, given in sorted(texts.items())
            if question not in exact
        },
        exact,
        len(items),
        tuple(
            RatedItem(question, labels[item] or TIE) for item, question in items if item in labels
        ),
    )


def candidates_for_answerable(campaign: Campaign) -> QuerySet[Candidate]:
    """The candidates of all systems for questions that have a reference."""
    return Candidate.objects.filter(system__campaign=campaign).exclude(question__references=[])


def _answer(
    texts: list[tuple[int, ...]], labels: Mapping[int, str | None], correct: frozenset[str]
) -> Answer:
    rights = [is_right(text, labels, correct) for text in texts]
    known = [is_right for is_right in rights if is_right is not None]
    value = sum(known) / len(rights) if len(known) == len(rights) else None
    return Answer(tuple(texts), value)


def is_right(
    items: Iterable[int], labels: Mapping[int, str | None], correct: frozenset[str]
) -> bool | None:
    """Whether a text is right by the labels of its items.

    None where an item is not rated, or a tie leaves it open whether one of them is right.
    """
    found = [labels.get(item, _UNRATED) for item in items]
    if not found or _UNRATED in found:
        return None
    if any(label in correct for label in found):
        return True
    return None if None in found else False


def _given(campaign: Campaign) -> tuple[dict[str, Texts], dict[str, set[int]]]:
    """By system: the live items of every text it gave, and the questions it answered exactly.

    A text may have no item: nobody judges it then.
    """
    texts: dict[str, Texts] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
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
        texts[name][question][text].append(item)
    return texts, exact
