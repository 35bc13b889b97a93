"""What a look finds about raters: who drifts, who is unlike the others in speed or in accuracy."""

from dataclasses import asdict

from tasks.agreement.figures.chance import Chance
from tasks.models import Campaign
from tasks.votes.control_answers import control_answers
from tasks.votes.rating_sequence import rating_sequence
from tomahto.estimates.estimate import estimate_as_json
from tomahto.raters.agreement_windows import WINDOW
from tomahto.raters.control_accuracy import MIN_CONTROLS, control_accuracies
from tomahto.raters.drift import drift
from tomahto.raters.speed import speeds
from tomahto.types import JsonObject


def drift_findings(campaign: Campaign, chance: Chance) -> JsonObject:
    """Every rater's change of agreement with the others over time, `from_rating` on (from 1)."""
    sequence = rating_sequence(campaign)
    found = (
        drift(sequence.rows, bootstrap=chance.draws, window=WINDOW, level=chance.level)
        if sequence
        else ()
    )
    return {
        "window": WINDOW,
        "raters": [
            {
                "rater": one.rater,
                "verdict": one.verdict,
                "ratings": one.ratings,
                "compared": one.compared,
                "from_rating": None if one.position is None else one.position + 1,
                "change": one.change,
                "p_value": one.p_value,
            }
            for one in found
        ],
    }


def speed_findings(campaign: Campaign, chance: Chance) -> JsonObject:
    """Every rater's pace: how many times as long as the others on the same items."""
    sequence = rating_sequence(campaign)
    found = (
        speeds(sequence.rows, sequence.seconds, bootstrap=chance.draws, level=chance.level)
        if sequence
        else ()
    )
    return {
        "raters": [asdict(one) | {"seconds": estimate_as_json(one.seconds)} for one in found],
    }


def control_findings(campaign: Campaign, chance: Chance) -> JsonObject:
    """Every rater's accuracy on control items against that of all the others."""
    found = control_accuracies(control_answers(campaign), level=chance.level)
    return {
        "least_answers": MIN_CONTROLS,
        "raters": [asdict(one) | {"accuracy": estimate_as_json(one.accuracy)} for one in found],
    }
