"""Thresholds that turn a score into one of several ordered classes (CAP §8.2).

Chosen on the items they are judged on, thresholds would flatter a matcher. So for the classes that
it would have called items whose labels it did not see (`suggested_classes`), the items are dealt
into folds, all of a group (a document) together, and the thresholds for a fold come from the other
folds.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from tomahto.reliability.chance_corrected import kappa_of_counts
from tomahto.types import Floats
from tomahto.votes.scheme import LabelScheme

Objective = Literal["accuracy", "quadratic-kappa"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
_Cuts: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class ClassThresholds:
    """For each class that is ever given, the lowest score that gets it; classes and scores ascend.

    `value` is what the objective came to on the `n` examples the thresholds were chosen for: the
    best that any thresholds reach on them, and more than to expect on others.

    Raises ValueError if the scores do not ascend.
    """

    starts: tuple[tuple[str, float], ...]
    objective: Objective
    value: float
    n: int

    def __post_init__(self) -> None:
        if not self.starts:
            raise ValueError("starts: no class")
        scores = [score for _, score in self.starts]
        if any(low >= high for low, high in pairwise(scores)):
            raise ValueError(f"starts: {scores} do not ascend")

    def class_of(self, score: float) -> str:
        """The highest class that begins at or below the score, or else the lowest class."""
        label = self.starts[0][0]
        for higher, start in self.starts[1:]:
            if score < start:
                break
            label = higher
        return label

    @classmethod
    def from_json(cls, values: Any) -> "ClassThresholds":
        """From the output of `as_json`. Raises ValueError, naming the field."""
        match values:
            case {"classes": [*rows], "objective": objective, "value": value, "n": n}:
                if objective not in OBJECTIVES:
                    raise ValueError(f"objective: is not one of {', '.join(OBJECTIVES)}")
                return cls(tuple(map(_start, rows)), objective, value, n)
        raise ValueError("lacks some of the fields classes, objective, value and n")

    def as_json(self) -> dict[str, Any]:
        return {
            "objective": self.objective,
            "value": self.value,
            "n": self.n,
            "classes": [{"class": label, "from": score} for label, score in self.starts],
        }


def _start(row: Any) -> tuple[str, float]:
    match row:
        case {"class": str(label), "from": int() | float() as score}:
            return label, float(score)
    raise ValueError(f"classes: {row!r} is not a class with its lowest score")


def calibrate_classes(
    scores: Sequence[float],
    labels: Sequence[str],
    scheme: LabelScheme,
    objective: Objective = "accuracy",
) -> ClassThresholds:
    """The thresholds that give most examples their label, or the highest quadratic kappa.

    The scheme lists its labels from best to worst; the classes of rising scores are its labels in
    reverse. Among equally accurate thresholds those win whose wrong classes are nearest in rank
    (squared). A class may get no scores at all. A threshold lies halfway between two scores.
    Raises ValueError without examples, for a label that is not in the scheme, and where kappa is
    undefined because all labels have one rank.
    """
    if not scores:
        raise ValueError("thresholds need at least one example")
    examples = _Examples.of(scores, labels, scheme)
    if objective == "accuracy":
        cuts = examples.cuts_of_highest_accuracy()
    else:
        cuts = examples.cuts_of_highest_kappa()
    return ClassThresholds(
        starts=examples.starts(cuts),
        objective=objective,
        value=examples.value(cuts, objective),
        n=len(scores),
    )


@dataclass(frozen=True)
class _Examples:
    """Labels by distinct score: `counts[s, k]` examples of the s-th lowest score have class k.

    Classes are numbered from worst to best. Cuts say where classes 1, 2, … begin, as the number
    of distinct scores below.
    """

    classes: tuple[str, ...]
    scheme: LabelScheme
    scores: Floats
    counts: Floats

    @classmethod
    def of(cls, scores: Sequence[float], labels: Sequence[str], scheme: LabelScheme) -> "_Examples":
        classes = scheme.labels[::-1]
        number_of = {label: number for number, label in enumerate(classes)}
        if unknown := sorted(set(labels) - set(classes)):
            raise ValueError(f"{unknown[0]!r} is not one of {', '.join(scheme.labels)}")
        distinct, place = np.unique(np.asarray(scores, dtype=np.float64), return_inverse=True)
        counts = np.zeros((len(distinct), len(classes)))
        np.add.at(counts, (place, np.array([number_of[label] for label in labels])), 1)
        return cls(classes, scheme, distinct, counts)

    def best_cuts(self, gains: Floats) -> _Cuts:
        """The cuts of the highest sum of `gains[s, k]`, the gain of giving score s the class k.

        Dynamic programming over the classes: with classes 0 … k on the s lowest scores, the best
        is the best of classes 0 … k - 1 on some of them and class k on the rest. Among equals a
        class begins as low as it can.
        """
        sums = np.vstack([np.zeros(len(self.classes)), np.cumsum(gains, axis=0)])
        best, begins = sums[:, 0], []
        for number in range(1, len(self.classes)):
            without = best - sums[:, number]
            highest = np.maximum.accumulate(without)
            is_new = np.concatenate([[True], without[1:] > highest[:-1]])
            begins.append(np.maximum.accumulate(np.where(is_new, np.arange(len(without)), 0)))
            best = highest + sums[:, number]
        cuts, end = [], len(self.scores)
        for begin in reversed(begins):
            end = int(begin[end])
            cuts.append(end)
        return tuple(reversed(cuts))

    def cuts_of_highest_accuracy(self) -> _Cuts:
        """Distance of ranks decides ties alone: all of it together weighs less than one hit."""
        distance = self._observed()
        weight = 1 / (1 + distance.max(axis=1).sum())
        return self.best_cuts(self.counts - weight * distance)

    def cuts_of_highest_kappa(self) -> _Cuts:
        """Dinkelbach's method (1967) for the ratio in kappa = 1 - observed / expected.

        With t and p the ranks of label and class, observed = Σ (t - p)² and expected =
        Σ (t² + p² - 2 mean(t) p). For a given ratio r, observed - r · expected is a sum over the
        examples, which `best_cuts` minimises; at the lowest possible r that minimum is 0.
        """
        ranks = self._ranks()
        per_class = self.counts.sum(axis=0)
        mean = float(per_class @ ranks / per_class.sum())
        if np.ptp(ranks[per_class > 0]) == 0:
            raise ValueError("kappa is undefined: all labels have one rank")
        observed = self._observed()
        examples = self.counts.sum(axis=1)[:, np.newaxis]
        expected = (self.counts @ ranks**2)[:, np.newaxis] + examples * (
            ranks**2 - 2 * mean * ranks
        )
        cuts = self.best_cuts(self.counts)
        while True:
            ratio = self._total(observed, cuts) / self._total(expected, cuts)
            better = self.best_cuts(ratio * expected - observed)
            if self._total(observed, better) / self._total(expected, better) >= ratio:
                return cuts
            cuts = better

    def _ranks(self) -> Floats:
        return np.array([self.scheme.rank_of[label] for label in self.classes], dtype=np.float64)

    def _observed(self) -> Floats:
        """The squared distance in rank if the s-th score gets class k, summed over its examples."""
        ranks = self._ranks()
        squared: Floats = (ranks[:, np.newaxis] - ranks) ** 2
        return self.counts @ squared

    def starts(self, cuts: _Cuts) -> tuple[tuple[str, float], ...]:
        ends = [*cuts, len(self.scores)]
        return tuple(
            (label, self._threshold(begin))
            for label, begin, end in zip(self.classes, (0, *cuts), ends, strict=True)
            if begin < end
        )

    def value(self, cuts: _Cuts, objective: Objective) -> float:
        if objective == "accuracy":
            return self._total(self.counts, cuts) / float(self.counts.sum())
        joint = np.zeros((len(self.classes), len(self.classes)))
        np.add.at(joint.T, self._classes_given(cuts), self.counts)
        # in the scheme's order, which is the reverse
        kappa = kappa_of_counts(joint[::-1, ::-1], self.scheme, "quadratic").value
        assert kappa is not None  # noqa: S101 - labels of two ranks define it
        return kappa

    def _classes_given(self, cuts: _Cuts) -> list[int]:
        places = np.arange(len(self.scores))
        given: list[int] = np.searchsorted(cuts, places, side="right").tolist()
        return given

    def _total(self, gains: Floats, cuts: _Cuts) -> float:
        return float(gains[np.arange(len(self.scores)), self._classes_given(cuts)].sum())

    def _threshold(self, place: int) -> float:
        if place == 0:
            return min(0.0, float(self.scores[0]))
        below, score = float(self.scores[place - 1]), float(self.scores[place])
        middle = (below + score) / 2
        return middle if middle > below else score  # there may be no number between them


FOLDS = 5


class NoThresholds(ValueError):
    """There are too few items, groups or labels to choose thresholds from."""


def suggested_classes(
    scores: Floats, labels: Sequence[str], groups: Sequence[str], scheme: LabelScheme
) -> tuple[str, ...]:
    """The class of each score (N,), by thresholds of the highest quadratic kappa on other groups.

    A group's fold follows from its name alone. Raises NoThresholds, saying why, if a fold leaves
    nothing to choose thresholds from: no item of another fold, or none of another rank.
    """
    if not len(scores):
        raise NoThresholds("no item has a label and a score")
    fold_of = {group: _fold(group) for group in set(groups)}
    folds = np.array([fold_of[group] for group in groups])
    names = np.array(labels, dtype=np.object_)
    classes = np.empty_like(names)
    for fold in np.unique(folds):
        rest, own = folds != fold, folds == fold
        if len({scheme.rank_of[label] for label in names[rest]}) < 2:
            raise NoThresholds("the labels of other documents are too few for thresholds")
        thresholds = calibrate_classes(
            scores[rest].tolist(), names[rest].tolist(), scheme, "quadratic-kappa"
        )
        classes[own] = [thresholds.class_of(score) for score in scores[own].tolist()]
    return tuple(classes.tolist())


def _fold(group: str) -> int:
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:8]) % FOLDS
