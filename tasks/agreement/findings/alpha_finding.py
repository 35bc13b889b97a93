"""Whether alpha is too low, as a test that may be repeated at every look."""

from typing import Any

from tasks.agreement.figures.chance import Chance
from tasks.models import Campaign
from tasks.votes.patterns import vote_patterns
from tomahto.estimates.estimate import estimate_as_json
from tomahto.reliability.alpha import alpha_with_interval


def alpha_finding(campaign: Campaign, chance: Chance) -> dict[str, Any]:
    """Alpha between two bounds, each of which it is beyond with a chance of at most the level."""
    patterns = vote_patterns(campaign)
    draws = chance.draws
    estimate = alpha_with_interval(
        patterns,
        seed=draws.seed,
        replicates=draws.replicates,
        confidence=1 - 2 * chance.level,
    )
    return {"level": patterns.scheme.level, **estimate_as_json(estimate)}
