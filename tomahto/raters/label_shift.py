"""How much more often each label is given where something is shown than where it is hidden.

The interval counts ratings of one rater and of one item as dependent
(`tomahto.estimates.two_way_clusters`), with the same least variance as in
`tomahto.raters.steering`.
"""

from dataclasses import dataclass

from tomahto.estimates.bootstrap import CONFIDENCE
from tomahto.estimates.estimate import Estimate
from tomahto.estimates.two_way_clusters import Clusters
from tomahto.raters.steering import share_difference
from tomahto.types import Flags, Floats
from tomahto.votes.rating_rows import RatingRows


@dataclass(frozen=True, slots=True)
class LabelShift:
    """The share of the ratings of either arm that have a label, None for an arm without one.

    `difference` is the share shown less that hidden. The intervals of all labels hold together
    (Bonferroni).
    """

    label: str
    shown: float | None
    hidden: float | None
    difference: Estimate


def label_shifts(
    ratings: RatingRows, is_shown: Flags, *, confidence: float = CONFIDENCE
) -> tuple[LabelShift, ...]:
    """The shift of every label, in the order of the ratings' `label_names`; `is_shown` (N,)."""
    clusters = Clusters(ratings.raters, ratings.items)
    together = 1 - (1 - confidence) / len(ratings.label_names)
    shifts = []
    for place, label in enumerate(ratings.label_names):
        has = (ratings.labels == place).astype(float)
        shifts.append(
            LabelShift(
                label,
                _share(has[is_shown]),
                _share(has[~is_shown]),
                share_difference(has, is_shown, clusters, confidence=together)[0],
            )
        )
    return tuple(shifts)


def _share(has: Floats) -> float | None:
    return float(has.mean()) if len(has) else None
