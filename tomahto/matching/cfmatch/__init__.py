"""CFMatch: logistic regression on words of both answers (Li et al. 2024)."""

from pathlib import Path

from tomahto.matching.table import JsonWeights, MatcherDescription

SHIPPED_WEIGHTS = Path(__file__).parent / "cfmatch.json"
MATCHERS = (
    MatcherDescription(
        name="cfmatch",
        reads_words=True,
        weights=JsonWeights(
            shipped=SHIPPED_WEIGHTS,
            train="tomahto.matching.cfmatch.training:learn",
            file="tomahto.matching.cfmatch.matcher:WEIGHTS_FILE",
            matcher="tomahto.matching.cfmatch.matcher:CFMatch",
        ),
    ),
)
