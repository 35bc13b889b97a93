from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from tests.tomahto.strategies import rating_rows
from tomahto.raters.agreement_with_others import AgreementWithOthers
from tomahto.votes.rating_rows import RatingRows

ROWS = RatingRows.of(
    [
        *(("q1", "al", "a"), ("q1", "bo", "a"), ("q1", "cy", "b")),
        *(("q2", "bo", "b"), ("q2", "cy", "b"), ("q2", "di", "a")),
        *(("q3", "bo", "a"), ("q3", "di", "a")),
        ("q4", "al", "b"),
    ],
    ("a", "b"),
)


def test_agreement_with_others_by_hand() -> None:
    found = AgreementWithOthers.of(ROWS)
    halves = [1 / 2, 1 / 2, 0, 1 / 2, 1 / 2, 0, 1, 1]
    assert found.agreement[:8].tolist() == halves
    # q1: the two others agree if al or bo looks at one a and one b: never; cy sees a and a.
    # q2: bo sees b and a, cy too, di sees b and b.
    assert found.expected[:6].tolist() == [0, 0, 1, 0, 0, 1]
    # q3, one other with a. bo left out: q1 a b, q2 b a: first vote a, 0 of 2 agree.
    # di left out: q1 a a b, q2 b b: first vote a, 1 of 2 for al and 1 of 2 for bo.
    assert found.expected[6:8].tolist() == [0, 1 / 2]
    assert np.isnan([found.agreement[8], found.expected[8]]).all()


def test_agreement_with_others_compares_with_nobody_who_is_left_out() -> None:
    found = AgreementWithOthers.of(ROWS, frozenset([ROWS.rater_names.index("cy")]))
    # al and bo agree on q1, bo and di disagree on q2.
    assert found.agreement[[0, 1, 3, 5]].tolist() == [1, 1, 0, 0]
    # al left out, cy too: bo and di with q2 b, a and q3 a, a: a 2 of 3 and b 0 of 1.
    assert found.expected[0] == pytest.approx(2 / 3, abs=1e-15)


def test_agreement_with_others_has_no_expectation_from_one_other() -> None:
    rows = RatingRows.of([("q1", "al", "a"), ("q1", "bo", "b")], ("a", "b"))
    found = AgreementWithOthers.of(rows)
    assert found.agreement.tolist() == [0, 0]
    assert np.isnan(found.expected).all()


@given(rating_rows())
def test_agreement_with_others_is_expected_whatever_the_rater_gives(rows: RatingRows) -> None:
    once = np.unique(rows.items * len(rows.rater_names) + rows.raters, return_index=True)[1]
    rows = replace(rows, items=rows.items[once], raters=rows.raters[once], labels=rows.labels[once])
    others = (rows.labels + 1) % len(rows.label_names)
    turned = replace(rows, labels=np.where(rows.raters == rows.raters[0], others, rows.labels))
    own = rows.raters == rows.raters[0]
    before, after = (AgreementWithOthers.of(one).expected[own] for one in (rows, turned))
    assert after == pytest.approx(before, abs=1e-12, nan_ok=True)
