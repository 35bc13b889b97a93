"""The agreement of a matcher's labels with people's: with an interval, on unseen questions beside
token F1 with a tuned threshold, and as the number of labels to learn from grows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, cluster_mean, drawn_weights, numbered
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.learning.files import question_of
from tomahto.learning.token_rows import sums
from tomahto.matching.f1 import TokenF1
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import Matcher
from tomahto.types import Integers

REPLICATES = 1000  # of the intervals in cfmatch.md and feather.md, too


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
    # percentile bootstrap of Σ right / Σ size over questions
    blocks = drawn_weights(len(size), 1, Bootstrap(REPLICATES, seed))
    shares = np.concatenate([(drawn @ right_per_question) / (drawn @ size) for drawn in blocks])
    low, high = np.quantile(shares, (0.025, 0.975)).tolist()
    return Accuracy(
        value=sum(right) / len(right),
        low=low,
        high=high,
        n=len(right),
        questions=len(size),
        replicates=REPLICATES,
        seed=seed,
    )


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


def cross_validate(
    examples: Sequence[LabelledPair], *, train: Trainer, folds: int, seed: int
) -> CrossValidation:
    """Trains on all folds but one, labels that one, for every fold.

    A question's examples share a fold, so no fold is judged by what its question taught.
    Raises ValueError if there are fewer than two folds or fewer questions than folds.
    """
    fold_of = question_folds(examples, folds=folds, seed=seed)
    matcher, token_f1 = np.zeros((2, len(examples)), dtype=np.bool_)
    thresholds = []
    for fold in range(folds):
        held_out = np.flatnonzero(fold_of == fold)
        rest = [examples[i] for i in np.flatnonzero(fold_of != fold).tolist()]
        judged = [examples[i] for i in held_out.tolist()]
        matcher[held_out] = _labels_by(train(rest), judged)
        thresholds.append(_f1_threshold(rest))
        token_f1[held_out] = _labels_by(TokenF1(), judged, thresholds[-1])
    right = matcher == np.array([example.correct for example in examples])
    accuracies = (np.bincount(fold_of, right) / np.bincount(fold_of)).tolist()
    pooled = Comparison(
        matcher=measure_accuracy(examples, matcher.tolist(), seed=seed),
        token_f1=measure_accuracy(examples, token_f1.tolist(), seed=seed),
        f1_thresholds=tuple(thresholds),
    )
    return CrossValidation(tuple(accuracies), sum(accuracies) / folds, pooled)


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
    matcher, threshold = train(training), _f1_threshold(training)
    return Comparison(
        matcher=measure_accuracy(unseen, _labels_by(matcher, unseen), seed=seed),
        token_f1=measure_accuracy(unseen, _labels_by(TokenF1(), unseen, threshold), seed=seed),
        f1_thresholds=(threshold,),
    )


def _labels_by(
    matcher: Matcher, examples: Sequence[LabelledPair], threshold: float | None = None
) -> list[bool]:
    """Whether it accepts each candidate, by its own threshold unless by this one."""
    least = matcher.threshold if threshold is None else threshold
    return [score >= least for score in matcher.score([example.pair for example in examples])]


def _f1_threshold(training: Sequence[LabelledPair]) -> float:
    """The threshold at which token F1 is best on these."""
    scores = TokenF1().score([example.pair for example in training])
    return tuned_threshold(scores, [example.correct for example in training])


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


FIRST_NUMBER = 25


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The accuracy after training on `labels` labels; `folds` are the accuracies of the folds.

    Where the accuracy is undefined there are no folds.
    """

    labels: int
    accuracy: Estimate
    folds: tuple[float, ...] = ()


@dataclass(frozen=True)
class LearningCurve:
    """Labelled pairs (N,), the document of each (N,), and how they are dealt into folds.

    Documents and their order within the training data are shuffled by the seed. `points` bounds
    the points of a curve that is costly to draw. Raises ValueError if the lengths differ, or for
    fewer than two folds or fewer documents than folds.
    """

    examples: Sequence[LabelledPair]
    documents: Sequence[str]
    folds: int = 5
    seed: int = 0
    points: int | None = None

    def __post_init__(self) -> None:
        if len(self.examples) != len(self.documents):
            raise ValueError(f"{len(self.examples)} pairs with {len(self.documents)} documents")
        if not 2 <= self.folds <= len(set(self.documents)):
            raise ValueError(f"{self.folds} folds of {len(set(self.documents))} documents")

    @cached_property
    def label_numbers(self) -> tuple[int, ...]:
        """25, 50, 100, … and last all that every fold leaves to train on.

        Where the points are bounded, the last, half of it, a quarter, … as many as they are.
        """
        most = min(len(training) for training, _ in self._splits)
        if self.points is not None:
            return tuple(sorted({max(1, most >> halved) for halved in range(self.points)}))
        numbers, number = [], FIRST_NUMBER
        while number < most:
            numbers.append(number)
            number *= 2
        return (*numbers, most)

    def point(self, labels: int, train: Trainer) -> CurvePoint:
        """The accuracy of matchers trained on so many labels, document by document.

        It is undefined if in some fold all of these labels are alike: nothing can be learned
        from them.
        """
        for fold, (training, _) in enumerate(self._splits, start=1):
            kinds = {example.correct for example in self._at(training[:labels])}
            if len(kinds) == 1:
                which = "correct" if kinds.pop() else "incorrect"
                reason = f"all of the first {labels} labels for fold {fold} are {which}"
                return CurvePoint(labels, undefined(reason, n=len(self.examples), seed=self.seed))
        right = self._judged(lambda training: partial(_labels_by, train(training)), labels)
        folds = [float(right[held_out].mean()) for _, held_out in self._splits]
        return CurvePoint(labels, self._accuracy(right), tuple(folds))

    def untrained(self, matcher: Matcher) -> Estimate:
        """The accuracy of a matcher as it is, on the same labels."""
        return self._accuracy(self._judged(lambda _: partial(_labels_by, matcher), None))

    def token_f1(self) -> Estimate:
        """The accuracy of token F1, with the threshold that is best on all the other folds."""
        return self._accuracy(
            self._judged(
                lambda training: partial(_labels_by, TokenF1(), threshold=_f1_threshold(training)),
                None,
            )
        )

    @cached_property
    def _document_numbers(self) -> Integers:
        """For each example the number of its document, from 0 in order of first occurrence."""
        return numbered(self.documents)

    @cached_property
    def _splits(self) -> list[tuple[Integers, Integers]]:
        """For each fold the places of what is trained on, in that order, and of what is judged."""
        number = self._document_numbers
        rank = np.random.default_rng(self.seed).permutation(int(number.max()) + 1)
        order = np.argsort(rank[number], kind="stable")
        fold_of = rank[number] % self.folds
        return [
            (order[fold_of[order] != fold], np.flatnonzero(fold_of == fold))
            for fold in range(self.folds)
        ]

    def _at(self, places: Integers) -> list[LabelledPair]:
        return [self.examples[place] for place in places.tolist()]

    def _judged(
        self,
        learn: Callable[[Sequence[LabelledPair]], Callable[[Sequence[LabelledPair]], list[bool]]],
        labels: int | None,
    ) -> Integers:
        """For each example 1 if it was labelled as people did when its fold was held out."""
        right = np.zeros(len(self.examples), dtype=np.int64)
        for training, held_out in self._splits:
            given = learn(self._at(training[:labels]))
            judged = self._at(held_out)
            own = np.array([example.correct for example in judged])
            right[held_out] = own == given(judged)
        return right

    def _accuracy(self, right: Integers) -> Estimate:
        """The share of right ones, with an interval by a bootstrap over documents."""
        return cluster_mean(right, self._document_numbers, Bootstrap(REPLICATES, self.seed))
