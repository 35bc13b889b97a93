import pytest

from tests.tomahto.raters.votes import rows_of
from tomahto.estimates.estimate import Estimate, wilson_interval
from tomahto.raters.agreement_with_others import AgreementWindow, agreement_windows


def test_agreement_windows_by_hand() -> None:
    # bo is compared on q1, q3, q4, q5, q6 (q2 is bo's alone): same, other, same, same, other.
    rows = rows_of("aa", ".a", "ab", "bb", "aa", "ab", "..a")
    _, bo, cy = agreement_windows(rows, window=2)
    # the last window takes what is left over: ratings 4 to 6 of bo's six
    low, high = wilson_interval(1, 2)
    first = AgreementWindow(0, 3, Estimate(value=0.5, n=2, low=low, high=high), None, None)
    low, high = wilson_interval(2, 3)
    rest = AgreementWindow(3, 6, Estimate(value=2 / 3, n=3, low=low, high=high), None, 0.5)
    assert bo == (first, rest)
    assert cy == ()


def test_agreement_windows_expect_what_the_others_agree_among_themselves() -> None:
    (al,), _, _ = agreement_windows(rows_of("aaa", "aab", "abb"))
    # al agrees with 2, 1 and 0 of two others; bo and cy agree on q1 and q3
    assert al.agreement.value == pytest.approx((1 + 0.5 + 0) / 3)
    assert al.expected == pytest.approx(2 / 3)
