"""Whether the suggestion steers the raters: both arms, their difference, and what it means."""

from tasks.agreement.figures.chance import Chance
from tasks.agreement.figures.randomised import RandomisedRatings, randomised_ratings
from tasks.agreement.figures.sides import SIDES
from tasks.models import Campaign
from tasks.votes.blindness import known_looks
from tasks.votes.ratings import counted_ratings
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.raters.label_shift import LabelShift, label_shifts
from tomahto.raters.steering import (
    MARGIN,
    SteeringArm,
    SteeringEffect,
    steering_conclusion,
    steering_report,
)
from tomahto.types import JsonObject

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
    """What the look may conclude of the difference between the arms, over all suggestions."""
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
        "shown": _arm(effect.shown),
        "hidden": _arm(effect.hidden),
        "difference": _with_confidence(effect.difference),
        "minimum_detectable": effect.minimum_detectable,
        "time_ratio": estimate_as_json(effect.time_ratio),
    }


def _arm(arm: SteeringArm) -> JsonObject:
    return {
        "agreement": estimate_as_json(arm.agreement),
        "alpha": estimate_as_json(arm.alpha),
        "seconds": estimate_as_json(arm.seconds),
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
    """What every look has found, the newest first; looks from before the test was there are not
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
