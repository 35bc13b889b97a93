import numpy as np
import pytest

from tests.tomahto.estimates.intervals import covers, width
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.post_stratified import post_stratified_mean

DRAWS = Bootstrap(2000, seed=4)


def test_strata_count_as_much_as_they_have_units_not_as_much_as_is_known() -> None:
    # 20 exact matches, all right; 80 others, of which 10 are judged and 4 of these right:
    # (20 * 1 + 80 * 0.4) / 100 = 0.52, where pooling would say 24 / 30 = 0.8.
    found = post_stratified_mean(
        {("exact", 1.0): 20, ("rated", 1.0): 4, ("rated", 0.0): 6, ("rated", None): 70}, DRAWS
    )
    assert found.value == pytest.approx(0.52)
    assert (found.n, found.replicates, found.seed) == (30, 2000, 4)
    # the standard error is mainly 0.8 sqrt(0.4 * 0.6 / 10) = 0.12
    assert width(found) == pytest.approx(2 * 2.08 * 0.12, rel=0.2)


def test_where_all_is_known_it_is_the_mean() -> None:
    # (2 * 1 + 1 * -1 + 1 * 0) / 4
    found = post_stratified_mean({("a", 1.0): 2, ("a", -1.0): 1, ("b", 0.0): 1}, DRAWS)
    assert found.value == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("cells", "n", "reason"),
    [
        ({}, 0, "there is nothing to take the mean of"),
        ({("a", 1.0): 0}, 0, "there is nothing to take the mean of"),
        ({("a", 1.0): 3, ("b", None): 2}, 3, "none of those that are b is judged"),
    ],
)
def test_undefined_says_why(
    cells: dict[tuple[str, float | None], int], n: int, reason: str
) -> None:
    found = post_stratified_mean(cells, DRAWS)
    assert (found.value, found.n, found.reason) == (None, n, reason)


def test_one_unit_gives_no_interval() -> None:
    found = post_stratified_mean({("a", 1.0): 1}, DRAWS)
    assert (found.value, found.low, found.reason) == (
        1.0,
        None,
        "one unit cannot be resampled into an interval",
    )


def test_replicates_in_which_a_stratum_is_not_known_are_counted() -> None:
    found = post_stratified_mean({("a", 1.0): 1, ("a", 0.0): 1, ("a", None): 8}, DRAWS)
    # no known unit among ten: 0.8^10 = 0.107
    assert found.undefined_replicates / found.replicates == pytest.approx(0.107, abs=0.02)
    assert (found.low, found.high) == (0.0, 1.0)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="less than 0"):
        post_stratified_mean({("a", 1.0): -1}, DRAWS)


def test_interval_covers_the_share_of_all() -> None:
    generator, covered = np.random.default_rng(8), 0
    for seed in range(100):
        exact = int(generator.binomial(300, 0.2))
        judged = 60
        right = int(generator.binomial(judged, 0.5))
        found = post_stratified_mean(
            {
                ("exact", 1.0): exact,
                ("rated", 1.0): right,
                ("rated", 0.0): judged - right,
                ("rated", None): 300 - exact - judged,
            },
            Bootstrap(500, seed),
        )
        covered += covers(found, 0.2 + 0.8 * 0.5)
    assert covered >= 0.9 * 100
