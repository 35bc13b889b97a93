"""What there is to learn from: how many items have which majority."""

from dataclasses import dataclass

from tasks.models import Campaign
from tasks.votes.patterns import vote_patterns
from tomahto.votes.majority import majority_totals


@dataclass(frozen=True, slots=True)
class LabelTotals:
    """How many items have a correct majority label, an incorrect one, and none."""

    correct: int
    incorrect: int
    ties: int


def label_totals(campaign: Campaign) -> LabelTotals:
    totals, ties = majority_totals(vote_patterns(campaign))
    good = campaign.annotation_protocol.correct_labels
    correct = sum(number for label, number in totals.items() if label in good)
    return LabelTotals(correct, sum(totals.values()) - correct, ties)
