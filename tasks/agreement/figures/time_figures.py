"""How agreement goes over time, and from one version of the guidelines to the next.

An item belongs to the period in which it got its last counted rating: then its votes are what
they are now. Of a version of the guidelines, the ratings given under it count: items that have two
of these.
"""

from collections import defaultdict
from datetime import date
from itertools import pairwise

from django.db.models import Max
from django.db.models.functions import TruncDate
from django.utils import timezone

from tasks.agreement.figures.patterns_by import (
    Questions,
    alpha_of_part,
    patterns_of,
    questions_by,
)
from tasks.models import Campaign
from tomahto.estimates.estimate import estimate_as_json
from tomahto.estimates.periods import fitting_period, start_of
from tomahto.reliability.agreement import pair_agreement_item_mean
from tomahto.reliability.alpha_difference import alpha_difference
from tomahto.types import JsonObject


def time_figures(campaign: Campaign) -> JsonObject:
    """Agreement by period, oldest first, and by guideline version, first version first.

    `undated` is the number of rated items none of whose ratings has a time.
    """
    by_day = _patterns_by_day(campaign)
    undated = by_day.pop(None, {})
    known = {day: questions for day, questions in by_day.items() if day is not None}
    period = fitting_period(known)
    merged: dict[date, Questions] = {}
    for day, questions in known.items():
        of_period = merged.setdefault(start_of(period, day), defaultdict(list))
        for question, patterns in questions.items():
            of_period[question] += patterns
    return {
        "level": campaign.annotation_protocol.scheme.level,
        "period": period,
        "periods": [
            {"start": start.isoformat(), **_agreement(campaign, merged[start])}
            for start in sorted(merged)
        ],
        "undated": sum(map(len, undated.values())),
        "versions": _versions(campaign),
    }


def _versions(campaign: Campaign) -> list[JsonObject]:
    """Every version under which ratings were given; those under none, as imports are, last.

    `change` is the difference of alpha from the version before, None for the first.
    """
    by_version = _patterns_by_version(campaign)
    numbered = sorted(version for version in by_version if version is not None)
    order = [*numbered, *([None] if None in by_version else [])]
    changes = {
        later: alpha_difference(
            patterns_of(campaign, by_version[earlier]),
            patterns_of(campaign, by_version[later]),
            seed=campaign.seed,
        )
        for earlier, later in pairwise(numbered)
    }
    return [
        {
            "version": version,
            **_agreement(campaign, by_version[version]),
            "change": estimate_as_json(changes[version]) if version in changes else None,
        }
        for version in order
    ]


def _agreement(campaign: Campaign, questions: Questions) -> JsonObject:
    """Items and ratings of these patterns, alpha with its interval, and how often pairs agree."""
    patterns = patterns_of(campaign, questions)
    return alpha_of_part(campaign, patterns) | {
        "pair_agreement": estimate_as_json(pair_agreement_item_mean(patterns))
    }


def _patterns_by_day(campaign: Campaign) -> dict[date | None, Questions]:
    """The items by the day of their last counted rating."""
    day = TruncDate(Max("rated_at"), tzinfo=timezone.get_default_timezone())
    return {
        # databases write a day differently, but all begin with it
        None if place is None else date.fromisoformat(str(place)[:10]): questions
        for place, questions in questions_by(campaign, day).items()
    }


def _patterns_by_version(campaign: Campaign) -> dict[int | None, Questions]:
    """The items by each version of the guidelines under which they got votes, which alone count."""
    return questions_by(campaign, Max("guideline__version"), "guideline")
