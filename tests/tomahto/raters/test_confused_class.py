"""Golden values: the `krippendorff` package, for one label against all others."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import mostly
from tests.tomahto.estimates.intervals import ends
from tests.tomahto.strategies import vote_patterns
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.raters.confused_class import Confusions, confusions
from tomahto.reliability.krippendorff_package import package_alpha
from tomahto.votes.patterns import Pattern, VotePatterns
from tomahto.votes.scheme import LabelScheme

pytestmark = pytest.mark.slow


ABC = LabelScheme(("a", "b", "c"), (0, 1, 2))
FEW = Bootstrap(19, seed=1)


def test_confusions_by_hand() -> None:
    # aa 4, bb 1, cc 1, ab 1, bc 1 and aab 1; c alone does not count.
    # Coincidences: ab 1 + 2 * 1 / 2 = 2, bc 1, ac 0. n_a = 8 + 1 + 2 = 11, n_b = 5, n_c = 3.
    # n = 19; n_c n_k: ab 55, ac 33, bc 15, together 103. Part: 3 / 103 (of n_c n_k).
    patterns = VotePatterns.from_votes(ABC, ["aa"] * 4 + ["bb", "cc", "ab", "bc", "aab", "c"])
    found = confusions(patterns, bootstrap=FEW)
    shown = {"".join(one.labels): one for one in found.pairs + found.labels}
    assert (found.n, found.reason, set(shown)) == (9, None, {"ab", "ac", "bc", "a", "b", "c"})
    for name, observed, expected in (
        ("ab", 2 * 2 / 19, 3 * 55 / 103 * 2 / 19),
        ("ac", 0, 3 * 33 / 103 * 2 / 19),
        ("bc", 2 * 1 / 19, 3 * 15 / 103 * 2 / 19),
        ("a", 2 / 11, 3 * 88 / 103 / 11),
        ("b", 3 / 5, 3 * 70 / 103 / 5),
        ("c", 1 / 3, 3 * 48 / 103 / 3),
    ):
        one = shown[name]
        assert one.observed == pytest.approx(observed, abs=1e-15)
        assert one.expected == pytest.approx(expected, abs=1e-15)
        assert one.excess.value == pytest.approx(observed - expected, abs=1e-15)
        assert (one.excess.n, one.excess.replicates, one.excess.seed) == (9, 19, 1)


@given(vote_patterns())
def test_confusions_of_a_label_follow_from_alpha(patterns: VotePatterns) -> None:
    found = confusions(patterns, bootstrap=FEW)
    overall = package_alpha(patterns, level="nominal").value
    totals = patterns.pairable().label_totals()
    n = sum(totals.values())
    for one in found.labels:
        (label,) = one.labels
        place = patterns.scheme.index_of[label]
        collapsed: dict[Pattern, int] = {}
        for pattern, items in patterns.counts.items():
            two = (pattern[place], sum(pattern) - pattern[place])
            collapsed[two] = collapsed.get(two, 0) + items
        alone = package_alpha(VotePatterns(LabelScheme((label, "other"), (1, 0)), collapsed)).value
        assert alone is not None
        assert overall is not None
        chance = (n - totals[label]) / (n - 1)
        assert one.observed == pytest.approx((1 - alone) * chance, abs=1e-9)
        assert one.expected == pytest.approx((1 - overall) * chance, abs=1e-9)
    if found.pairs:
        assert sum(one.excess.value or 0 for one in found.pairs) == pytest.approx(0, abs=1e-9)


def test_confusions_find_a_planted_pair_and_its_labels() -> None:
    patterns = _simulated(seed=3, items=400, confused=0.3)
    found = confusions(patterns, bootstrap=Bootstrap(999, seed=1))
    assert [one.labels for one in found.pairs if one.is_confused] == [("b", "c")]
    first = found.pairs[0]
    assert first.p_value <= 0.005
    assert ends(first.excess)[0] > 0
    assert found.labels[0].labels in (("b",), ("c",))
    assert {one.labels for one in found.labels if one.is_confused} <= {("b",), ("c",)}


def test_confusions_find_a_label_that_is_confused_with_all_others() -> None:
    hits = 0
    for seed in range(20):
        patterns = _simulated(seed=seed, items=400, vague=0.8)
        first = confusions(patterns, bootstrap=Bootstrap(199, seed=seed)).labels[0]
        hits += first.labels == ("d",) and first.is_confused
    assert hits >= 18


@pytest.mark.parametrize("ratings", mostly([(2,), (1, 2, 3), (4,)], (1, 2, 3)))
def test_confusions_where_frequency_is_all_alarm_at_most_5_times_in_100(
    ratings: tuple[int, ...],
) -> None:
    alarms = 0
    for seed in range(100):
        patterns = _simulated(seed=seed, items=250, ratings=ratings)
        found = confusions(patterns, bootstrap=Bootstrap(99, seed=seed))
        alarms += any(one.is_confused for one in found.labels + found.pairs)
    assert alarms <= 5


@pytest.mark.parametrize(
    ("counts", "reason", "n"),
    [
        ({}, "no item has two ratings", 0),
        ({(1, 0, 0): 9}, "no item has two ratings", 0),
        (
            {(1, 1, 0): 9},
            "fewer than three labels occur, so there is no pair to single out",
            9,
        ),
        ({(2, 0, 0): 3, (0, 2, 0): 1, (0, 0, 3): 1}, "no two ratings of an item differ", 5),
    ],
)
def test_confusions_say_why_there_are_none(counts: dict[Pattern, int], reason: str, n: int) -> None:
    found = confusions(VotePatterns(ABC, counts), bootstrap=FEW)
    assert found == Confusions(n, (), (), reason)


def test_confusions_ignore_an_unpaired_item() -> None:
    patterns = _simulated(seed=1, items=60)
    counts = dict(patterns.counts) | {(0, 1, 0, 0): 7}
    more = VotePatterns(patterns.scheme, counts)
    assert confusions(more, bootstrap=FEW) == confusions(patterns, bootstrap=FEW)


@given(st.randoms())
def test_confusions_do_not_depend_on_the_order_of_labels(random: Random) -> None:
    patterns = _simulated(seed=1, items=60)
    order = random.sample(range(4), 4)
    scheme = replace(patterns.scheme, labels=tuple(patterns.scheme.labels[at] for at in order))
    moved = VotePatterns(
        scheme,
        {tuple(pattern[at] for at in order): items for pattern, items in patterns.counts.items()},
    )
    ours, theirs = confusions(patterns, bootstrap=FEW), confusions(moved, bootstrap=FEW)
    assert ours.n == theirs.n
    excesses = [
        {frozenset(one.labels): one.excess.value for one in each.labels + each.pairs}
        for each in (ours, theirs)
    ]
    assert excesses[0] == pytest.approx(excesses[1], abs=1e-12)


def test_confusions_need_enough_draws() -> None:
    with pytest.raises(ValueError, match=r"18 draws cannot reach the level 0.05"):
        confusions(VotePatterns(ABC, {}), bootstrap=Bootstrap(18, seed=1))


def _simulated(
    *,
    seed: int,
    items: int,
    ratings: tuple[int, ...] = (2, 3),
    confused: float = 0.0,
    vague: float = 0.0,
) -> VotePatterns:
    """Raters who know the class with chance 0.8 and else give any label as often as it occurs.

    They take b for c with chance `confused`, and do not know d with the further chance `vague`.
    """
    generator = np.random.default_rng(seed)
    frequencies = [0.4, 0.3, 0.2, 0.1]
    true = generator.choice(4, items, p=frequencies)
    sizes = generator.choice(ratings, items)
    counts = np.zeros((items, 4), dtype=np.int64)
    for rating in range(max(ratings)):
        knows = generator.random(items) < np.where(true == 3, 0.8 * (1 - vague), 0.8)
        labels = np.where(knows, true, generator.choice(4, items, p=frequencies))
        labels = np.where((labels == 1) & (generator.random(items) < confused), 2, labels)
        rated = np.flatnonzero(rating < sizes)
        counts[rated, labels[rated]] += 1
    patterns, times = np.unique(counts, axis=0, return_counts=True)
    scheme = LabelScheme(("a", "b", "c", "d"), (0, 1, 2, 3))
    return VotePatterns(
        scheme,
        {tuple(one): n for one, n in zip(patterns.tolist(), times.tolist(), strict=True)},
    )


@pytest.mark.parametrize("swapped", [0.0, 0.4])
def test_confusions_stop_drawing_without_another_verdict(
    monkeypatch: pytest.MonkeyPatch, swapped: float
) -> None:
    def at_once(replicates: int) -> list[int]:
        return [replicates]

    random, confused = Random(4), 0
    for seed in range(8):
        votes = [[_vote(random, true, swapped) for _ in range(3)] for true in "abc" * 60]
        patterns, draws = VotePatterns.from_votes(ABC, votes), Bootstrap(999, seed)
        ours = confusions(patterns, bootstrap=draws, level=0.02)
        with monkeypatch.context() as patch:
            patch.setattr("tomahto.raters.confused_class.growing_rounds", at_once)
            theirs = confusions(patterns, bootstrap=draws, level=0.02)
        assert _verdicts(ours) == _verdicts(theirs)
        confused += sum(_verdicts(ours).values())
    assert confused >= 8 if swapped else confused <= 1


def _vote(random: Random, true: str, swapped: float) -> str:
    """Right but for one in seven; a and b are swapped with a chance of their own."""
    if true != "c" and random.random() < swapped:
        return "b" if true == "a" else "a"
    return random.choice("abc") if random.random() < 0.2 else true


def _verdicts(found: Confusions) -> dict[tuple[str, ...], bool]:
    return {one.labels: one.is_confused for one in (*found.labels, *found.pairs)}
