"""How many more ratings: what is known of each quantity, and what predictions and matchers give."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tasks.agreement.figures.more.predicted_accuracy import predicted_accuracy
from tasks.agreement.figures.more.stand_in import stand_in
from tasks.agreement.figures.places import Places, places_of
from tasks.agreement.figures.systems_figures import bootstrap_of
from tasks.models import Campaign
from tasks.prefill.queries.suggestions import newest_suggestions
from tasks.votes.patterns import vote_patterns
from tasks.votes.system_answers import system_answers
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.ranking.system_accuracy import accuracy, difference
from tomahto.ranking.system_answers import SystemAnswers
from tomahto.reliability.agreement import published_alpha
from tomahto.types import JsonObject


def more_figures(campaign: Campaign) -> JsonObject:
    """Alpha, every system's accuracy and every two systems' difference, with what one more takes;
    alpha alone where no label means that a candidate is right.

    A quantity's "n" counts items with two ratings for alpha, judged answers for an accuracy,
    questions with judged answers of both for a difference.
    """
    places = places_of(campaign)
    bootstrap = bootstrap_of(campaign)
    systems = system_answers(campaign) if campaign.annotation_protocol.accepted_labels else []
    opinions = newest_suggestions(campaign)
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
        "prediction_powered": predicted_accuracy(campaign, systems, opinions, bootstrap),
        "stand_in": stand_in(campaign, opinions),
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
    further = [each.open for each in places.by_item.values() if each.filled < 2 and each.slots > 1]
    each = math.ceil(sum(further) / len(further)) if further else max(2, places.overlap)
    return _Wanted(estimate, pairable + len(further), each)


def _accuracy(system: SystemAnswers[int], places: Places, bootstrap: Bootstrap) -> _Wanted:
    open_answers = (answer for answer in system.answers.values() if answer.value is None)
    costs = [places.open_in(answer.items) for answer in open_answers]
    return _with_costs(accuracy(system, bootstrap), costs, places)


def _differences(
    systems: Sequence[SystemAnswers[int]], places: Places, bootstrap: Bootstrap
) -> Iterator[tuple[SystemAnswers[int], SystemAnswers[int], _Wanted]]:
    for one, other in combinations(systems, 2):
        costs = [
            places.open_in({*_items(one, question), *_items(other, question)})
            for question in one.questions & other.questions
            if one.value(question) is None or other.value(question) is None
        ]
        yield one, other, _with_costs(difference(one, other, bootstrap), costs, places)


def _items(system: SystemAnswers[int], question: int) -> Iterator[int]:
    """An answer that both systems gave is one item, and judged once."""
    return system.answers[question].items if question in system.answers else iter(())


def _with_costs(estimate: Estimate, costs: list[int], places: Places) -> _Wanted:
    payable = [cost for cost in costs if cost]
    each = math.ceil(sum(payable) / len(payable)) if payable else places.overlap
    return _Wanted(estimate, estimate.n + len(payable), each)
