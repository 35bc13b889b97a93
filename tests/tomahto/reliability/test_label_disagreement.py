from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from tests.tomahto.strategies import canonical_example, vote_patterns
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.reliability.alpha import alpha, label_disagreement
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

BOOTSTRAP = Bootstrap(400, seed=1)


def test_label_disagreement_by_hand() -> None:
    scheme = LabelScheme(("a", "b", "c"), (2, 1, 0))
    patterns = VotePatterns.from_votes(scheme, ["aab", "bb", "aa", "c"])
    found = label_disagreement(patterns, bootstrap=BOOTSTRAP)
    # aab: a with a 2/2, a with b 2/2 both ways; bb: 2/1; aa: 2/1; c alone is left out
    assert found.table == ((3.0, 1.0, 0.0), (1.0, 2.0, 0.0), (0.0, 0.0, 0.0))
    a, b, c = found.disagreement
    assert [(one.value, one.n) for one in (a, b)] == [(0.25, 2), (pytest.approx(1 / 3), 2)]
    assert (c.value, c.n, c.reason) == (None, 0, "no item with two votes has this label")
    assert (a.replicates, a.seed) == (400, 1)
    assert a.undefined_replicates > 0  # only bb was drawn
    assert a.low == 0.0


def test_coincidences_are_krippendorffs() -> None:
    # Krippendorff 2011, section C: the coincidence matrix of the canonical example
    table = label_disagreement(canonical_example("nominal"), bootstrap=BOOTSTRAP).table
    golden = np.array(
        [
            [7, 4 / 3, 1 / 3, 1 / 3, 0],
            [4 / 3, 10, 4 / 3, 1 / 3, 0],
            [1 / 3, 4 / 3, 8, 1 / 3, 0],
            [1 / 3, 1 / 3, 1 / 3, 4, 0],
            [0, 0, 0, 0, 3],
        ]
    )
    assert np.allclose(table, golden)


@given(vote_patterns())
def test_coincidences_give_nominal_alpha(patterns: VotePatterns) -> None:
    table = np.array(label_disagreement(patterns, bootstrap=Bootstrap(5, seed=1)).table)
    votes = table.sum(axis=1)
    pairable: Counter[int] = Counter()
    for pattern, items in patterns.pairable().counts.items():
        for label, count in enumerate(pattern):
            pairable[label] += count * items
    assert np.allclose(votes, [pairable[label] for label in range(len(votes))])
    golden = alpha(patterns, level="nominal")
    if golden.value is not None:
        n = votes.sum()
        expected = (n * n - (votes**2).sum()) / (n - 1)
        assert golden.value == pytest.approx(1 - (n - np.trace(table)) / expected)
