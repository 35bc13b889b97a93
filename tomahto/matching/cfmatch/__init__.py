"""CFMatch: logistic regression on words of both answers (Li et al. 2024)."""

from pathlib import Path

from tomahto.matching.description import JsonWeights, MatcherDescription

SHIPPED_WEIGHTS = Path(__file__).parent / "cfmatch.json"
MATCHERS = (
    MatcherDescription(
        name="cfmatch",
        reads_words=True,
        weights=JsonWeights(
            shipped=SHIPPED_WEIGHTS,
            train=f"{__name__}.training:learn",
            file=f"{__name__}.weights:WEIGHTS_FILE",
            matcher=f"{__name__}.matcher:CFMatch",
        ),
    ),
)
