"""Whether the suggestion steers the raters: both arms, their difference, and what it means.

A matcher says correct or not, whatever the labels of the protocol: labels and suggestions meet on
these two sides. A rating agrees with a suggestion if its label is on the suggested side.

A rating takes part if the policy was `randomised` when it was given, and it is certain which
suggestion the lot was about: one was there when the item was claimed, and none came after it
until the rating was stored. This is asked alike of both arms, so it leaves the lot fair.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from tasks.agreement.figures.agreement_figures import in_full
from tasks.models import Campaign, Rating, Suggestion, SuggestionArm, SuggestionPolicy
from tasks.protocols.definition import AnnotationProtocol
from tasks.votes.blindness import known_looks
from tasks.votes.columns import columns_of
from tasks.votes.patterns import label_place, rating_rows
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
from tomahto.types import Flags, Floats, Integers, JsonObject
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


@dataclass(frozen=True, eq=False)
class NewestSuggestions:
    """The items that a matcher has scored by their ids (I,), ascending, with its newest score of
    each (I,) and whether that calls it correct (I,)."""

    items: Integers
    scores: Floats
    is_correct: Flags


def newest_suggestions(campaign: Campaign) -> NewestSuggestions:
    rows = Suggestion.objects.filter(
        item__campaign=campaign, matcher=campaign.suggestion_matcher
    ).values_list("id", "item_id", "score", _number_of(Q(is_correct=True)))
    ids, items, scores, correct = columns_of(rows, int, int, float, int)
    latest = np.argsort(-ids)
    scored, places = np.unique(items[latest], return_index=True)
    newest = latest[places]
    return NewestSuggestions(scored, scores[newest], correct[newest] == 1)


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
_NOTHING = -1  # stands for what was suggested where nothing was


def randomised_ratings(campaign: Campaign) -> RandomisedRatings:
    """The counted ratings of the campaign that a lot decided over, by pseudonyms.

    The time of a revision is not that of the first answer, so it counts as unknown.
    """
    ids, items, questions, raters, given, is_shown, suggested, is_changed, seconds = columns_of(
        _drawn_ratings(campaign), *(int,) * 8, float
    )
    settled = is_changed == 0
    kept = settled & (suggested != _NOTHING)
    changed, without_suggestion = int((~settled).sum()), int((settled & ~kept).sum())
    if not kept.any():
        return RandomisedRatings(None, None, without_suggestion, changed)
    order = np.argsort(ids)
    order = order[kept[order]]
    _ids, firsts, numbers = np.unique(items[order], return_index=True, return_inverse=True)
    as_given = np.argsort(np.argsort(firsts))[numbers]
    labels = rating_rows(campaign, as_given, raters[order], given[order])
    steering = SteeringRows(
        on_sides(labels, campaign.annotation_protocol),
        is_shown[order] == 1,
        suggested[order],
        seconds[order],
        questions[order],
    )
    return RandomisedRatings(steering, labels, without_suggestion, changed)


def _drawn_ratings(campaign: Campaign) -> QuerySet[Rating, Any]:
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
    sides = before.values_list(
        Case(
            When(is_correct=True, then=Value(side_of(is_correct=True))),
            default=Value(side_of(is_correct=False)),
        )
    )
    return drawn.values_list(
        *("id", "item_id", "item__question_id", "rater_id"),
        label_place(campaign.annotation_protocol.scheme),
        _number_of(Q(suggestion_arm=SuggestionArm.BEFORE)),
        Coalesce(Subquery(sides[:1]), _NOTHING),
        _number_of(Exists(newer)),
        Case(When(supersedes=None, then="seconds")),
    )


def _number_of(condition: Q | Exists) -> Case:
    return Case(When(condition, then=Value(1)), default=Value(0))
