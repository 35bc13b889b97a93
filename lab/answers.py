"""Systems' answers, made of the items that were judged, and what people and metrics say of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lab.judged import JudgedData
from lab.metric_notes import metric_names
from lab.scores import Floats, MetricScores
from measures.system_scores import AnswerScores

PEOPLE = "people"
F1 = "f1"
MEAN = " mean score"


class Answer(NamedTuple):
    """A candidate that a system gave to a question.

    `items` are places in the data: for `ae` an item for every reference it was compared with. An
    answer without items is a reference word for word.
    """

    system: str
    question_id: str
    candidate: str
    items: tuple[int, ...]

    @property
    def is_exact(self) -> bool:
        return not self.items


def rated_answers(data: JudgedData) -> list[Answer]:
    """The answers that people judged, in the order of their first items."""
    items: dict[tuple[str, str, str], list[int]] = {}
    for place, item in enumerate(data.items):
        for system, question in data.answered(item):
            items.setdefault((system, question, item.candidate), []).append(place)
    return [Answer(*answer, tuple(places)) for answer, places in items.items()]


def exact_answers(data: JudgedData) -> list[Answer]:
    return [
        Answer(answer.system, answer.question_id, answer.candidate, ())
        for answer in data.exact or ()
    ]


def judges(data: JudgedData, scores: Sequence[MetricScores]) -> dict[str, Floats]:
    """What each judge says of every item (I,): people, and each metric by its decisions.

    Token F1 is a judge twice, as papers report its mean score (Bulian 2022, Tab. 6). Raises
    ValueError if a metric has the name of another judge.
    """
    said = {PEOPLE: np.array([item.is_right for item in data.items], dtype=np.float64)}
    for name, metric in zip(metric_names(scores), scores, strict=True):
        if name in said:
            raise ValueError(f"two judges are called {name}")
        said[name] = (metric.scores >= metric.threshold).astype(np.float64)
        if metric.metric == F1:
            said[f"{name}{MEAN}"] = metric.scores
    return said


def best_values(items: Floats, answers: Sequence[Answer]) -> Floats:
    """The best of each answer's items (A,), from values of the items (I,); 1 for exact answers.

    So an answer is right if any of its items is.
    """
    return np.array(
        [1.0 if answer.is_exact else items[list(answer.items)].max() for answer in answers]
    )


def answer_scores(values: Mapping[str, Floats], answers: Sequence[Answer]) -> AnswerScores:
    """From each judge's values of the answers (A,). Raises ValueError if there is no answer."""
    return AnswerScores.of(
        values,
        [answer.system for answer in answers],
        [answer.question_id for answer in answers],
    )


def answer_notes(data: JudgedData) -> Iterator[str]:
    """What an answer is, and whether exact ones are in."""
    yield (
        "An answer is a candidate that a system gave to a question. It is right if any of its items"
        " is, and its score under a metric is the best of its items. Answers that nobody has judged"
        " are not in."
    )
    if data.exact is None:
        yield (
            "No answer is known here that is a reference word for word: all numbers are of rated"
            " answers alone."
        )
    else:
        yield (
            f"Answers that are a reference word for word are in, {len(data.exact):,} of them: they"
            " count as right to people and to every metric."
        )
