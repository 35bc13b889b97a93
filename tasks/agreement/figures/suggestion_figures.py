"""Whether the suggestion steers the raters: both arms, their difference, and what it means.

A matcher says correct or not, whatever the labels of the protocol: labels and suggestions meet on
these two sides. A rating agrees with a suggestion if its label is on the suggested side.

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

from tasks.agreement.figures.agreement_figures import in_full
from tasks.models import Campaign, Suggestion, SuggestionArm, SuggestionPolicy
from tasks.protocols.definition import AnnotationProtocol
from tasks.votes.blindness import known_looks
from tasks.votes.ratings import counted_ratings
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.raters.steering import (
    MARGIN,
    LabelShift,
    SteeringEffect,
    label_shifts,
    steering_conclusion,
    steering_report,
)
from tomahto.raters.steering_rows import SteeringRows
from tomahto.types import Flags, JsonObject
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme

MIN_DRAWS = 2000
_DRAWS_PER_LEVEL = 4  # so that the smallest p-value lies well below the level


@dataclass(frozen=True, slots=True)
class Chance:
    """The level of a look, and the seed of what is drawn."""

    level: float
    seed: int

    @property
    def draws(self) -> Bootstrap:
        return Bootstrap(max(MIN_DRAWS, round(_DRAWS_PER_LEVEL / self.level)), self.seed)


CORRECT, INCORRECT = "correct", "not-correct"
SIDES = LabelScheme((CORRECT, INCORRECT), (1, 0))


def side_of(*, is_correct: bool) -> int:
    return SIDES.index_of[CORRECT if is_correct else INCORRECT]


def on_sides(ratings: RatingRows, protocol: AnnotationProtocol) -> RatingRows:
    """The ratings with the sides of their labels as labels."""
    sides = [side_of(is_correct=name in protocol.correct_labels) for name in ratings.label_names]
    return RatingRows(
        ratings.items,
        ratings.raters,
        np.array(sides, dtype=np.int64)[ratings.labels],
        ratings.rater_names,
        SIDES.labels,
    )


FINDING = "steering"
REPLICATES = 1000


def suggestion_figures(campaign: Campaign) -> JsonObject:
    """Both arms overall, by suggested side and by label, and what the looks have found.

    The figures describe what is there now; the looks are the tests. "left_out" counts the
    counted ratings that take no part, by the reason.
    """
    drawn = randomised_ratings(campaign)
    left_out = {
        "without_suggestion": drawn.without_suggestion,
        "suggestion_changed": drawn.changed,
    }
    others = counted_ratings(campaign).count() - drawn.n - sum(left_out.values())
    return {
        "policy": campaign.suggestions,
        "matcher": campaign.suggestion_matcher,
        "ratings": drawn.n,
        "left_out": {"not_by_lot": others, **left_out},
        "margin": MARGIN,
        **_effects(campaign, drawn),
        "looks": _looks(campaign),
    }


def steering_finding(campaign: Campaign, chance: Chance) -> JsonObject:
    """The conclusion that the look allows on the difference between the arms, over all
    suggestions."""
    steering = randomised_ratings(campaign).steering
    if steering is None:
        return {
            "verdict": "undefined",
            "reason": "no rating was given while the suggestion was shown at random",
            "ratings": 0,
        }
    found = steering_conclusion(steering, confidence=1 - chance.level)
    return {
        "verdict": found.verdict,
        "bound": found.bound,
        "margin": found.margin,
        "ratings": steering.ratings.n,
        "difference": _with_confidence(found.difference),
        "minimum_detectable": found.minimum_detectable,
        **({"reason": found.difference.reason} if found.difference.reason else {}),
    }


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


def _effects(campaign: Campaign, drawn: RandomisedRatings) -> JsonObject:
    if drawn.steering is None or drawn.labels is None:
        return {"overall": None, "by_side": [], "labels": []}
    report = steering_report(drawn.steering, SIDES, bootstrap=Bootstrap(REPLICATES, campaign.seed))
    return {
        "overall": _effect(report.overall),
        "by_side": [_effect(effect) for effect in report.by_label],
        "labels": [_shift(shift) for shift in label_shifts(drawn.labels, drawn.is_shown)],
    }


def _effect(effect: SteeringEffect) -> JsonObject:
    return {
        "suggested": effect.label,
        "shown": in_full(effect.shown),
        "hidden": in_full(effect.hidden),
        "difference": _with_confidence(effect.difference),
        "minimum_detectable": effect.minimum_detectable,
        "time_ratio": estimate_as_json(effect.time_ratio),
    }


def _shift(shift: LabelShift) -> JsonObject:
    return {
        "label": shift.label,
        "shown": shift.shown,
        "hidden": shift.hidden,
        "difference": _with_confidence(shift.difference),
    }


def _with_confidence(estimate: Estimate) -> JsonObject:
    return {**estimate_as_json(estimate), "confidence": estimate.confidence}


def _looks(campaign: Campaign) -> list[JsonObject]:
    """The findings of every look, the newest first; looks from before the test was there are not
    listed."""
    looks = [look.as_json() for look in known_looks(campaign)]
    return [
        {
            "number": look["number"],
            "ratings_counted": look["ratings"],
            "level": look["level"],
            "made_at": look["made_at"].isoformat(),
            **look["findings"][FINDING],
        }
        for look in looks
        if FINDING in look["findings"]
    ]


_ARMS = (SuggestionArm.BEFORE, SuggestionArm.HIDDEN)


class _DrawnRating(NamedTuple):
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
    rows = _drawn_ratings(campaign)
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


def _drawn_ratings(campaign: Campaign) -> list[_DrawnRating]:
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
    return [_DrawnRating(*row) for row in rows]


def _steering(campaign: Campaign, labels: RatingRows, kept: Sequence[_DrawnRating]) -> SteeringRows:
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
