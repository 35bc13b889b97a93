"""How often a matcher's labels are those that people gave, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, drawn_weights, numbered
from tomahto.learning.examples import question_of
from tomahto.learning.sparse_matrix import sums
from tomahto.matching.training.labelled_pairs import LabelledPair
from tomahto.types import Floats, Integers

REPLICATES = 1000
_INTERVAL = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of `n` examples labelled as people did, and its 95 % bootstrap interval.

    The interval resamples questions, not examples: answers to one question are judged alike.
    `replicates` samples were drawn with `seed`.
    """

    value: float
    low: float
    high: float
    n: int
    questions: int
    replicates: int
    seed: int


def question_numbers(examples: Sequence[LabelledPair]) -> Integers:
    """For each example the number of its question, from 0 in order of first occurrence."""
    return numbered([question_of(example) for example in examples])


def measure_accuracy(
    examples: Sequence[LabelledPair], labels: Sequence[bool], *, seed: int
) -> Accuracy:
    """Compares the labels with the examples' own. Raises ValueError without examples."""
    if not examples:
        raise ValueError("the accuracy of no examples is undefined")
    question = question_numbers(examples)
    size = np.bincount(question)
    right = [example.correct == label for example, label in zip(examples, labels, strict=True)]
    right_per_question = sums(question, np.array(right, dtype=np.int64), len(size))
    low, high = _interval(right_per_question, size, seed)
    return Accuracy(
        value=sum(right) / len(right),
        low=low,
        high=high,
        n=len(right),
        questions=len(size),
        replicates=REPLICATES,
        seed=seed,
    )


def _interval(right: Floats, size: Integers, seed: int) -> tuple[float, float]:
    """Percentile bootstrap of Σ right / Σ size over questions."""
    blocks = drawn_weights(len(size), 1, Bootstrap(REPLICATES, seed))
    values = [(weights @ right) / (weights @ size) for weights in blocks]
    low, high = np.quantile(np.concatenate(values), _INTERVAL)
    return float(low), float(high)
