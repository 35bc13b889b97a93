"""Golden values: scikit-learn's cohen_kappa_score, the standard error of Fleiss, Cohen, Everitt."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from tests.sampling import mostly
from tests.tomahto.estimates.intervals import covers
from tests.tomahto.raters.votes import rows_of
from tomahto.estimates.estimate import Estimate
from tomahto.raters.agreement_with_others import raters_and_rest
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("a", "b", "c"), (2, 1, 0), "ordinal")


def test_raters_and_rest_by_hand() -> None:
    al = raters_and_rest(rows_of("aab", "bb.", "abb", "c.."), SCHEME)[0]
    # al's others: a b | b | b b. Same shares 1/2, 1, 0; c is compared with nobody.
    assert al.agreement.value == pytest.approx(0.5)
    assert al.agreement.n == 3
    assert al.table == ((0.5, 1.5, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    # O = 1/2; p = (2/3, 1/3), q = (1/6, 5/6): E = 1 - 2/18 - 5/18 = 11/18
    assert al.kappa["unweighted"].value == pytest.approx(1 - 0.5 / (11 / 18))
    # a and b are 1 apart in rank, and c does not occur: weights change nothing here
    assert al.kappa["quadratic"].value == al.kappa["unweighted"].value


def test_raters_and_rest_say_why_there_is_nothing() -> None:
    al, bo = raters_and_rest(rows_of("a.", ".b"), SCHEME)
    nothing = Estimate(value=None, n=0, reason="nobody else has rated the same items")
    assert (al.agreement, al.kappa["linear"]) == (nothing, nothing)
    assert bo.agreement == nothing
    al, _ = raters_and_rest(rows_of("aa", "aa"), SCHEME)
    assert al.kappa["unweighted"].reason == "expected agreement is 1: all used one label only"
    al, _ = raters_and_rest(rows_of("aa", "bb"), SCHEME)
    assert al.kappa["unweighted"] == Estimate(
        value=1, n=2, reason="all ratings are alike: no spread, no interval"
    )


PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=4, max_size=60)


@given(PAIRS)
def test_kappa_with_one_other_is_cohens(pairs: list[tuple[str, str]]) -> None:
    found = raters_and_rest(rows_of(*map("".join, pairs)), SCHEME)[0]
    ours, theirs = zip(*pairs, strict=True)
    if len({*ours, *theirs}) == 1:
        assert found.kappa["unweighted"].value is None
        return
    for weights, name in (("unweighted", None), ("linear", "linear"), ("quadratic", "quadratic")):
        golden = cohen_kappa_score(ours, theirs, labels=list("abc"), weights=name)
        assert found.kappa[weights].value == pytest.approx(golden, abs=1e-12)  # type: ignore[index]  # one of the three names


@given(PAIRS)
def test_interval_with_one_other_is_that_of_fleiss_cohen_and_everitt(
    pairs: list[tuple[str, str]],
) -> None:
    found = raters_and_rest(rows_of(*map("".join, pairs)), SCHEME)[0].kappa["unweighted"]
    if found.value is None or found.low is None:
        return
    joint = np.zeros((3, 3))
    for one, other in pairs:
        joint["abc".index(one), "abc".index(other)] += 1 / len(pairs)
    own, rest = joint.sum(axis=1), joint.sum(axis=0)
    by_chance, kappa = float(own @ rest), found.value
    # their formula (13): agreements, disagreements, and a last term
    agreed = sum(joint[i, i] * (1 - (own[i] + rest[i]) * (1 - kappa)) ** 2 for i in range(3))
    differing = sum(
        joint[i, j] * (rest[i] + own[j]) ** 2 for i in range(3) for j in range(3) if i != j
    )
    last = (kappa - by_chance * (1 - kappa)) ** 2
    variance = (agreed + (1 - kappa) ** 2 * differing - last) / (len(pairs) * (1 - by_chance) ** 2)
    # on the scale of artanh kappa, whose slope is 1 / (1 - kappa^2)
    reach = 1.959963984540054 * math.sqrt(max(0, variance)) / (1 - kappa**2)
    ends = [math.tanh(math.atanh(kappa) - reach), math.tanh(math.atanh(kappa) + reach)]
    assert [found.low, found.high] == pytest.approx(ends, abs=1e-6)


@pytest.mark.parametrize("items", mostly([30, 150], 30))
def test_kappa_intervals_hold_the_value_about_95_times_in_100(items: int) -> None:
    generator = np.random.default_rng(3)
    held = 0
    for _ in range(150):
        true = generator.integers(0, 3, items)
        knows = generator.random((items, 3)) < 0.8
        votes = np.where(knows, true[:, np.newaxis], generator.integers(0, 3, (items, 3)))
        al = raters_and_rest(rows_of(*("".join("abc"[v] for v in row) for row in votes)), SCHEME)[0]
        # who knows both times agrees, who guesses is right by chance: kappa is 0.8 * 0.8
        held += covers(al.kappa["unweighted"], 0.64)
    assert 138 <= held <= 148  # 92 % to 99 %


def test_raters_and_rest_refuse_other_labels() -> None:
    rows = RatingRows.of([(1, "al", "x")], ("x", "y"))
    with pytest.raises(ValueError, match="are not those of the scheme"):
        raters_and_rest(rows, SCHEME)
