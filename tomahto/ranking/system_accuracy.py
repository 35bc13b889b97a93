"""The answers of systems, what people judged of them, and how good systems are by that.

An answer is what a system says to a question: a text, or several where it gave more than one. Each
text has several items where every reference makes one. It is judged once all of these are rated
and no tie leaves it open, and right if one of them is. An exact match with a reference has no item
and is right; an empty text has none and is wrong. Questions and items go by numbers or by ids.

An item is a text beside references, judged once whatever brought it. So an answer to a question is
settled by items that came with another question of the same text and passage as well.

*Systems*, *How many more?*, the API, the command and releases show the accuracies made here.
Answers that are not judged yet are taken to be like those that are
(`tomahto.estimates.post_stratified`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined, with_width
from tomahto.estimates.post_stratified import Cells, post_stratified_mean
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.text.normalisation import is_empty

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
        """The correctness of the answer to one of its questions; None while that is not known."""
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


REPLICATES = 2000
_ENDS: Mapping[str, tuple[float, float]] = {
    EXACT: (1.0, 1.0),
    EMPTY: (0.0, 0.0),
    TO_BE_RATED: (0.0, 1.0),
}
"""Between what the value of an answer lies."""


@dataclass(frozen=True, slots=True)
class JudgedSystem(Generic[Key]):
    """A system's answers and its accuracy by three ways of counting."""

    answers: SystemAnswers[Key]
    of_items: Estimate
    of_candidates: Estimate
    with_exact: Estimate

    def figures(self, labels: Sequence[str], accepted: Collection[str]) -> dict[str, Any]:
        """Its values on pages and in releases: counts and, where a label means that a candidate is
        right, the number of judged ones and the three accuracies."""
        answers = self.answers
        counts = Counter(item.label for item in answers.rated)
        figures = {
            "system": answers.system,
            "candidates": len(answers.questions),
            "exact_matches": len(answers.exact),
            "empty_answers": len(answers.empty),
            "judged_candidates": sum(each.value is not None for each in answers.answers.values()),
            "rated_items": len(answers.rated),
            "labels": {label: counts[label] for label in (*labels, TIE)},
            "accuracy": {
                "items": estimate_as_json(self.of_items),
                "candidates": estimate_as_json(self.of_candidates),
                "with_exact_matches": estimate_as_json(self.with_exact),
            },
        }
        if not accepted:
            del figures["judged_candidates"], figures["accuracy"]
        return figures


def judged_systems(
    systems: Iterable[SystemAnswers[Key]], correct: frozenset[str], bootstrap: Bootstrap
) -> list[JudgedSystem[Key]]:
    """The systems by their accuracy with exact matches, the best first."""
    judged = (
        JudgedSystem(
            answers,
            accuracy_of_items(answers, correct, bootstrap),
            accuracy(answers, bootstrap),
            accuracy_with_exact(answers, bootstrap),
        )
        for answers in systems
    )
    return sorted(judged, key=_rank_key)


def _rank_key(system: JudgedSystem[Key]) -> tuple[bool, float, str]:
    value = system.with_exact.value
    return value is None, -(value or 0.0), system.answers.system


def accuracy_of_items(
    system: SystemAnswers[Key], correct: frozenset[str], bootstrap: Bootstrap
) -> Estimate:
    """The share of rated items with a correct majority label, ties left out; `n` counts items."""
    decided = [item for item in system.rated if item.label != TIE]
    if not decided:
        return undefined("no item has a majority label", n=0, seed=bootstrap.seed)
    # whoever calls every item right agrees with people as often as the items are right
    judged = JudgedScores.of(
        [1.0] * len(decided),
        [item.label in correct for item in decided],
        [item.question for item in decided],
    )
    return with_width(judged.accuracy(0.5, bootstrap))


def accuracy(system: SystemAnswers[Key], bootstrap: Bootstrap) -> Estimate:
    """The correctness of the answers to be judged; exact matches and empty answers are left out.

    `n` counts answers.
    """
    return _mean(_judged_cells(system), bootstrap, _ENDS)


def accuracy_with_exact(system: SystemAnswers[Key], bootstrap: Bootstrap) -> Estimate:
    """The correctness of all answers: exact matches are right, empty answers wrong. `n` counts
    both."""
    cells = _judged_cells(system)
    cells[EXACT, 1.0] = len(system.exact)
    cells[EMPTY, 0.0] = len(system.empty)
    return _mean(cells, bootstrap, _ENDS)


def difference(
    one: SystemAnswers[Key], other: SystemAnswers[Key], bootstrap: Bootstrap
) -> Estimate:
    """The accuracy of the first less that of the second, exact matches included.

    Question by question, over those that both answer; `n` counts the questions where both answers
    are known.
    """
    shared = one.questions & other.questions
    if not shared:
        return undefined("they answer no question both", n=0, seed=bootstrap.seed)
    cells: Counter[tuple[str, float | None]] = Counter()
    ends: dict[str, tuple[float, float]] = {}
    for question in shared:
        kinds = one.kind(question), other.kind(question)
        kind: str = "{} of the first and {} of the second".format(*kinds)
        if kinds[0] == kinds[1]:
            kind = f"{kinds[0]} of both"
        (low, high), (least, most) = (_ENDS[each] for each in kinds)
        ends[kind] = low - most, high - least
        first, second = one.value(question), other.value(question)
        cells[kind, None if first is None or second is None else first - second] += 1
    return _mean(cells, bootstrap, ends)


def _judged_cells(system: SystemAnswers[Key]) -> Counter[tuple[str, float | None]]:
    return Counter((TO_BE_RATED, answer.value) for answer in system.answers.values())


def _mean(cells: Cells, bootstrap: Bootstrap, ends: Mapping[str, tuple[float, float]]) -> Estimate:
    return with_width(post_stratified_mean(cells, bootstrap, ends))
