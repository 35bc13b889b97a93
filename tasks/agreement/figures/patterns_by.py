"""Vote patterns of a campaign by what its ratings or items have in common: a day, a system."""

from collections import defaultdict
from typing import Any

from django.db.models import Count, Func, Max, Q, QuerySet

from tasks.agreement.figures.group_counts import group_counts
from tasks.models import Campaign
from tasks.votes.ratings import counted_ratings
from tomahto.estimates.estimate import estimate_as_json
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.types import JsonObject
from tomahto.votes.patterns import Pattern, VotePatterns

Questions = dict[int, list[Pattern]]
"""The counts of votes of every item, by its question."""

REPLICATES = 1000  # of the interval of a part of a campaign, where there may be many


def questions_by(campaign: Campaign, place: Func, *grouping: str) -> dict[Any, Questions]:
    """The votes by place, one query: of each group of ratings, which all are of one item.

    `place` is as the database has it: a day is a date or a text that begins with it.
    """
    labels = campaign.annotation_protocol.scheme.labels
    columns = [f"votes{number}" for number in range(len(labels))]
    counts = {
        column: Count("id", filter=Q(outcome__label=label))
        for column, label in zip(columns, labels, strict=True)
    }
    votes: QuerySet[Any, Any] = (
        counted_ratings(campaign)
        .values("item", *grouping)
        .annotate(place=place, question=Max("item__question"), **counts)
        .order_by()
    )
    by_place: dict[Any, Questions] = {}
    for value, question, *pattern, items in group_counts(votes, ["place", "question", *columns]):
        by_place.setdefault(value, defaultdict(list))[question] += [tuple(pattern)] * items
    return by_place


def patterns_of(campaign: Campaign, questions: Questions) -> VotePatterns:
    """The patterns of these questions, in the campaign's scheme."""
    scheme = campaign.annotation_protocol.scheme
    return VotePatterns.of_questions(scheme, ((items, 1) for items in questions.values()))


def alpha_of_part(
    campaign: Campaign, patterns: VotePatterns, replicates: int = REPLICATES
) -> JsonObject:
    """Items and ratings of these patterns, and alpha with its interval."""
    alpha = alpha_with_interval(patterns, seed=campaign.seed, replicates=replicates)
    return {
        "items": patterns.items,
        "ratings": patterns.ratings,
        "alpha": estimate_as_json(alpha),
    }
