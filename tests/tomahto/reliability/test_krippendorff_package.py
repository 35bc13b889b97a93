import krippendorff
import numpy as np
import pytest
from hypothesis import given

from tests.tomahto.strategies import LEVELS, vote_patterns
from tomahto.estimates.estimate import Estimate
from tomahto.reliability.krippendorff_package import package_alpha, package_cells
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

YES_NO = LabelScheme(("yes", "no"), (1, 0))


@given(vote_patterns())
def test_package_alpha_equals_the_package_on_every_single_rating(patterns: VotePatterns) -> None:
    # One column per item, one row per place among its ratings, ranks as values.
    units = [
        np.repeat(patterns.scheme.ranks, pattern)
        for pattern, items in patterns.counts.items()
        for _ in range(items)
    ]
    data = np.full((max(map(len, units), default=0), len(units)), np.nan)
    for column, values in enumerate(units):
        data[: len(values), column] = values
    for level in LEVELS[1:]:  # ranks cannot tell labels apart, as the nominal level must
        estimate = package_alpha(patterns, level=level)
        if estimate.value is not None:
            expected = krippendorff.alpha(data, level_of_measurement=level)
            assert estimate.value == pytest.approx(expected, rel=0, abs=1e-12)


def test_package_alpha_is_undefined_where_the_package_raises() -> None:
    with pytest.raises(ValueError, match="at least one unit with values assigned by at least two"):
        krippendorff.alpha(value_counts=[[1, 0], [0, 1]], level_of_measurement="nominal")
    assert package_alpha(VotePatterns(YES_NO, {(1, 0): 1, (0, 1): 1})) == Estimate(
        value=None, reason="no item has two ratings", n=0
    )


def test_package_alpha_is_undefined_where_the_package_divides_by_zero() -> None:
    with pytest.warns(RuntimeWarning, match="invalid value"):
        krippendorff.alpha(value_counts=[[2, 0], [3, 0]], level_of_measurement="nominal")
    assert package_alpha(VotePatterns(YES_NO, {(2, 0): 1, (3, 0): 1})) == Estimate(
        value=None,
        reason="only one label occurs, so no disagreement can be expected by chance",
        n=2,
    )


def test_package_cells_count_disagreeing_items_and_one_unit_per_value() -> None:
    # (7 + 3 items, + 2 values) * 2 * 2; neither the unanimous nor the unpaired cost anything
    patterns = VotePatterns(YES_NO, {(4, 0): 900, (1, 1): 7, (2, 1): 3, (1, 0): 50})
    assert package_cells(patterns) == 48
