"""How agreement goes over time, and from one version of the guidelines to the next.

An item belongs to the period in which it got its last counted rating: then its votes are what
they are now. Of a version of the guidelines, the ratings given under it count: items that have two
of these.
"""

from collections import Counter
from collections.abc import Mapping
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

REPLICATES = 1000  # of every period's interval: there may be many


def time_figures(campaign: Campaign) -> JsonObject:
    """Agreement by period, oldest first, and by guideline version, first version first.

    `undated` is the number of rated items none of whose ratings has a time.
    """
    by_day = _patterns_by_day(campaign)
    undated = by_day.pop(None, Counter())
    known = {day: patterns for day, patterns in by_day.items() if day is not None}
    period = fitting_period(known)
    merged: dict[date, Counter[Pattern]] = {}
    for day, patterns in known.items():
        merged.setdefault(start_of(period, day), Counter()).update(patterns)
    return {
        "level": campaign.annotation_protocol.scheme.level,
        "period": period,
        "periods": [
            {"start": start.isoformat(), **_agreement(campaign, merged[start])}
            for start in sorted(merged)
        ],
        "undated": sum(undated.values()),
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


def _agreement(campaign: Campaign, counts: Mapping[Pattern, int]) -> JsonObject:
    """Items and ratings of these patterns, alpha with its interval, and how often pairs agree."""
    patterns = _patterns(campaign, counts)
    alpha = alpha_with_interval(patterns, seed=campaign.seed, replicates=REPLICATES)
    return {
        "items": patterns.items,
        "ratings": patterns.ratings,
        "alpha": estimate_as_json(alpha),
        "pair_agreement": estimate_as_json(pair_agreement_item_mean(patterns)),
    }


def _patterns(campaign: Campaign, counts: Mapping[Pattern, int]) -> VotePatterns:
    return VotePatterns(campaign.annotation_protocol.scheme, counts)


def _patterns_by_day(campaign: Campaign) -> dict[date | None, Counter[Pattern]]:
    """How many items, by the day of their last counted rating, have which counts of votes."""
    zone = timezone.get_default_timezone()
    votes = _votes(campaign, "item").annotate(place=TruncDate(Max("rated_at"), tzinfo=zone))
    return {
        # databases write a day differently, but all begin with it
        None if day is None else date.fromisoformat(str(day)[:10]): patterns
        for day, patterns in _grouped(campaign, votes).items()
    }


def _patterns_by_version(campaign: Campaign) -> dict[int | None, Counter[Pattern]]:
    """How many items have which counts of votes given under each version of the guidelines."""
    votes = _votes(campaign, "item", "guideline").annotate(place=Max("guideline__version"))
    return _grouped(campaign, votes)


def _votes(campaign: Campaign, *grouping: str) -> QuerySet[Any, Any]:
    labels = campaign.annotation_protocol.scheme.labels
    counts = {
        column: Count("id", filter=Q(outcome__label=label))
        for column, label in zip(_columns(labels), labels, strict=True)
    }
    votes: QuerySet[Any, Any] = counted_ratings(campaign).values(*grouping).annotate(**counts)
    return votes.order_by()


def _grouped(campaign: Campaign, votes: QuerySet[Any, Any]) -> dict[Any, Counter[Pattern]]:
    scheme = campaign.annotation_protocol.scheme
    found: dict[Any, Counter[Pattern]] = {}
    for place, *pattern, items in group_counts(votes, ["place", *_columns(scheme.labels)]):
        found.setdefault(place, Counter())[tuple(pattern)] = items
    return found


def _columns(labels: tuple[str, ...]) -> list[str]:
    return [f"votes{place}" for place in range(len(labels))]
