"""Scores as classes: what a matcher would have called items whose labels it did not see.

A score becomes a class by thresholds (`tomahto.classes.thresholds`). Chosen on the items they are
judged on, thresholds would flatter the matcher. So the items are dealt into folds, all of a group
(a document) together, and the thresholds for a fold come from the other folds.
"""

import hashlib
from collections.abc import Sequence

from tomahto.classes.thresholds import calibrate_classes
from tomahto.votes.scheme import LabelScheme

FOLDS = 5


class NoThresholds(ValueError):
    """There are too few items, groups or labels to choose thresholds from."""


def suggested_classes(
    scores: Sequence[float], labels: Sequence[str], groups: Sequence[str], scheme: LabelScheme
) -> tuple[str, ...]:
    """The class of each score, by thresholds of the highest quadratic kappa on other groups.

    A group's fold follows from its name alone. Raises NoThresholds, saying why, if a fold leaves
    nothing to choose thresholds from: no item of another fold, or none of another rank.
    """
    if not scores:
        raise NoThresholds("no item has a label and a score")
    folds = [_fold(group) for group in groups]
    found: dict[int, str] = {}
    for fold in sorted(set(folds)):
        rest = [place for place, other in enumerate(folds) if other != fold]
        if len({scheme.rank_of[labels[place]] for place in rest}) < 2:
            raise NoThresholds("the labels of other documents are too few for thresholds")
        thresholds = calibrate_classes(
            [scores[place] for place in rest],
            [labels[place] for place in rest],
            scheme,
            "quadratic-kappa",
        )
        places = [place for place, other in enumerate(folds) if other == fold]
        found |= {place: thresholds.class_of(scores[place]) for place in places}
    return tuple(found[place] for place in range(len(scores)))


def _fold(group: str) -> int:
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:8]) % FOLDS
