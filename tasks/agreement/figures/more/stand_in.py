"""May the campaign's matcher stand in for a rater? (`tomahto.raters.alternative_annotator`)

On two sides, as a matcher knows no more. Ratings that were given with the suggestion in view are
left out: they may follow the matcher, and would then speak for it.
"""

import numpy as np

from tasks.agreement.figures.sides import on_sides, side_of
from tasks.models import Campaign, SuggestionArm
from tasks.prefill.queries.suggestions import NewestSuggestion
from tasks.prefill.queries.trained_matchers import is_trained_name
from tasks.votes.ratings import counted_ratings
from tomahto.estimates.estimate import estimate_as_json
from tomahto.raters.alternative_annotator import (
    NO_LABEL,
    AlternativeAnnotator,
    LeftOutRater,
    alternative_annotator,
)
from tomahto.types import JsonObject
from tomahto.votes.rating_rows import RatingRows

EPSILONS = (0.2, 0.15, 0.1)


def stand_in(campaign: Campaign, opinions: dict[int, NewestSuggestion]) -> JsonObject:
    """The test at every epsilon; "refused" says why there is none, else it is null."""
    counted = counted_ratings(campaign)
    unseen = counted.exclude(suggestion_arm=SuggestionArm.BEFORE)
    in_vain = _why_refused(campaign, bool(opinions))  # millions of ratings are then not read
    votes = unseen.order_by("id").values_list("item", "rater__pseudonym", "outcome__label")
    rows = [] if in_vain else list(votes)
    found: JsonObject = {
        "matcher": campaign.suggestion_matcher,
        "ratings": unseen.count() if in_vain else len(rows),
        "left_out": counted.filter(suggestion_arm=SuggestionArm.BEFORE).count(),
        "refused": in_vain or (None if rows else "no-ratings"),
        "by_epsilon": [],
    }
    if found["refused"]:
        return found
    ratings = RatingRows.of(rows, campaign.annotation_protocol.scheme.labels)
    items = dict.fromkeys(item for item, _, _ in rows)
    matcher = np.array(
        [
            side_of(is_correct=opinions[item].is_correct) if item in opinions else NO_LABEL
            for item in items
        ],
        dtype=np.int64,
    )
    sides = on_sides(ratings, campaign.annotation_protocol)
    tests = [alternative_annotator(sides, matcher, epsilon=epsilon) for epsilon in EPSILONS]
    return {**found, "by_epsilon": [_as_json(test) for test in tests]}


def _why_refused(campaign: Campaign, has_opinions: bool) -> str | None:
    """Whatever the ratings are."""
    if is_trained_name(campaign.suggestion_matcher):
        return "trained-here"
    return None if has_opinions else "no-suggestions"


def _as_json(test: AlternativeAnnotator) -> JsonObject:
    return {
        "epsilon": test.epsilon,
        "may_replace": test.may_replace,
        "winning_rate": estimate_as_json(test.winning_rate),
        "advantage": estimate_as_json(test.advantage),
        "raters": [_rater(rater) for rater in test.raters],
        "skipped": list(test.skipped),
    }


def _rater(rater: LeftOutRater) -> JsonObject:
    return {
        "rater": rater.rater,
        "items": rater.items,
        "matcher_advantage": estimate_as_json(rater.matcher_advantage),
        "rater_advantage": estimate_as_json(rater.rater_advantage),
        "p_value": rater.p_value,
        "is_beaten": rater.is_beaten,
    }
