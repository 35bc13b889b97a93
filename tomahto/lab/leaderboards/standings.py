"""A leaderboard: what every metric says of all submissions, worked out over the same questions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.lab.leaderboards.leaderboard import LeaderboardMetric
from tomahto.ranking.rank_sets import RankSet, standing
from tomahto.types import Floats

_DECIMALS = 4  # of published shares of replicates


@dataclass(frozen=True, eq=False)
class Row:
    """A submission by its number, with its scores (Q,) by metric."""

    number: int
    scores: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a submission. Rows of one `group` cannot be put in an order as a whole.

    `better` is the share of replicates in which it is ahead of each other submission, by number.
    Ranks, group and shares are missing where the metric puts nobody in an order.
    """

    number: int
    mean: Estimate
    ranks: RankSet | None
    group: int | None
    better: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class MetricStanding:
    """The submissions that have a score under the metric, highest mean first."""

    metric: LeaderboardMetric
    places: tuple[Place, ...]

    def as_json(self) -> dict[str, Any]:
        """Keys are texts, so that a database's JSON gives back what it was given."""
        return {
            **asdict(self.metric),
            "places": [
                {
                    "submission": place.number,
                    "mean": estimate_as_json(place.mean),
                    "ranks": [place.ranks.first, place.ranks.last] if place.ranks else None,
                    "group": place.group,
                    "better": {str(number): share for number, share in place.better.items()},
                }
                for place in self.places
            ],
        }


def standings(
    metrics: Sequence[LeaderboardMetric], rows: Sequence[Row], bootstrap: Bootstrap
) -> tuple[MetricStanding, ...]:
    """Every metric over the rows that have it. The order of equal means is that of the rows."""
    return tuple(_standing(metric, rows, bootstrap) for metric in metrics)


def _standing(
    metric: LeaderboardMetric, rows: Sequence[Row], bootstrap: Bootstrap
) -> MetricStanding:
    scored = [row for row in rows if metric.key in row.scores]
    if not scored:
        return MetricStanding(metric, ())
    found = standing(np.stack([row.scores[metric.key] for row in scored], axis=1), bootstrap)
    group_of = {
        place: number for number, group in enumerate(found.groups, start=1) for place in group
    }
    order = [place for group in found.groups for place in group]
    shares = np.round(found.better, _DECIMALS)
    return MetricStanding(
        metric,
        tuple(
            Place(
                number=scored[place].number,
                mean=found.means[place],
                ranks=found.rank_sets[place] if metric.is_ranked else None,
                group=group_of[place] if metric.is_ranked else None,
                better={
                    scored[other].number: float(shares[place, other])
                    for other in order
                    if other != place and metric.is_ranked
                },
            )
            for place in order
        ),
    )
