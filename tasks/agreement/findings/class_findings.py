"""What a look finds about labels: which are confused more than their frequency explains."""

from tasks.agreement.figures.chance import Chance
from tasks.models import Campaign
from tasks.votes.patterns import vote_patterns
from tomahto.estimates.estimate import estimate_as_json
from tomahto.raters.confused_class import Confusion, confusions
from tomahto.types import JsonObject


def confusion_findings(campaign: Campaign, chance: Chance) -> JsonObject:
    """Every label and every pair of labels, most striking first, or why there are none."""
    found = confusions(vote_patterns(campaign), bootstrap=chance.draws, level=chance.level)
    return {
        "items": found.n,
        "labels": [_as_json(one) for one in found.labels],
        "pairs": [_as_json(one) for one in found.pairs],
        **({"reason": found.reason} if found.reason else {}),
    }


def _as_json(one: Confusion) -> JsonObject:
    return {
        "labels": list(one.labels),
        "observed": one.observed,
        "expected": one.expected,
        "excess": estimate_as_json(one.excess),
        "p_value": one.p_value,
        "is_confused": one.is_confused,
    }
