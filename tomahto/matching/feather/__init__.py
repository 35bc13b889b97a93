"""Feather: boosted trees on features of both answers."""

from pathlib import Path

from tomahto.matching.table import JsonWeights, MatcherDescription

SHIPPED_WEIGHTS = Path(__file__).parent / "feather.json"
MATCHERS = (
    MatcherDescription(
        name="feather",
        reads_words=True,
        weights=JsonWeights(
            shipped=SHIPPED_WEIGHTS,
            train="tomahto.matching.feather.training:learn",
            file="tomahto.matching.feather.matcher:WEIGHTS_FILE",
            matcher="tomahto.matching.feather.matcher:Feather",
        ),
    ),
)
