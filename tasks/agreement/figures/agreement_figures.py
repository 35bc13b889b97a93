"""Agreement: the one report of all ratings, alpha of their parts, and how it goes over time.

An item belongs to the period in which it got its last counted rating: then its votes are what
they are now. Of a version of the guidelines, the ratings given under it count: items that have two
of these.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from itertools import pairwise
from typing import Any

from django.db.models import Count, Func, Max, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from tasks.agreement.figures.progress_figures import group_counts
from tasks.models import Campaign
from tasks.votes.patterns import rating_sequence, votes_of
from tasks.votes.ratings import counted_ratings
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.estimates.forecast import fitting_period, start_of
from tomahto.reliability.alpha import alpha_difference, alpha_with_interval
from tomahto.reliability.alpha_pulls import AlphaPulls, alpha_pulls
from tomahto.reliability.report import AgreementReport, agreement_report
from tomahto.reliability.statistics import pair_agreement_item_mean
from tomahto.types import JsonObject
from tomahto.votes.patterns import Pattern, VotePatterns


def agreement_of(campaign: Campaign) -> AgreementReport:
    """Over every item with counted ratings, finished or not; the seed is the campaign's."""
    votes = votes_of(campaign)
    return agreement_report(campaign.protocol, votes.patterns, votes.pairs, seed=campaign.seed)


def agreement_figures(campaign: Campaign) -> dict[str, Any]:
    """The report as figures, by its names: every estimate in full, with n, interval and reason."""
    figures: dict[str, Any] = in_full(agreement_of(campaign))
    return figures


def in_full(part: Any) -> Any:
    """A dataclass as a JSON object by the names of its fields, with every estimate in full.

    Files of releases, which `fields_as_json` and `as_json` make, have some estimates by their value
    alone and leave out what is None.
    """
    if isinstance(part, Estimate):
        return estimate_as_json(part)
    if is_dataclass(part):
        return in_full({field.name: getattr(part, field.name) for field in fields(part)})
    if isinstance(part, Mapping):
        found: dict[str, Any] = {}
        for key, value in part.items():
            found |= in_full(value) if key == "estimates" else {str(key): in_full(value)}
        return found
    if isinstance(part, tuple):
        return [in_full(value) for value in part]
    return part


Questions = dict[int, list[Pattern]]
"""The counts of votes of every item, by its question."""

PART_REPLICATES = 1000  # of the interval of a part of a campaign, where there may be many


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
    scheme = campaign.annotation_protocol.scheme
    return VotePatterns.of_questions(scheme, ((items, 1) for items in questions.values()))


def alpha_of_part(
    campaign: Campaign, patterns: VotePatterns, replicates: int = PART_REPLICATES
) -> JsonObject:
    """Items and ratings of these patterns, and alpha with its interval."""
    alpha = alpha_with_interval(patterns, seed=campaign.seed, replicates=replicates)
    return {
        "items": patterns.items,
        "ratings": patterns.ratings,
        "alpha": estimate_as_json(alpha),
    }


REPLICATES = 2000  # as of all votes, so that those of the only system have the same interval


def alpha_figures(campaign: Campaign) -> JsonObject:
    """Causes that hold alpha down, raters under pseudonyms and pairs of labels, the greatest gain
    first; and alpha of the items of every system, by name.

    An item of several systems counts for each. The "confidence" of a gain allows for the number
    of those compared.
    """
    sequence, scheme = rating_sequence(campaign), campaign.annotation_protocol.scheme
    pulls = AlphaPulls((), ())
    if sequence is not None:
        pulls = alpha_pulls(sequence.rows, sequence.questions, scheme)
    return {
        "systems": _systems(campaign),
        "without_raters": [
            {"rater": pull.rater, "ratings": pull.ratings, **_change(pull.alpha, pull.gain)}
            for pull in pulls.raters
        ],
        "label_pairs": [
            {"labels": list(pull.labels), "share": pull.share, **_change(pull.alpha, pull.gain)}
            for pull in pulls.pairs
        ],
    }


def _systems(campaign: Campaign) -> list[JsonObject]:
    system = "item__item_systems__system"
    by_system: dict[Any, Any] = questions_by(campaign, Max(f"{system}__name"), system)
    by_system.pop(None, None)  # items that no system's answer became
    return [
        {
            "system": name,
            **alpha_of_part(campaign, patterns_of(campaign, by_system[name]), REPLICATES),
        }
        for name in sorted(by_system)
    ]


def _change(alpha: Estimate, gain: Estimate) -> JsonObject:
    return {
        "alpha": estimate_as_json(alpha),
        "gain": {**estimate_as_json(gain), "confidence": gain.confidence},
    }


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
    by_version = questions_by(campaign, Max("guideline__version"), "guideline")
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
