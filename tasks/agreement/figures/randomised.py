"""Ratings of which a lot decided whether the rater saw the suggestion.

A rating takes part if the policy was `randomised` when it was given, and it is certain which
suggestion the lot was about: one was there when the item was claimed, and none came after it
until the rating was stored. This is asked alike of both arms, so it leaves the lot fair.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from django.db.models import Exists, OuterRef, Subquery

from tasks.agreement.figures.sides import on_sides, side_of
from tasks.models import Campaign, Suggestion, SuggestionArm, SuggestionPolicy
from tasks.votes.ratings import counted_ratings
from tomahto.raters.steering_rows import SteeringRows
from tomahto.types import Flags
from tomahto.votes.rating_rows import RatingRows

_ARMS = (SuggestionArm.BEFORE, SuggestionArm.HIDDEN)


@dataclass(frozen=True, eq=False)
class RandomisedRatings:
    """The ratings that take part, None if there is none, and how many do not.

    `steering` has them with two sides, `labels` with the labels that were given, in the order
    in which they were given; `without_suggestion` and `changed` count those for which no
    suggestion was there, or another came while the rater had the item.
    """

    steering: SteeringRows | None
    labels: RatingRows | None
    without_suggestion: int
    changed: int

    @property
    def n(self) -> int:
        return self.labels.n if self.labels else 0

    @property
    def is_shown(self) -> Flags:
        return self.steering.is_shown if self.steering else np.zeros(0, dtype=np.bool_)


class _Given(NamedTuple):
    item: int
    question: int
    rater: str
    label: str
    arm: str
    seconds: float | None
    supersedes: int | None
    is_correct: bool | None  # what was suggested when the item was claimed
    was_changed: bool


def randomised_ratings(campaign: Campaign) -> RandomisedRatings:
    """The counted ratings of the campaign that a lot decided over, by pseudonyms.

    The time of a revision is not that of the first answer, so it counts as unknown.
    """
    rows = _given(campaign)
    settled = [row for row in rows if not row.was_changed]
    kept = [row for row in settled if row.is_correct is not None]
    changed, without_suggestion = len(rows) - len(settled), len(settled) - len(kept)
    if not kept:
        return RandomisedRatings(None, None, without_suggestion, changed)
    labels = RatingRows.of(
        [(row.item, row.rater, row.label) for row in kept],
        campaign.annotation_protocol.scheme.labels,
    )
    return RandomisedRatings(_steering(campaign, labels, kept), labels, without_suggestion, changed)


def _given(campaign: Campaign) -> list[_Given]:
    """Times are compared by the database: to read them takes longer than all the rest."""
    drawn = counted_ratings(campaign).filter(
        suggestion_policy=SuggestionPolicy.RANDOMISED,
        suggestion_arm__in=_ARMS,
        assignment__isnull=False,
    )
    made = Suggestion.objects.filter(item=OuterRef("item"), matcher=OuterRef("suggestion_matcher"))
    before = made.filter(created_at__lte=OuterRef("assignment__claimed_at")).order_by("-id")
    newer = made.filter(
        created_at__gt=OuterRef("assignment__claimed_at"), created_at__lte=OuterRef("created_at")
    )
    rows = drawn.order_by("id").values_list(
        "item",
        "item__question",
        "rater__pseudonym",
        "outcome__label",
        "suggestion_arm",
        "seconds",
        "supersedes",
        Subquery(before.values("is_correct")[:1]),
        Exists(newer),
    )
    return [_Given(*row) for row in rows]


def _steering(campaign: Campaign, labels: RatingRows, kept: Sequence[_Given]) -> SteeringRows:
    seconds = [
        math.nan if row.supersedes is not None or row.seconds is None else row.seconds
        for row in kept
    ]
    return SteeringRows(
        on_sides(labels, campaign.annotation_protocol),
        np.array([row.arm == SuggestionArm.BEFORE for row in kept]),
        np.array([side_of(is_correct=bool(row.is_correct)) for row in kept], dtype=np.int64),
        np.array(seconds, dtype=np.float64),
        np.array([row.question for row in kept], dtype=np.int64),
    )
