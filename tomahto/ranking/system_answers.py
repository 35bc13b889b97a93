"""The answers of systems, and what people judged of them.

An answer is what a system says to a question: a text, or several where it gave more than one. Each
text has several items where every reference makes one. It is judged once all of these are rated
and no tie leaves it open, and right if one of them is. An exact match with a reference has no item
and is right; an empty text has none and is wrong. Questions and items go by numbers or by ids.

An item is a text beside references, judged once whatever brought it. So an answer to a question is
settled by items that came with another question of the same text and passage as well.
"""

from array import array
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    MutableSequence,
    Sequence,
)
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from tomahto.text.normalisation import is_empty
from tomahto.types import Flags, Floats, Integers
from tomahto.votes.majority import TIED, UNRATED

TIE = "tie"
_UNRATED = ""

Key = TypeVar("Key", int, str)
Kind = Literal["exact matches", "empty answers", "to be rated"]
EXACT: Kind = "exact matches"
EMPTY: Kind = "empty answers"
TO_BE_RATED: Kind = "to be rated"
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, eq=False)
class SystemAnswers:
    """A system's answers as people judged them, by question, ascending (Q,).

    `questions` (Q,) are their keys, `kinds` (Q,) places in KINDS, `values` (Q,) the shares of their
    texts that are right: 1 for an exact match, 0 for an empty answer, NaN while a text is not
    judged. `texts` (T,) has the place of each text's question, `item_texts` (I,) that of each live
    item's text, both ascending; `items` (I,) are keys, `labels` (I,) places of the majority labels
    in `label_names`, TIED or UNRATED.
    """

    system: str
    questions: NDArray[Any]
    kinds: Integers
    values: Floats
    texts: Integers
    items: NDArray[Any]
    item_texts: Integers
    labels: Integers
    label_names: tuple[str, ...]

    def count(self, kind: Kind) -> int:
        return int(self.are(kind).sum())

    def are(self, kind: Kind) -> Flags:
        """Whether each answer is of the kind (Q,)."""
        is_kind: Flags = self.kinds == KINDS.index(kind)
        return is_kind

    @property
    def rated(self) -> int:
        """Number of items with a vote."""
        return int((self.labels != UNRATED).sum())

    @property
    def item_questions(self) -> Integers:
        """The place of each item's question (I,)."""
        return self.texts[self.item_texts]

    def kind(self, question: int | str) -> Kind:
        """Of the answer to one of its questions."""
        return KINDS[int(self.kinds[self._places[question]])]

    def value(self, question: int | str) -> float | None:
        """The correctness of the answer to one of its questions; None while that is not known."""
        value = float(self.values[self._places[question]])
        return None if np.isnan(value) else value

    @cached_property
    def _places(self) -> Mapping[int | str, int]:
        return {question: place for place, question in enumerate(self.questions.tolist())}


Texts: TypeAlias = dict[Key, dict[str, list[Key]]]  # the items of every text, by question


class GivenAnswers(Generic[Key]):
    """The answers of a system before anybody judged them, taken one by one, by question, ascending.

    `keys` makes the list of the keys of questions or items: one of numbers takes little memory.
    """

    def __init__(self, system: str, keys: Callable[[], MutableSequence[Key]]) -> None:
        self._system = system
        self._questions: MutableSequence[Key] = keys()
        self._items: MutableSequence[Key] = keys()
        self._kinds, self._texts, self._item_texts = array("b"), array("q"), array("q")

    def add(self, question: Key, texts: Mapping[str, Iterable[Key]], *, is_exact: bool) -> None:
        """An answer of these texts, each with its items; one that is exact may have none."""
        kind = EXACT if is_exact else EMPTY if all(map(is_empty, texts)) else TO_BE_RATED
        for items in texts.values():
            before = len(self._items)
            self._items.extend(items)
            self._item_texts.extend([len(self._texts)] * (len(self._items) - before))
            self._texts.append(len(self._questions))
        self._kinds.append(KINDS.index(kind))
        self._questions.append(question)

    def judged(
        self,
        labels_of: Callable[[NDArray[Any]], Integers],
        names: tuple[str, ...],
        correct: Collection[str],
    ) -> SystemAnswers:
        """With the majority labels of items, by their places in `names`, TIED or UNRATED."""
        items, texts = _as_array(self._items), np.asarray(self._texts)
        kinds, item_texts = np.array(self._kinds, dtype=np.int64), np.asarray(self._item_texts)
        labels = labels_of(items)
        rights = _rights(labels, item_texts, len(texts), [name in correct for name in names])
        with np.errstate(invalid="ignore"):  # exact answers may have no text
            values = np.bincount(texts, rights, len(kinds)) / np.bincount(texts, None, len(kinds))
        values[kinds == KINDS.index(EXACT)] = 1.0
        values[kinds == KINDS.index(EMPTY)] = 0.0
        return SystemAnswers(
            self._system,
            _as_array(self._questions),
            kinds,
            values,
            texts,
            items,
            item_texts,
            labels,
            names,
        )


def _as_array(keys: MutableSequence[Key]) -> NDArray[Any]:
    return np.asarray(keys, dtype=np.int64 if isinstance(keys, array) else np.object_)


def _rights(labels: Integers, texts: Integers, number: int, is_correct: Sequence[bool]) -> Floats:
    """Of so many texts whether each is right (T,), from the labels of items and their texts (I,):
    1 or 0, NaN where an item is not rated, or a tie leaves it open whether one of them is right."""
    is_of_right = np.array([*is_correct, False, False])[labels]  # the last two are of no label
    right, tied, rated, all_items = (
        np.bincount(texts[chosen], minlength=number)
        for chosen in (is_of_right, labels == TIED, labels != UNRATED, slice(None))
    )
    is_known = (all_items > 0) & (rated == all_items) & ((right > 0) | (tied == 0))
    return np.where(is_known, right > 0, np.nan)


def answers_of(
    system: str,
    texts: Texts[Key],
    exact: frozenset[Key],
    labels: Mapping[Key, str | None],
    correct: frozenset[str],
) -> SystemAnswers:
    """The answers of a system from the items of its texts, the questions it answered exactly, and
    the majority label of every rated item, None where there is none."""
    given = GivenAnswers[Key](system, list)
    for question in sorted(exact.union(texts)):
        given.add(question, texts.get(question, {}), is_exact=question in exact)
    names = tuple(sorted({label for label in labels.values() if label is not None}))
    places: dict[str | None, int] = {name: place for place, name in enumerate(names)}
    places[None] = TIED

    def labels_of(items: NDArray[Any]) -> Integers:
        known = (places[labels[item]] if item in labels else UNRATED for item in items.tolist())
        return np.fromiter(known, dtype=np.int64)

    return given.judged(labels_of, names, correct)


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


Item = TypeVar("Item")


def settling_items(
    references: Collection[str],
    own: Iterable[Item],
    others: Iterable[Item],
    references_of: Callable[[Item], Iterable[str]],
) -> list[Item]:
    """Of the items of one text those that settle it as an answer to a question.

    All of the question's `own` do. Of the `others`, which came with questions of the same texts,
    those do whose references are among the question's, unless an item that is in already has them
    all; those with most references come first, else the order given.
    """
    found = list(own)
    seen = [frozenset(references_of(item)) for item in found]
    known = frozenset(references)
    fitting = ((frozenset(references_of(item)), item) for item in others)
    for compared, item in sorted(fitting, key=lambda pair: -len(pair[0])):
        if compared <= known and not any(compared <= each for each in seen):
            found.append(item)
            seen.append(compared)
    return found
