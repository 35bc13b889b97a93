from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme
from tomahto.votes.values_by_units import values_by_units

# `right` and `also right` share a rank; `odd` is never given to an item with two ratings.
SCHEME = LabelScheme(("wrong", "right", "also right", "odd"), (0, 6, 6, 3), "ordinal")
PATTERNS = VotePatterns(SCHEME, {(1, 2, 1, 0): 5, (0, 1, 1, 0): 2, (0, 0, 0, 1): 9})


def test_values_are_ranks_and_labels_of_one_rank_are_one_value() -> None:
    table = values_by_units(PATTERNS)
    assert table.values.tolist() == [0, 6]
    assert table.counts.tolist() == [[0, 2], [1, 3]]
    assert table.units.tolist() == [2, 5]
    assert (table.n, table.why_undefined) == (7, None)


def test_values_are_labels_at_the_nominal_level() -> None:
    table = values_by_units(PATTERNS, "nominal")
    assert table.values.tolist() == [0, 1, 2]
    assert table.counts.tolist() == [[0, 1, 1], [1, 2, 1]]


def test_values_of_single_ratings_are_left_out() -> None:
    table = values_by_units(VotePatterns(SCHEME, {(0, 0, 0, 1): 9}))
    assert (table.values.tolist(), table.n) == ([], 0)
    assert table.why_undefined == "no item has two ratings"


def test_values_are_undefined_for_alpha_when_only_one_occurs() -> None:
    both_right = VotePatterns(SCHEME, {(0, 1, 1, 0): 2})
    assert values_by_units(both_right, "nominal").why_undefined is None
    assert values_by_units(both_right).why_undefined == (
        "only one rank occurs, so no disagreement can be expected by chance"
    )


def test_values_are_scaled_by_a_power_of_two() -> None:
    assert values_by_units(PATTERNS).scaled.tolist() == [0, 6 / 8]
    negative = LabelScheme(("far", "near"), (-1e300, 0), "interval")
    huge = values_by_units(VotePatterns(negative, {(1, 1): 1}))
    assert huge.scaled.tolist() == [-1e300 / 2.0**997, 0]


def test_values_of_a_scheme_without_labels_are_none() -> None:
    for level in ("nominal", "interval"):
        assert values_by_units(VotePatterns(LabelScheme((), (), level), {})).n == 0
