"""Systems' answers, and what people and metrics say of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.lab.judged import JudgedData
from tomahto.lab.report import MetricScores, metric_names
from tomahto.matching.em import ExactMatch
from tomahto.matching.f1 import TokenF1
from tomahto.ranking.system_accuracy import accuracy_with_exact
from tomahto.ranking.system_answers import EMPTY, EXACT, TO_BE_RATED, Kind
from tomahto.ranking.system_scores import AnswerScores
from tomahto.scoring.squad import Earned, earned
from tomahto.types import Floats

PEOPLE = "people"
F1 = "f1"
MEAN = " mean score"

_OF_TEXTS: Final[Mapping[str, Callable[[Earned], float]]] = {
    ExactMatch.version: lambda of_text: float(of_text.exact_match),
    TokenF1.version: lambda of_text: of_text.f1,
}
"""The metrics that need texts alone, by version: what they make of one."""


class Answer(NamedTuple):
    """A system's answer to a question that has a reference: one text, or several.

    `references` are all that the question has. `items` are, for each of the `texts`, places in the
    data of its items that have a label: for `ae` one for every reference it was compared with.
    `value` is how right it is to most voters (tomahto.ranking.system_accuracy), None while that is
    not known.
    """

    system: str
    question_id: str
    kind: Kind
    value: float | None
    texts: tuple[str, ...]
    references: tuple[str, ...]
    items: tuple[tuple[int, ...], ...]

    @property
    def is_judged(self) -> bool:
        """Whether people have judged it, and had to."""
        return self.kind == TO_BE_RATED and self.value is not None

    def earned(self, added: Iterable[str] = ()) -> list[Earned]:
        """Exact match and F1 of each text with the references and with those that are added."""
        references = (*self.references, *added)
        return [earned(references, text) for text in self.texts]

    def of_texts(self, values: Sequence[float]) -> float:
        """Its value from those of its texts: the mean, and of an exact answer the best."""
        return float(max(values)) if self.kind == EXACT else fmean(values)


def answers_in(data: JudgedData) -> list[Answer]:
    """All answers to questions that have a reference, by question and system."""
    places = {item.id: place for place, item in enumerate(data.items)}
    given: dict[tuple[str, str], dict[str, tuple[int, ...]]] = {}
    references: dict[str, tuple[str, ...]] = {}
    for answer in data.answers:
        if answer.question.references:
            texts = given.setdefault((answer.question.id, answer.system), {})
            texts[answer.candidate] = tuple(places[id_] for id_ in answer.items if id_ in places)
            references[answer.question.id] = answer.question.references
    systems = data.by_majority
    return [
        Answer(
            system,
            question,
            systems[system].kind(question),
            systems[system].value(question),
            tuple(texts),
            references[question],
            tuple(texts.values()),
        )
        for (question, system), texts in given.items()
    ]


def judges(scores: Sequence[MetricScores]) -> dict[str, Floats]:
    """The verdict of each metric on every item (I,) by its decisions.

    Token F1 is a judge twice, as papers report its mean score (Bulian 2022, Tab. 6). Raises
    ValueError if a metric has the name of another judge.
    """
    said: dict[str, Floats] = {}
    for name, metric in zip(metric_names(scores), scores, strict=True):
        if name in said or name == PEOPLE:
            raise ValueError(f"two judges are called {name}")
        said[name] = (metric.scores >= metric.threshold).astype(np.float64)
        if metric.metric == F1:
            said[f"{name}{MEAN}"] = metric.scores
    return said


def metric_values(scores: Sequence[MetricScores], answers: Sequence[Answer]) -> dict[str, Floats]:
    """Each metric's values of the answers (A,): `em` and `f1` of all texts, open or not, with
    their references; others, of which scores of items are known, as `best_values`.

    Raises ValueError as `judges`.
    """
    values = {judge: best_values(items, answers) for judge, items in judges(scores).items()}
    for name, metric in zip(metric_names(scores), scores, strict=True):
        if of_text := _OF_TEXTS.get(metric.version):
            of_texts = [list(map(of_text, answer.earned())) for answer in answers]
            decided = [[value >= metric.threshold for value in each] for each in of_texts]
            values[name] = _of_texts(answers, decided)
            if metric.metric == F1:
                values[f"{name}{MEAN}"] = _of_texts(answers, of_texts)
    return values


def _of_texts(answers: Sequence[Answer], values: Sequence[Sequence[float]]) -> Floats:
    pairs = zip(answers, values, strict=True)
    return np.array([answer.of_texts(each) for answer, each in pairs], np.float64)


def people_values(answers: Iterable[Answer]) -> Floats:
    """The correctness of each answer to people (A,), NaN while that is not known."""
    return np.array([np.nan if each.value is None else each.value for each in answers], np.float64)


def best_values(items: Floats, answers: Sequence[Answer]) -> Floats:
    """The best of the items of each answer's texts (A,), from values of the items (I,): the mean
    over the texts. As to people, exact answers are right, empty ones wrong, and open ones NaN; so
    are those of a text of which no item has a label."""
    return np.array([_best_value(items, answer) for answer in answers], np.float64)


def _best_value(items: Floats, answer: Answer) -> float:
    if answer.is_judged:
        if not all(answer.items):
            return np.nan
        return float(np.mean([items[list(places)].max() for places in answer.items]))
    return np.nan if answer.value is None else answer.value


def answer_scores(values: Mapping[str, Floats], answers: Sequence[Answer]) -> AnswerScores:
    """From each judge's values of the answers (A,). Raises ValueError if there is no answer."""
    return AnswerScores.of(
        values,
        [answer.system for answer in answers],
        [answer.question_id for answer in answers],
        [answer.kind for answer in answers],
    )


def people_estimate(data: JudgedData, system: str, bootstrap: Bootstrap) -> Estimate:
    """A system's accuracy to people, as the page *Systems* has it
    (tomahto.ranking.system_accuracy)."""
    return accuracy_with_exact(data.by_majority[system], bootstrap)


_VOTERS = (
    "the majority of the counted ratings, as on the page Systems and in a release's own table,"
    " whatever the labels of this report"
)


def answer_notes(data: JudgedData, answers: Sequence[Answer]) -> Iterator[str]:
    """Notes on the meaning of an answer, its verdicts by people and metrics, and the answers that
    are in."""
    counts = {kind: sum(each.kind == kind for each in answers) for kind in (EXACT, EMPTY)}
    open_ = sum(each.value is None for each in answers)
    yield (
        "An answer is what a system said to a question. People:"
        f" {_VOTERS if data.majority else 'the labels of the data'}. An answer is right if any of"
        " its items is, and open while an item is not rated, or none is right and one is tied. Its"
        " EM and F1 need no rating: they are those of SQuAD 1.1, of its text with all references of"
        " its question. Its score under another metric is the best of its items that have a label."
        " Of several texts to a question the mean counts."
    )
    yield (
        f"Empty answers are in, {counts[EMPTY]:,} of them: they count as wrong to people and to"
        f" every metric. Open are {open_:,} answers: those that are judged stand for them, to"
        " people and to every metric but EM and F1."
    )
    if counts[EXACT]:
        yield (
            f"Answers that are a reference word for word are in, {counts[EXACT]:,} of them: they"
            " count as right to people and to every metric."
        )
    else:
        yield (
            "No answer is known here that is a reference word for word: all numbers are without"
            " such answers."
        )
