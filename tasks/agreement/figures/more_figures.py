"""The number of further ratings that each quantity takes, and whether the matcher may stand in.

The matcher is tested as a rater (`tomahto.raters.alternative_annotator`) on two sides, as it knows
no more. Ratings that were given with the suggestion in view are left out: they may follow the
matcher, and would then speak for it.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from django.db.models import Count, Q

from tasks.agreement.figures.agreement_figures import in_full
from tasks.agreement.figures.suggestion_figures import (
    NewestSuggestions,
    newest_suggestions,
    on_sides,
    side_of,
)
from tasks.agreement.figures.systems_figures import bootstrap_of, predicted_accuracy
from tasks.models import Campaign, ItemPurpose, Slot, SuggestionArm
from tasks.prefill.queries.matchers import is_trained_name
from tasks.votes.columns import columns_of
from tasks.votes.labels import looked_up
from tasks.votes.patterns import label_place, rating_rows, vote_patterns
from tasks.votes.ratings import counted_ratings
from tasks.votes.shared_items import system_answers
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json, estimate_from_json
from tomahto.estimates.forecast import SampleSize, items_for_width, predicted_width
from tomahto.ranking.system_accuracy import accuracy, difference, shared_questions
from tomahto.ranking.system_answers import TO_BE_RATED, SystemAnswers
from tomahto.raters.alternative_annotator import (
    NO_LABEL,
    alternative_annotator,
)
from tomahto.reliability.statistics import published_alpha
from tomahto.types import Integers, JsonObject


@dataclass(frozen=True, eq=False)
class Places:
    """The places of every live item, by the items' ids (I,), ascending: how many are filled or
    offered (I,) and how many of them filled (I,). `overlap` is how many the campaign gives to a new
    item."""

    items: Integers
    slots: Integers
    filled: Integers
    overlap: int

    @property
    def open(self) -> Integers:
        """The number of ratings that each item can still get (I,)."""
        return self.slots - self.filled

    def open_by(self, groups: Integers, items: Integers, number: int) -> Integers:
        """The number that the items of each of so many groups can still get together, from pairs of
        a group and an item: an item counts once in a group."""
        known = np.isin(items, self.items)
        places = np.searchsorted(self.items, items[known])
        pairs = np.unique(groups[known] * len(self.items) + places)
        groups, places = np.divmod(pairs, max(1, len(self.items)))
        return np.bincount(groups, self.open[places], number).astype(np.int64)


def places_of(campaign: Campaign) -> Places:
    slots = Slot.objects.filter(
        campaign=campaign, order_key__isnull=False, item__purpose=ItemPurpose.LIVE
    )
    rows = (
        slots.values("item")
        .annotate(slots=Count("id"), filled=Count("id", filter=Q(is_filled=True)))
        .values_list("item", "slots", "filled")
    )
    items, places, filled = columns_of(rows, int, int, int)
    order = np.argsort(items)
    return Places(items[order], places[order], filled[order], campaign.overlap)


def more_figures(campaign: Campaign) -> JsonObject:
    """Alpha, every system's accuracy and every two systems' difference, with what one more takes;
    alpha alone where no label means that a candidate is right.

    A quantity's "n" counts items with two ratings for alpha, judged answers for an accuracy,
    questions with judged answers of both for a difference.
    """
    places = places_of(campaign)
    bootstrap = bootstrap_of(campaign)
    systems = system_answers(campaign) if campaign.annotation_protocol.accepted_labels else []
    suggested = newest_suggestions(campaign)
    return {
        "quantities": [
            _quantity("alpha", [], _alpha(campaign, places)),
            *(
                _quantity("accuracy", [one.system], _accuracy(one, places, bootstrap))
                for one in systems
            ),
            *(
                _quantity("difference", [one.system, other.system], wanted)
                for one, other, wanted in _differences(systems, places, bootstrap)
            ),
        ],
        "prediction_powered": predicted_accuracy(campaign, systems, suggested, bootstrap),
        "stand_in": stand_in(campaign, suggested),
    }


@dataclass(frozen=True, slots=True)
class _Wanted:
    """An estimate, how many of its units there can be, and what one more takes.

    `available` are the units known and those with open places; `ratings_each` is how many open
    places a further one has on average, rounded up.
    """

    estimate: Estimate
    available: int
    ratings_each: int


def _quantity(kind: str, systems: list[str], wanted: _Wanted) -> JsonObject:
    return {
        "key": "/".join([kind, *systems]),
        "kind": kind,
        "systems": systems,
        "estimate": estimate_as_json(wanted.estimate),
        "available": wanted.available,
        "ratings_each": wanted.ratings_each,
    }


def _alpha(campaign: Campaign, places: Places) -> _Wanted:
    """Alpha; an item takes part in it from its second rating on."""
    patterns = vote_patterns(campaign)
    estimate = published_alpha(patterns, seed=campaign.seed)
    pairable = patterns.pairable().items
    further = places.open[(places.filled < 2) & (places.slots > 1)]
    each = math.ceil(int(further.sum()) / len(further)) if len(further) else max(2, places.overlap)
    return _Wanted(estimate, pairable + len(further), each)


def _accuracy(system: SystemAnswers, places: Places, bootstrap: Bootstrap) -> _Wanted:
    costs = places.open_by(system.item_questions, system.items, len(system.questions))
    is_open = np.isnan(system.values)
    return _with_costs(accuracy(system, bootstrap), costs[is_open], places)


def _differences(
    systems: Sequence[SystemAnswers], places: Places, bootstrap: Bootstrap
) -> Iterator[tuple[SystemAnswers, SystemAnswers, _Wanted]]:
    for one, other in combinations(systems, 2):
        own, others = shared_questions(one, other)
        is_open = np.isnan(one.values[own]) | np.isnan(other.values[others])
        # an answer that both systems gave is one item, and judged once
        asked = [_items(one, own), _items(other, others)]
        groups, items = (np.concatenate(column) for column in zip(*asked, strict=True))
        costs = places.open_by(groups, items, len(own))
        yield one, other, _with_costs(difference(one, other, bootstrap), costs[is_open], places)


def _items(system: SystemAnswers, questions: Integers) -> tuple[Integers, Integers]:
    """The items of the answers to be rated to these questions, each after the number of its
    question among them."""
    number_of = np.full(len(system.questions), -1)
    number_of[questions] = np.arange(len(questions))
    number_of[~system.are(TO_BE_RATED)] = -1
    numbers = number_of[system.item_questions]
    return numbers[numbers >= 0], system.items[numbers >= 0]


def _with_costs(estimate: Estimate, costs: Integers, places: Places) -> _Wanted:
    payable = costs[costs > 0]
    each = math.ceil(int(payable.sum()) / len(payable)) if len(payable) else places.overlap
    return _Wanted(estimate, estimate.n + len(payable), each)


POINTS = 8  # of the line of predicted widths


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """The quantity asked for, what it takes, and the width predicted at growing numbers."""

    kind: str
    systems: Sequence[str]
    estimate: Estimate
    ratings_each: int
    size: SampleSize
    widths: Sequence[tuple[int, float]]


def sample_plan(quantities: Sequence[Mapping[str, Any]], key: str, width: float) -> SamplePlan:
    """The plan until the interval of a quantity of the figures `more` is so wide.

    `key` is that of one of the quantities; `width` is of the whole interval, as a share.
    """
    chosen = next(one for one in quantities if one["key"] == key)
    estimate = estimate_from_json(chosen["estimate"])
    size = items_for_width(
        estimate, width, available=chosen["available"], ratings_each=chosen["ratings_each"]
    )
    return SamplePlan(
        kind=chosen["kind"],
        systems=chosen["systems"],
        estimate=estimate,
        ratings_each=chosen["ratings_each"],
        size=size,
        widths=_widths(estimate, size),
    )


def _widths(estimate: Estimate, size: SampleSize) -> list[tuple[int, float]]:
    """From what is there to all there can be, or to what is needed; in equal ratios."""
    if size.reason or size.needed is None or size.available is None:
        return []
    last = max(size.needed, size.available)
    marks = {size.n, size.needed, size.available}
    step = (last / size.n) ** (1 / (POINTS - 1))
    between = (round(size.n * step**place) for place in range(1, POINTS - 1))
    numbers = {one for one in between if all(_is_apart(one, mark, step) for mark in marks)}
    return [(number, predicted_width(estimate, number)) for number in sorted(numbers | marks)]


def _is_apart(one: int, other: int, step: float) -> bool:
    """Whether two numbers are at least two thirds of a step apart, so that both can be read."""
    return abs(math.log(one / other)) > math.log(step) * 2 / 3


EPSILONS = (0.2, 0.15, 0.1)


def stand_in(campaign: Campaign, suggested: NewestSuggestions) -> JsonObject:
    """The test at every epsilon; "refused" says why there is none, else it is null."""
    counted = counted_ratings(campaign)
    unseen = counted.exclude(suggestion_arm=SuggestionArm.BEFORE)
    label = label_place(campaign.annotation_protocol.scheme)
    rows = unseen.values_list("id", "item_id", "rater_id", label)
    ids, items, raters, labels = columns_of(rows, *(int,) * 4)
    found: JsonObject = {
        "matcher": campaign.suggestion_matcher,
        "ratings": len(ids),
        "left_out": counted.filter(suggestion_arm=SuggestionArm.BEFORE).count(),
        "refused": _why_refused(campaign, bool(len(ids)), bool(len(suggested.items))),
        "by_epsilon": [],
    }
    if found["refused"]:
        return found
    order = np.argsort(ids)
    rated, numbers = np.unique(items[order], return_inverse=True)
    ratings = rating_rows(campaign, numbers, raters[order], labels[order])
    said = np.where(suggested.is_correct, side_of(is_correct=True), side_of(is_correct=False))
    matcher = looked_up(suggested.items, said, rated, NO_LABEL)
    sides = on_sides(ratings, campaign.annotation_protocol)
    tests = [alternative_annotator(sides, matcher, epsilon=epsilon) for epsilon in EPSILONS]
    return {
        **found,
        "by_epsilon": [
            {
                "epsilon": test.epsilon,
                "may_replace": test.may_replace,
                "winning_rate": estimate_as_json(test.winning_rate),
                "advantage": estimate_as_json(test.advantage),
                "raters": in_full(test.raters),
                "skipped": list(test.skipped),
            }
            for test in tests
        ],
    }


def _why_refused(campaign: Campaign, has_ratings: bool, has_suggested: bool) -> str | None:
    if is_trained_name(campaign.suggestion_matcher):
        return "trained-here"
    if not has_suggested:
        return "no-suggestions"
    return None if has_ratings else "no-ratings"
