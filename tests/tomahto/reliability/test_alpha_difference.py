import pytest

from tests.tomahto.estimates.intervals import ends, width
from tomahto.reliability.alpha import alpha, alpha_difference, alpha_with_interval
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("yes", "no"), (1, 0))


def patterns(**counts: int) -> VotePatterns:
    """Items by their two votes: `yy`, `yn` and `nn`."""
    votes = {"yy": (2, 0), "yn": (1, 1), "nn": (0, 2)}
    return VotePatterns(SCHEME, {votes[name]: items for name, items in counts.items()})


def test_difference_is_that_of_the_two_alphas() -> None:
    # Earlier: 40 ratings, 20 yes: D_e = 2 * 20 * 20 / (40 * 39) = 0.5128, D_o = 8 / 20 = 0.4,
    # alpha = 0.22. Later: D_o = 2 / 20 = 0.1, alpha = 0.805. Difference 0.585.
    earlier, later = patterns(yy=6, yn=8, nn=6), patterns(yy=9, yn=2, nn=9)
    found = alpha_difference(earlier, later, seed=1)
    assert found.value == pytest.approx(0.585)
    assert found.value == pytest.approx((alpha(later).value or 0) - (alpha(earlier).value or 0))
    assert (found.n, found.replicates, found.seed) == (20, 2000, 1)
    low, high = ends(found)
    assert 0 < low < 0.585 < high


def test_variances_of_both_sets_add_up() -> None:
    earlier, later = patterns(yy=60, yn=80, nn=60), patterns(yy=90, yn=20, nn=90)
    apart = [width(alpha_with_interval(each, seed=1)) for each in (earlier, later)]
    found = width(alpha_difference(earlier, later, seed=1))
    assert found == pytest.approx((apart[0] ** 2 + apart[1] ** 2) ** 0.5, rel=0.1)


def test_equal_sets_do_not_differ_yet_are_drawn_apart() -> None:
    found = alpha_difference(patterns(yy=6, yn=8, nn=6), patterns(yy=6, yn=8, nn=6), seed=1)
    assert found.value == 0
    low, high = ends(found)
    assert low < 0 < high


def test_a_set_without_alpha_says_which_and_why() -> None:
    good, alike = patterns(yy=6, yn=8, nn=6), patterns(yy=5)
    reason = "only one label occurs, so no disagreement can be expected by chance"
    found = [alpha_difference(alike, good, seed=0), alpha_difference(good, alike, seed=0)]
    assert [(each.value, each.n, each.reason) for each in found] == [
        (None, 5, f"earlier: {reason}"),
        (None, 5, f"later: {reason}"),
    ]
    nothing = alpha_difference(VotePatterns(SCHEME, {(1, 0): 3}), good, seed=0)
    assert nothing.reason == "earlier: no item has two ratings"


def test_one_item_gives_no_interval() -> None:
    found = alpha_difference(patterns(yy=6, yn=8, nn=6), patterns(yn=1), seed=0)
    assert (found.n, found.low, found.high) == (1, None, None)
    assert found.value is not None
    assert found.reason == "one item with two ratings cannot be resampled into an interval"


def test_what_cannot_be_compared_is_refused() -> None:
    other = VotePatterns(LabelScheme(("a", "b"), (1, 0)), {(1, 1): 2})
    with pytest.raises(ValueError, match="schemes"):
        alpha_difference(patterns(yn=2), other, seed=0)
    with pytest.raises(ValueError, match="replicates"):
        alpha_difference(patterns(yn=2), patterns(yn=2), seed=0, replicates=0)
