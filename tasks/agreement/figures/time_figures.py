"""How agreement goes over time, and from one version of the guidelines to the next.

An item belongs to the period in which it got its last counted rating: then its votes are what
they are now. Of a version of the guidelines, the ratings given under it count: items that have two
of these.
"""

from collections import defaultdict
from datetime import date
from itertools import pairwise
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from tasks.agreement.figures.group_counts import group_counts
from tasks.models import Campaign
from tasks.votes.ratings import counted_ratings
from tomahto.estimates.estimate import estimate_as_json
from tomahto.estimates.periods import fitting_period, start_of
from tomahto.reliability.agreement import pair_agreement_item_mean
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.reliability.alpha_difference import alpha_difference
from tomahto.types import JsonObject
from tomahto.votes.patterns import Pattern, VotePatterns

Questions = dict[int, list[Pattern]]
"""The counts of votes of every item, by its question."""

REPLICATES = 1000  # of every period's interval: there may be many


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
            _patterns(campaign, by_version[earlier]),
            _patterns(campaign, by_version[later]),
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
    patterns = _patterns(campaign, questions)
    alpha = alpha_with_interval(patterns, seed=campaign.seed, replicates=REPLICATES)
    return {
        "items": patterns.items,
        "ratings": patterns.ratings,
        "alpha": estimate_as_json(alpha),
        "pair_agreement": estimate_as_json(pair_agreement_item_mean(patterns)),
    }


def _patterns(campaign: Campaign, questions: Questions) -> VotePatterns:
    scheme = campaign.annotation_protocol.scheme
    return VotePatterns.of_questions(scheme, ((each, 1) for each in questions.values()))


def _patterns_by_day(campaign: Campaign) -> dict[date | None, Questions]:
    """The items by the day of their last counted rating."""
    zone = timezone.get_default_timezone()
    votes = _votes(campaign, "item").annotate(place=TruncDate(Max("rated_at"), tzinfo=zone))
    return {
        # databases write a day differently, but all begin with it
        None if day is None else date.fromisoformat(str(day)[:10]): questions
        for day, questions in _grouped(campaign, votes).items()
    }


def _patterns_by_version(campaign: Campaign) -> dict[int | None, Questions]:
    """The items by each version of the guidelines under which they got votes, which alone count."""
    votes = _votes(campaign, "item", "guideline").annotate(place=Max("guideline__version"))
    return _grouped(campaign, votes)


def _votes(campaign: Campaign, *grouping: str) -> QuerySet[Any, Any]:
    labels = campaign.annotation_protocol.scheme.labels
    counts = {
        column: Count("id", filter=Q(outcome__label=label))
        for column, label in zip(_columns(labels), labels, strict=True)
    }
    votes: QuerySet[Any, Any] = (
        counted_ratings(campaign)
        .values(*grouping)
        .annotate(question=Max("item__question"), **counts)
    )
    return votes.order_by()


def _grouped(campaign: Campaign, votes: QuerySet[Any, Any]) -> dict[Any, Questions]:
    columns = ["place", "question", *_columns(campaign.annotation_protocol.scheme.labels)]
    found: dict[Any, Questions] = {}
    for place, question, *pattern, items in group_counts(votes, columns):
        found.setdefault(place, defaultdict(list))[question] += [tuple(pattern)] * items
    return found


def _columns(labels: tuple[str, ...]) -> list[str]:
    return [f"votes{place}" for place in range(len(labels))]
