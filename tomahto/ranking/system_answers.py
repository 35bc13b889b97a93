"""The answers of systems, and what people judged of them.

An answer is what a system says to a question: a text, or several where it gave more than one. Each
text has several items where every reference makes one. It is judged once all of these are rated
and no tie leaves it open, and right if one of them is. An exact match with a reference has no item
and is right; an empty text has none and is wrong. Questions and items go by numbers or by ids.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Literal, TypeAlias, TypeVar

from tomahto.text.same_answer import is_empty

TIE = "tie"
_UNRATED = ""

Key = TypeVar("Key", int, str)
Kind = Literal["exact matches", "empty answers", "to be rated"]
EXACT: Kind = "exact matches"
EMPTY: Kind = "empty answers"
TO_BE_RATED: Kind = "to be rated"


@dataclass(frozen=True, slots=True)
class RatedItem(Generic[Key]):
    """A rated item of a system: its question and its majority label, TIE where there is none."""

    question: Key
    label: str


@dataclass(frozen=True, slots=True)
class Answer(Generic[Key]):
    """The items of each text of an answer, and the share of its texts that are right.

    `value` is None while one of them is not judged.
    """

    texts: tuple[tuple[Key, ...], ...]
    value: float | None

    @property
    def items(self) -> Iterator[Key]:
        return (item for text in self.texts for item in text)


@dataclass(frozen=True)
class SystemAnswers(Generic[Key]):
    """A system's answers by question, as far as people have to judge them.

    `exact` are the questions it answered as a reference does, `empty` those it left without an
    answer. `items` counts its live items, and `rated` has those with a vote.
    """

    system: str
    answers: Mapping[Key, Answer[Key]]
    exact: frozenset[Key]
    empty: frozenset[Key]
    items: int
    rated: tuple[RatedItem[Key], ...]

    @cached_property
    def questions(self) -> frozenset[Key]:
        return self.exact.union(self.empty, self.answers)

    def kind(self, question: Key) -> Kind:
        """Of the answer to one of its questions."""
        if question in self.exact:
            return EXACT
        return EMPTY if question in self.empty else TO_BE_RATED

    def value(self, question: Key) -> float | None:
        """How right the answer to one of its questions is; None while that is not known."""
        if question in self.exact:
            return 1.0
        return 0.0 if question in self.empty else self.answers[question].value


Texts: TypeAlias = dict[Key, dict[str, list[Key]]]  # the items of every text, by question


def answers_of(
    system: str,
    texts: Texts[Key],
    exact: frozenset[Key],
    labels: Mapping[Key, str | None],
    correct: frozenset[str],
) -> SystemAnswers[Key]:
    """The answers of a system from the items of its texts, the questions it answered exactly, and
    the majority label of every rated item, None where there is none."""
    items = sorted(
        (item, question)
        for question, given in texts.items()
        for of_text in given.values()
        for item in of_text
    )
    empty = {
        question
        for question, given in texts.items()
        if question not in exact and all(map(is_empty, given))
    }
    return SystemAnswers(
        system,
        {
            question: _answer([tuple(of_text) for of_text in given.values()], labels, correct)
            for question, given in sorted(texts.items())
            if question not in exact and question not in empty
        },
        exact,
        frozenset(empty),
        len(items),
        tuple(
            RatedItem(question, labels[item] or TIE) for item, question in items if item in labels
        ),
    )


def _answer(
    texts: list[tuple[Key, ...]], labels: Mapping[Key, str | None], correct: frozenset[str]
) -> Answer[Key]:
    rights = [is_right(text, labels, correct) for text in texts]
    known = [is_right for is_right in rights if is_right is not None]
    value = sum(known) / len(rights) if len(known) == len(rights) else None
    return Answer(tuple(texts), value)


def is_right(
    items: Iterable[Key], labels: Mapping[Key, str | None], correct: frozenset[str]
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
