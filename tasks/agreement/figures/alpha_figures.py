"""The parts of alpha: by system, without each rater, and without each pair of labels."""

from typing import Any

from django.db.models import Max

from tasks.agreement.figures.patterns_by import alpha_of_part, patterns_of, questions_by
from tasks.models import Campaign
from tasks.votes.rating_sequence import rating_sequence
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.reliability.alpha_pulls import AlphaPulls, alpha_pulls
from tomahto.types import JsonObject

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
