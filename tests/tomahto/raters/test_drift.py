from typing import Any

import numpy as np
import pytest

from tests.tomahto.raters.votes import rows_of
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.raters.drift import RaterDrift, drift, level_of_look
from tomahto.votes.rating_rows import RatingRows

pytestmark = pytest.mark.slow


LABELS = ("a", "b", "c")


def test_drift_finds_who_declines_and_where_and_nobody_else() -> None:
    rows = _simulated(seed=1, raters=3, items=300, drifter=1, since=150, then=0.1)
    al, bo, cy = drift(rows, bootstrap=Bootstrap(999, seed=1), window=50)
    assert [one.verdict for one in (al, bo, cy)] == ["steady", "declines", "steady"]
    assert bo.p_value is not None
    assert bo.p_value <= 3 / 1000
    assert (bo.position, bo.ratings, bo.compared) == (150, 300, 300)
    assert bo.change is not None
    # Right with 0.1 + 0.9 / 3 = 0.4 instead of 0.933, against others right with 0.933: agreement
    # 0.4 * 0.933 + 0.6 / 2 * 0.067 = 0.393 instead of 0.933^2 + 0.067^2 / 2 = 0.873.
    assert bo.change == pytest.approx(0.393 - 0.873, abs=0.1)
    assert [(one.start, one.end, one.agreement.n) for one in bo.windows] == [
        (start, start + 50, 50) for start in range(0, 300, 50)
    ]
    assert bo.windows[0].before is None
    assert bo.windows[4].before == pytest.approx(
        np.mean([one.agreement.value for one in bo.windows[:4]])
    )


@pytest.mark.parametrize(
    ("simulated", "since", "verdict"),
    [
        ({"seed": 2, "items": 400, "then": 0.95, "first": 0.4}, 100, "improves"),
        ({"seed": 3, "items": 500, "then": 0.2, "until": 250}, 200, "declines"),  # and it passes
    ],
)
def test_drift_finds_who_improves_and_a_decline_that_passes(
    simulated: dict[str, Any], since: int, verdict: str
) -> None:
    rows = _simulated(raters=4, drifter=2, since=since, **simulated)
    found = drift(rows, bootstrap=Bootstrap(999, seed=1), window=50)
    assert [one.verdict for one in found] == ["steady", "steady", verdict, "steady"]
    assert found[2].position == since
    assert found[2].change is not None
    assert abs(found[2].change) > 0.2


def test_drift_of_steady_campaigns_alarms_at_most_5_times_in_100() -> None:
    alarms = 0
    for seed in range(200):
        rows = _simulated(seed=seed, raters=5, items=120)
        found = drift(rows, bootstrap=Bootstrap(199, seed=seed), window=20)
        alarms += any(one.verdict != "steady" for one in found)
    assert alarms <= 10


def test_drift_takes_no_run_of_hard_items_for_drift() -> None:
    # Class c is hard for everybody and comes in the second half only.
    alarms = 0
    for seed in range(20):
        rows = _simulated(seed=seed, raters=5, items=200, hard_half=True)
        found = drift(rows, bootstrap=Bootstrap(199, seed=seed), window=25)
        alarms += any(one.verdict != "steady" for one in found)
    assert alarms <= 2


def test_drift_shows_each_window_by_hand() -> None:
    # bo is compared on q1, q2, q4, q5 (q3 is bo's alone); with al: same, same, other, other.
    rows = rows_of("aa", "bb", ".a", "ab", "ac")
    _, bo = drift(rows, bootstrap=Bootstrap(19, seed=4), window=2)
    first, second = bo.windows
    # Wilson for 2 of 2: z^2 / (n + z^2) = 3.841459 / 5.841459 is what it leaves off.
    assert first.agreement.low == pytest.approx(1 - 3.841459 / 5.841459, abs=1e-6)
    assert first.agreement == Estimate(value=1.0, n=2, low=first.agreement.low, high=1.0)
    assert (first.start, first.end, first.expected, first.before) == (0, 2, None, None)
    assert (second.start, second.end, second.expected, second.before) == (3, 5, None, 1.0)
    assert (second.agreement.value, bo.position, bo.change) == (0, 3, -1)
    # Orders of 1 1 0 0: two of six are as striking; about 6 of 19 for each of the two raters.
    assert bo.p_value is not None
    assert 0.2 < bo.p_value <= 1


def test_drift_needs_two_windows() -> None:
    rows = rows_of("aa", "b", "..c")
    al, bo, cy = drift(rows, bootstrap=Bootstrap(19, seed=4), window=2)
    for one, ratings, compared in ((al, 2, 1), (bo, 1, 1), (cy, 1, 0)):
        assert (one.ratings, one.compared, one.verdict) == (ratings, compared, "too-few")
        assert (one.p_value, one.position, one.change) == (None, None, None)
    assert (len(al.windows), len(cy.windows)) == (1, 0)


def test_drift_of_raters_who_always_agree_is_steady() -> None:
    rows = rows_of(*["aaa"] * 8)
    found = drift(rows, bootstrap=Bootstrap(19, seed=4), window=2)
    assert [(one.verdict, one.p_value, one.change) for one in found] == [("steady", 1.0, 0.0)] * 3


def test_drift_depends_on_the_seed_alone_and_not_on_the_names_of_labels() -> None:
    rows = _simulated(seed=5, raters=3, items=90)
    ours = drift(rows, bootstrap=Bootstrap(99, seed=1), window=20)
    assert drift(rows, bootstrap=Bootstrap(99, seed=1), window=20) == ours
    turned = RatingRows(
        rows.items, rows.raters, (rows.labels + 1) % 3, rows.rater_names, rows.label_names
    )
    theirs = drift(turned, bootstrap=Bootstrap(99, seed=1), window=20)
    for one, other in zip(ours, theirs, strict=True):
        assert (one.position, one.p_value) == (other.position, other.p_value)
        assert one.change == pytest.approx(other.change, abs=1e-12)


def test_drift_ignores_items_that_nobody_else_rated() -> None:
    rows = _simulated(seed=6, raters=3, items=90)
    more = RatingRows(
        np.append(rows.items, 90),
        np.append(rows.raters, 0),
        np.append(rows.labels, 2),
        rows.rater_names,
        rows.label_names,
    )
    ours, theirs = (drift(one, bootstrap=Bootstrap(99, seed=1), window=20) for one in (rows, more))
    assert theirs[1:] == ours[1:]
    assert _without_ratings(theirs[0]) == _without_ratings(ours[0])
    assert theirs[0].ratings == ours[0].ratings + 1


@pytest.mark.parametrize("drifter", [None, 1])
def test_drift_stops_permuting_without_another_verdict(
    monkeypatch: pytest.MonkeyPatch, drifter: int | None
) -> None:
    def at_once(replicates: int) -> list[int]:
        return [replicates]

    stopped, whole = [], []
    for seed in range(6):
        rows = _simulated(seed=seed, raters=4, items=160, drifter=drifter, since=80, then=0.2)
        stopped.append(drift(rows, bootstrap=Bootstrap(1999, seed=seed), window=20, level=0.02))
        with monkeypatch.context() as patch:
            patch.setattr("tomahto.raters.drift.growing_rounds", at_once)
            whole.append(drift(rows, bootstrap=Bootstrap(1999, seed=seed), window=20, level=0.02))
    for ours, theirs in zip(stopped, whole, strict=True):
        assert [one.verdict for one in ours] == [one.verdict for one in theirs]
        for one, other in zip(ours, theirs, strict=True):
            if other.verdict != "steady":
                assert one == other
            else:
                assert one.p_value == pytest.approx(other.p_value, abs=0.25)
    declines = sum(one.verdict == "declines" for each in whole for one in each)
    assert declines >= 4 if drifter else declines <= 1


def test_level_of_look_spends_the_level_over_all_looks() -> None:
    assert [level_of_look(look) for look in (1, 2, 3)] == pytest.approx([1 / 40, 1 / 120, 1 / 240])
    assert sum(level_of_look(look) for look in range(1, 1000)) < 0.05
    with pytest.raises(ValueError, match="look 0 is less than 1"):
        level_of_look(0)


@pytest.mark.parametrize(
    ("replicates", "window", "message"),
    [(99, 1, "a window of 1 ratings"), (9, 20, "9 permutations cannot reach the level 0.05")],
)
def test_drift_refuses_what_cannot_be_tested(replicates: int, window: int, message: str) -> None:
    rows = _simulated(seed=6, raters=3, items=90)
    with pytest.raises(ValueError, match=message):
        drift(rows, bootstrap=Bootstrap(replicates, seed=1), window=window)


def test_drift_refuses_a_second_rating_of_an_item() -> None:
    rows = RatingRows.of([("q1", "al", "a"), ("q1", "al", "b")], LABELS)
    with pytest.raises(ValueError, match="a rater rated an item twice"):
        drift(rows, bootstrap=Bootstrap(19, seed=1))


def _without_ratings(one: RaterDrift) -> tuple[object, ...]:
    return (one.rater, one.compared, one.windows, one.verdict, one.p_value, one.position)


def _simulated(
    *,
    seed: int,
    raters: int,
    items: int,
    drifter: int | None = None,
    since: int = 0,
    until: int = 1_000_000,
    then: float = 0.9,
    first: float = 0.9,
    hard_half: bool = False,
) -> RatingRows:
    """All raters rate all items in order; each knows the class with chance 0.9, else guesses.

    The drifter knows it with chance `first`, from item `since` to `until` with chance `then`.
    """
    generator = np.random.default_rng(seed)
    true = generator.integers(0, 3, items)
    if hard_half:
        true = np.where(np.arange(items) < items // 2, true % 2, 2)
    item_of, rater_of = np.repeat(np.arange(items), raters), np.tile(np.arange(raters), items)
    chance = np.where(true[item_of] == 2, 0.5, 0.9) if hard_half else np.full(len(item_of), 0.9)
    if drifter is not None:
        changed = np.where((item_of >= since) & (item_of < until), then, first)
        chance = np.where(rater_of == drifter, changed, chance)
    knows = generator.random(len(item_of)) < chance
    labels = np.where(knows, true[item_of], generator.integers(0, 3, len(item_of)))
    names = tuple(f"rater {number}" for number in range(raters))
    return RatingRows(item_of, rater_of, labels, names, LABELS)
