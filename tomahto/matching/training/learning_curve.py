"""How the accuracy of a trained matcher grows with the number of labels it learns from.

The documents are dealt into folds. For every number of labels a matcher is trained once for each
fold, on that many labels of the other folds, and judged by the fold. So every label is judged
once for every point of the curve, by a matcher that has seen nothing of its document.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, cluster_mean, numbered
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.matching.f1 import TokenF1
from tomahto.matching.interface import Matcher
from tomahto.matching.training.cross_validation import Trainer, tuned_threshold
from tomahto.matching.training.labelled_pairs import LabelledPair
from tomahto.types import Integers

FIRST_NUMBER = 25
REPLICATES = 1000


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
        right = self._judged(lambda training: _labelling(train(training)), labels)
        folds = [float(right[held_out].mean()) for _, held_out in self._splits]
        return CurvePoint(labels, self._accuracy(right), tuple(folds))

    def untrained(self, matcher: Matcher) -> Estimate:
        """The accuracy of a matcher as it is, on the same labels."""
        return self._accuracy(self._judged(lambda _: _labelling(matcher), None))

    def token_f1(self) -> Estimate:
        """The accuracy of token F1, with the threshold that is best on all the other folds."""
        return self._accuracy(self._judged(_tuned_token_f1, None))

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
        self, learn: Callable[[Sequence[LabelledPair]], "_Labelling"], labels: int | None
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


_Labelling = Callable[[Sequence[LabelledPair]], list[bool]]


def _labelling(matcher: Matcher, threshold: float | None = None) -> _Labelling:
    least = matcher.threshold if threshold is None else threshold
    return lambda examples: [
        score >= least for score in matcher.score([example.pair for example in examples])
    ]


def _tuned_token_f1(training: Sequence[LabelledPair]) -> _Labelling:
    scores = TokenF1().score([example.pair for example in training])
    threshold = tuned_threshold(scores, [example.correct for example in training])
    return _labelling(TokenF1(), threshold)
