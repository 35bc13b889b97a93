"""The fit of given classes to people's labels: accuracy and quadratic kappa, with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tomahto.estimates.bootstrap import (
    Bootstrap,
    drawn_weights,
    numbered,
    percentile_estimate,
    ratio,
)
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.reliability.chance_corrected import KappaWeights, disagreement_weights, kappa_of_counts
from tomahto.types import Floats, Integers
from tomahto.votes.scheme import LabelScheme


@dataclass(frozen=True, eq=False)
class ClassAgreement:
    """Items by label and given class: `cells` (N,) are places in a table (K, K) row by row.

    `questions` (N,) numbers the questions from 0; the bootstrap draws questions.
    """

    scheme: LabelScheme
    cells: Integers
    questions: Integers
    bootstrap: Bootstrap

    @classmethod
    def of(
        cls,
        labels: Sequence[str],
        given: Sequence[str],
        questions: Sequence[object],
        scheme: LabelScheme,
        bootstrap: Bootstrap,
    ) -> "ClassAgreement":
        """From one label, class and question per item; equal questions are one.

        Raises ValueError if they differ in number or there is none, and KeyError for a class that
        is not in the scheme.
        """
        if not labels:
            raise ValueError("there is no item with a class")
        index_of, width = scheme.index_of, len(scheme.labels)
        cells = [
            index_of[label] * width + index_of[other]
            for label, other, _ in zip(labels, given, questions, strict=True)
        ]
        return cls(scheme, np.array(cells, dtype=np.int64), numbered(questions), bootstrap)

    @property
    def n(self) -> int:
        return len(self.cells)

    @cached_property
    def confusion(self) -> Integers:
        """Items by label (rows) and given class (columns), in the order of the scheme (K, K)."""
        width = len(self.scheme.labels)
        return np.bincount(self.cells, minlength=width**2).reshape(width, width)

    def accuracy(self) -> Estimate:
        """The share of items given their label; `n` is the number of items."""
        value = Estimate(value=float(np.trace(self.confusion) / self.n), n=self.n)
        right = np.trace(self._drawn, axis1=1, axis2=2)
        return self._estimate(value, ratio(right, self._drawn.sum(axis=(1, 2))))

    def quadratic_kappa(self) -> Estimate:
        """With the squared distance of ranks."""
        return self.kappa("quadratic")

    def kappa(self, weights: KappaWeights) -> Estimate:
        """Cohen's kappa (`tomahto.reliability.chance_corrected.cohen_kappa`)."""
        value = kappa_of_counts(self.confusion.astype(np.float64), self.scheme, weights)
        cost = disagreement_weights(self.scheme, weights)
        rows, columns = self._drawn.sum(axis=2), self._drawn.sum(axis=1)
        observed = self._drawn.sum(axis=(1, 2)) * (self._drawn * cost).sum(axis=(1, 2))
        expected = np.einsum("ra,ab,rb->r", rows, cost, columns)
        return self._estimate(value, 1 - ratio(observed, expected))

    def recall(self, label: str) -> Estimate:
        """The share of the `n` items of a label that are given it."""
        place = self.scheme.index_of[label]
        n = int(self.confusion[place].sum())
        if not n:
            return undefined(f"no item is {label}", n=0, seed=self.bootstrap.seed)
        value = Estimate(value=float(self.confusion[place, place] / n), n=n)
        rows = self._drawn[:, place]
        return self._estimate(value, ratio(rows[:, place], rows.sum(axis=1)))

    def _estimate(self, value: Estimate, drawn: Floats) -> Estimate:
        if value.value is None:
            return replace(value, seed=self.bootstrap.seed)
        return percentile_estimate(
            value.value,
            drawn if len(drawn) else None,
            n=value.n,
            clusters=self._clusters,
            bootstrap=self.bootstrap,
        )

    @property
    def _clusters(self) -> int:
        return int(self.questions.max()) + 1

    @cached_property
    def _drawn(self) -> Floats:
        """The confusion of every replicate (R, K, K); none if there is one question."""
        clusters, width = self._clusters, len(self.scheme.labels)
        if clusters == 1:
            return np.empty((0, width, width))
        of_question = np.zeros((clusters, width**2))
        np.add.at(of_question, (self.questions, self.cells), 1)
        blocks = drawn_weights(clusters, width**2, self.bootstrap)
        drawn: Floats = np.concatenate([block @ of_question for block in blocks])
        return drawn.reshape(-1, width, width)
