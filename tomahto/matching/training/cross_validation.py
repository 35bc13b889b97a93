"""The accuracy to expect on unseen questions, beside token F1 with a tuned threshold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tomahto.learning.examples import question_of
from tomahto.learning.sparse_matrix import sums
from tomahto.matching.f1 import TokenF1
from tomahto.matching.interface import Matcher
from tomahto.matching.training.accuracy import Accuracy, measure_accuracy, question_numbers
from tomahto.matching.training.labelled_pairs import LabelledPair
from tomahto.types import Integers

Trainer: TypeAlias = Callable[[Sequence[LabelledPair]], Matcher]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A trained matcher and the baseline on the same examples, none of them trained on.

    `f1_thresholds` were tuned on what the matcher was trained on, one per training.
    """

    matcher: Accuracy
    token_f1: Accuracy
    f1_thresholds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Accuracy per fold, the mean of the folds, and the accuracies of all folds together."""

    folds: tuple[float, ...]
    mean: float
    pooled: Comparison


@dataclass(frozen=True, slots=True)
class _Judgements:
    """Labels of matcher and baseline, in the order of the examples they were given for."""

    matcher: list[bool]
    token_f1: list[bool]
    f1_threshold: float


def cross_validate(
    examples: Sequence[LabelledPair], *, train: Trainer, folds: int, seed: int
) -> CrossValidation:
    """Trains on all folds but one, labels that one, for every fold.

    A question's examples share a fold, so no fold is judged by what its question taught.
    Raises ValueError if there are fewer than two folds or fewer questions than folds.
    """
    fold_of = question_folds(examples, folds=folds, seed=seed)
    matcher, token_f1 = [False] * len(examples), [False] * len(examples)
    thresholds = []
    for fold in range(folds):
        held_out = np.flatnonzero(fold_of == fold).tolist()
        rest = [examples[i] for i in np.flatnonzero(fold_of != fold).tolist()]
        judged = _judge(rest, [examples[i] for i in held_out], train)
        thresholds.append(judged.f1_threshold)
        for place, by_matcher, by_f1 in zip(held_out, judged.matcher, judged.token_f1, strict=True):
            matcher[place], token_f1[place] = by_matcher, by_f1
    accuracies = _accuracy_per_fold(examples, matcher, fold_of)
    pooled = Comparison(
        matcher=measure_accuracy(examples, matcher, seed=seed),
        token_f1=measure_accuracy(examples, token_f1, seed=seed),
        f1_thresholds=tuple(thresholds),
    )
    return CrossValidation(accuracies, sum(accuracies) / folds, pooled)


def compare(
    training: Sequence[LabelledPair],
    test: Sequence[LabelledPair],
    *,
    train: Trainer,
    seed: int,
) -> Comparison:
    """Both matchers on a test set after training (or tuning) on another set.

    Test examples whose question occurs in the training set are left out; `matcher.n` tells how
    many stayed. Raises ValueError if none did.
    """
    known = {question_of(example) for example in training}
    unseen = [example for example in test if question_of(example) not in known]
    judged = _judge(training, unseen, train)
    return Comparison(
        matcher=measure_accuracy(unseen, judged.matcher, seed=seed),
        token_f1=measure_accuracy(unseen, judged.token_f1, seed=seed),
        f1_thresholds=(judged.f1_threshold,),
    )


def question_folds(examples: Sequence[LabelledPair], *, folds: int, seed: int) -> Integers:
    """For each example its fold, from 0. Folds differ by at most one question."""
    question = question_numbers(examples)
    n_questions = len(set(question.tolist()))
    if not 2 <= folds <= n_questions:
        raise ValueError(f"{folds} folds of {n_questions} questions")
    fold_of_question = np.random.default_rng(seed).permutation(n_questions) % folds
    fold_of: Integers = fold_of_question[question]
    return fold_of


def tuned_threshold(scores: Sequence[float], correct: Sequence[bool]) -> float:
    """The observed score that, as a threshold, gives the highest accuracy.

    Of equally good ones the lowest. A threshold above all scores is not considered: it would
    call nothing correct.
    """
    ascending = sorted(set(scores))
    column = {score: place for place, score in enumerate(ascending)}
    gains = np.zeros(len(ascending))
    for score, is_correct in zip(scores, correct, strict=True):
        gains[column[score]] += 1 if is_correct else -1
    # Right labels at threshold t = const + Σ over scores >= t of (correct − incorrect).
    right = np.cumsum(gains[::-1])[::-1]
    return ascending[int(np.argmax(right))]


def _judge(
    training: Sequence[LabelledPair], test: Sequence[LabelledPair], train: Trainer
) -> _Judgements:
    matcher, baseline = train(training), TokenF1()
    threshold = tuned_threshold(
        baseline.score([example.pair for example in training]),
        [example.correct for example in training],
    )
    pairs = [example.pair for example in test]
    return _Judgements(
        matcher=[score >= matcher.threshold for score in matcher.score(pairs)],
        token_f1=[score >= threshold for score in baseline.score(pairs)],
        f1_threshold=threshold,
    )


def _accuracy_per_fold(
    examples: Sequence[LabelledPair], labels: Sequence[bool], fold_of: Integers
) -> tuple[float, ...]:
    right = [example.correct == label for example, label in zip(examples, labels, strict=True)]
    size = np.bincount(fold_of)
    per_fold = sums(fold_of, np.array(right, dtype=np.int64), len(size)) / size
    return tuple(per_fold.tolist())
