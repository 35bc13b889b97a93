"""Agreement: the one report of all ratings, alpha of their parts, and how it goes over time.

An item belongs to the period in which it got its last counted rating: then its votes are what
they are now. Of a version of the guidelines, the ratings given under it count: items that have two
of these.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date, datetime
from itertools import pairwise
from typing import Any

import numpy as np
from django.db.models.functions import Coalesce
from django.utils import timezone
from numpy.typing import NDArray

from tasks.models import Campaign
from tasks.votes.columns import Microseconds, columns_of
from tasks.votes.patterns import label_place, rating_sequence, votes_of
from tasks.votes.ratings import counted_ratings
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.estimates.forecast import fitting_period, start_of
from tomahto.reliability.alpha import alpha_difference, alpha_with_interval
from tomahto.reliability.alpha_pulls import AlphaPulls, alpha_pulls
from tomahto.reliability.report import AgreementReport, agreement_report
from tomahto.reliability.statistics import pair_agreement_item_mean
from tomahto.types import Integers, JsonObject
from tomahto.votes.answer_patterns import patterns_of_labels
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme


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


PART_REPLICATES = 1000  # of the interval of a part of a campaign, where there may be many


@dataclass(frozen=True, eq=False)
class Parts:
    """The votes of a campaign in any order (N,): items and questions by their ids, the places of
    labels, and the number of the part that each belongs to."""

    scheme: LabelScheme
    items: Integers
    questions: Integers
    labels: Integers
    parts: NDArray[Any]

    @classmethod
    def by(cls, campaign: Campaign, part: Any, kind: type[int | float] = int) -> "Parts":
        """By the value of an expression of the ratings, a number of this kind."""
        scheme = campaign.annotation_protocol.scheme
        votes = counted_ratings(campaign).values_list(
            "item_id", "item__question_id", label_place(scheme), part
        )
        return cls(scheme, *columns_of(votes, int, int, int, kind))

    @property
    def numbers(self) -> list[int]:
        numbers: list[int] = np.unique(self.parts).tolist()
        return numbers

    def patterns(self, number: int) -> VotePatterns:
        chosen = self.parts == number
        votes = (self.items[chosen], self.questions[chosen], self.labels[chosen])
        return patterns_of_labels(self.scheme, *votes)


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
    names = dict(campaign.systems.values_list("pk", "name"))
    # without a system are items that no system's answer became
    parts = Parts.by(campaign, Coalesce("item__item_systems__system", 0))
    rated = {names[number]: number for number in parts.numbers if number}
    return [
        {"system": name, **alpha_of_part(campaign, parts.patterns(rated[name]), REPLICATES)}
        for name in sorted(rated)
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
    days = _by_day(campaign)
    dated = [date.fromordinal(number) for number in days.numbers if number != _UNDATED]
    period = fitting_period(dated)
    starts = {day.toordinal(): start_of(period, day).toordinal() for day in dated}
    number_of = {_UNDATED: _UNDATED, **starts}
    numbers, places = np.unique(days.parts, return_inverse=True)
    begun = np.array([number_of[day] for day in numbers.tolist()], dtype=np.int64)
    periods = replace(days, parts=begun[places])
    return {
        "level": campaign.annotation_protocol.scheme.level,
        "period": period,
        "periods": [
            {
                "start": date.fromordinal(start).isoformat(),
                **_agreement(campaign, periods.patterns(start)),
            }
            for start in sorted(set(starts.values()))
        ],
        "undated": periods.patterns(_UNDATED).items,
        "versions": _versions(campaign),
    }


_UNDATED = 0
_MINUTE = 60_000_000  # microseconds


def _by_day(campaign: Campaign) -> Parts:
    """The items by the day of their last counted rating, as its ordinal, or _UNDATED."""
    votes = Parts.by(campaign, Microseconds("rated_at"), float)
    items, rows = np.unique(votes.items, return_inverse=True)
    last = np.full(len(items), -np.inf)
    np.fmax.at(last, rows, votes.parts)
    # days begin on a minute in every time zone, and far fewer minutes than items differ
    minutes, places = np.unique(np.floor(last / _MINUTE), return_inverse=True)
    days = np.array([_ordinal(minute) for minute in minutes.tolist()], dtype=np.int64)
    return replace(votes, parts=days[places][rows])


def _ordinal(minute: float) -> int:
    if math.isinf(minute):
        return _UNDATED
    zone = timezone.get_default_timezone()
    return datetime.fromtimestamp(minute * 60, zone).toordinal()


def _versions(campaign: Campaign) -> list[JsonObject]:
    """Every version under which ratings were given; those under none, as imports are, last.

    `change` is the difference of alpha from the version before, None for the first.
    """
    parts = Parts.by(campaign, Coalesce("guideline__version", 0))
    patterns = {version or None: parts.patterns(version) for version in parts.numbers}
    numbered = [version for version in patterns if version is not None]
    changes = {
        later: alpha_difference(patterns[earlier], patterns[later], seed=campaign.seed)
        for earlier, later in pairwise(numbered)
    }
    return [
        {
            "version": version,
            **_agreement(campaign, patterns[version]),
            "change": estimate_as_json(changes[version]) if version in changes else None,
        }
        for version in [*numbered, *([None] if None in patterns else [])]
    ]


def _agreement(campaign: Campaign, patterns: VotePatterns) -> JsonObject:
    return alpha_of_part(campaign, patterns) | {
        "pair_agreement": estimate_as_json(pair_agreement_item_mean(patterns))
    }
