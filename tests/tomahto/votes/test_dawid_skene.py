"""Golden values: crowd-kit 1.4.2, DawidSkene(n_iter=1000, tol=-1); Dawid and Skene (1979)."""

import time
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tomahto.strategies import rating_rows
from tomahto.votes.dawid_skene import GRID, DawidSkene, dawid_skene, dawid_skene_0_1_0
from tomahto.votes.rating_rows import RatingRows

pytestmark = pytest.mark.slow


# Table 1 of the paper: 45 patients, three reports of the first observer, one of the others each.
REPORTS = (
    "1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 "
    "2223343 1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 "
    "2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121 1111111 3333233 1111111 "
    "2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 "
    "2222222"
)
ANAESTHETISTS = RatingRows.of(
    [
        (patient, observer, label)
        for patient, reports in enumerate(REPORTS.split())
        for observer, label in zip("1112345", reports, strict=True)
    ],
    tuple("1234"),
)
YES_NO = ("yes", "no")


def test_dawid_skene_equals_crowd_kit_on_the_data_of_the_paper() -> None:
    result = dawid_skene(ANAESTHETISTS, smoothing=0, tolerance=1e-13)
    assert result.is_converged
    # what is summed is rounded to 2^-32, and steps of EM add that up: hence the tolerance
    assert result.priors.tolist() == pytest.approx(
        [0.39955475288268, 0.421983391914474, 0.111795188536141, 0.066666666666705], abs=1e-8
    )
    assert [round(prior, 2) for prior in result.priors] == [0.40, 0.42, 0.11, 0.07]  # the paper's
    assert result.confusions[0].ravel().tolist() == pytest.approx(
        [
            *(0.8894883486824564, 0.1105116513138358, 0, 0),
            *(0.07058545052884474, 0.8763799368395292, 0.05303461262987072, 0),
            *(0, 0.3388215401917610, 0.6611784597949873, 0),
            *(0, 0, 0.5555555555434667, 0.4444444444343110),
        ],
        abs=1e-8,
    )
    assert result.posteriors[37].tolist() == pytest.approx(
        [0, 0.02120048418061, 0.97879951581939, 0], abs=1e-8
    )


def apart(one: DawidSkene, other: DawidSkene) -> float:
    """The largest difference of a posterior or confusion."""
    pairs = (one.posteriors, other.posteriors), (one.confusions, other.confusions)
    return max(float(np.abs(ours - theirs).max()) for ours, theirs in pairs)


# Raters who guess more than they know: EM's steps are short from the start and go far.
SLOW = [(seed, raters) for raters in (4, 8) for seed in range(4)]


@pytest.mark.parametrize(("seed", "raters"), SLOW)
def test_dawid_skene_says_that_it_converged_only_within_its_tolerance(
    seed: int, raters: int
) -> None:
    rows = slow_rows(seed, raters)
    result = dawid_skene(rows)
    optimum = dawid_skene(rows, tolerance=0, max_iterations=50_000)
    assert (result.is_converged, optimum.distance) == (True, 0)
    assert apart(result, optimum) <= 1e-6


def test_dawid_skene_stopped_short_says_how_far_it_has_to_go() -> None:
    rows = slow_rows(0, 4)
    optimum = dawid_skene(rows, tolerance=0, max_iterations=50_000)
    for iterations in (100, 200, 400):
        result = dawid_skene(rows, max_iterations=iterations)
        assert (result.is_converged, result.iterations) == (False, iterations)
        assert result.distance == pytest.approx(apart(result, optimum), rel=0.5)


def test_dawid_skene_of_0_1_0_stops_where_the_objective_hardly_rises() -> None:
    rows = slow_rows(0, 4)
    earlier, now = dawid_skene_0_1_0(rows), dawid_skene(rows)
    assert (earlier.is_converged, earlier.distance) == (True, None)
    assert earlier.log_likelihoods == now.log_likelihoods[: earlier.iterations]
    rises = np.diff(earlier.log_likelihoods) / rows.n
    assert (rises[:-1] >= 1e-8).all()
    assert rises[-1] < 1e-8
    assert apart(earlier, now) > 0.005


def test_dawid_skene_takes_the_first_step_by_hand() -> None:
    # Items: ab say yes yes; yes no; no no. Shares of yes: 1, 1/2, 0; p = 1/2, 1/2.
    # a says yes, yes, no: pi^a_yes,yes = (1 + 1/2) / (3/2) = 1; pi^a_no,yes = (1/2) / (3/2) = 1/3
    # b says yes, no, no:  pi^b_yes,yes = 1 / (3/2) = 2/3; pi^b_no,yes = 0
    # Likelihoods (yes, no): 1/2 * 1 * 2/3 = 1/3, 0; 1/2 * 1 * 1/3 = 1/6, 1/2 * 1/3 * 1 = 1/6;
    # 0, 1/2 * 2/3 * 1 = 1/3. Their product is (1/3)^3.
    rows = RatingRows.of(
        [
            *((1, "a", "yes"), (1, "b", "yes")),
            *((2, "a", "yes"), (2, "b", "no")),
            *((3, "a", "no"), (3, "b", "no")),
        ],
        YES_NO,
    )
    result = dawid_skene(rows, smoothing=0, max_iterations=1)
    assert result.priors.tolist() == [0.5, 0.5]
    assert result.confusions.ravel().tolist() == pytest.approx(
        [1, 0, 1 / 3, 2 / 3, 2 / 3, 1 / 3, 0, 1], abs=GRID
    )
    assert result.posteriors.ravel().tolist() == pytest.approx([1, 0, 0.5, 0.5, 0, 1], abs=GRID)
    assert result.log_likelihoods == pytest.approx([3 * np.log(1 / 3)], abs=4 * GRID)
    assert (result.is_converged, result.iterations, result.ratings.tolist()) == (False, 1, [3, 3])
    assert result.posteriors.max(axis=1) == pytest.approx([1, 0.5, 1], abs=GRID)
    assert [result.accuracy_of(rater) for rater in range(2)] == pytest.approx([5 / 6, 5 / 6])


def test_dawid_skene_smooths_by_ratings_in_every_cell() -> None:
    # One item that a calls yes: T = (1, 0). With s = 1/2: (3/2) / 2 for yes, 1/2 for what is no.
    rows = RatingRows.of([(1, "a", "yes")], YES_NO)
    result = dawid_skene(rows, smoothing=0.5, max_iterations=1)
    assert result.confusions.ravel().tolist() == [0.75, 0.25, 0.5, 0.5]
    # log(1 * 3/4) and half of the logarithms of all cells
    objective = np.log(0.75) + (np.log(0.75) + np.log(0.25) + 2 * np.log(0.5)) / 2
    assert result.log_likelihoods == pytest.approx([objective], abs=4 * GRID)


def test_dawid_skene_without_smoothing_knows_nothing_of_a_rater_without_ratings() -> None:
    rows = RatingRows.of([(1, "a", "yes"), (2, "a", "no")], YES_NO)
    result = dawid_skene(replace(rows, rater_names=("a", "silent")), smoothing=0)
    assert result.confusions[1].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert result.ratings.tolist() == [2, 0]


def test_dawid_skene_recovers_planted_raters_and_beats_the_majority() -> None:
    generator = np.random.default_rng(5)
    true = generator.choice(3, 3000, p=[0.5, 0.3, 0.2])
    accuracies = np.array([0.95, 0.9, 0.55, 0.45, 0.4])
    rows = _simulated(generator, true, accuracies, raters_per_item=5)
    result = dawid_skene(rows)
    planted = accuracies + (1 - accuracies) / 3  # a guess is right one time in three
    found = [result.accuracy_of(rater) for rater in range(5)]
    assert found == pytest.approx(planted.tolist(), abs=0.04)
    by_majority = (rows.counts.argmax(axis=1) == true).mean()
    by_model = (result.posteriors.argmax(axis=1) == true).mean()
    assert 1 - by_model < (1 - by_majority) / 2
    # Calibrated: of the items labelled with confidence c, a share c is right.
    assert result.posteriors.max(axis=1).mean() == pytest.approx(by_model, abs=0.02)


@given(rating_rows(), st.sampled_from([0.0, 0.01, 1.0]))
def test_dawid_skene_never_falls_and_gives_distributions(
    rows: RatingRows, smoothing: float
) -> None:
    result = dawid_skene(rows, smoothing=smoothing, max_iterations=500)
    rounded = (rows.item_count + smoothing * result.confusions.size) * GRID
    assert (np.diff(result.log_likelihoods) >= -2 * rounded).all()
    for distributions in (result.priors, result.confusions, result.posteriors):
        assert distributions.sum(axis=-1) == pytest.approx(np.ones(distributions.shape[:-1]))
        assert (distributions >= 0).all()


@settings(max_examples=25)
@given(rating_rows(), st.randoms())
def test_dawid_skene_depends_on_no_name_of_raters_and_no_order_of_items_and_rows(
    rows: RatingRows, random: Random
) -> None:
    raters, items, order = (
        np.array(random.sample(range(size), size))
        for size in (len(rows.rater_names), rows.item_count, rows.n)
    )
    renamed = replace(
        rows,
        items=items[rows.items][order],
        raters=raters[rows.raters][order],
        labels=rows.labels[order],
    )
    ours, theirs = dawid_skene(rows), dawid_skene(renamed)
    assert theirs.log_likelihoods == ours.log_likelihoods
    assert theirs.posteriors[items].tolist() == ours.posteriors.tolist()
    assert theirs.confusions[raters].tolist() == ours.confusions.tolist()


def test_dawid_skene_keeps_what_is_alike_by_symmetry_alike() -> None:
    """Five raters who each contradict all others: no rounding may side with one of them."""
    rows = RatingRows.of(
        [
            (item, f"r{rater}", YES_NO[int(rater == item)])
            for item in range(5)
            for rater in range(5)
        ],
        YES_NO,
    )
    result = dawid_skene(rows)
    assert len(np.unique(result.posteriors, axis=0)) == 1
    assert len(np.unique([each.ravel() for each in result.confusions], axis=0)) == 1


@given(rating_rows(), st.randoms())
def test_dawid_skene_renames_what_is_renamed(rows: RatingRows, random: Random) -> None:
    labels = np.array(random.sample(range(len(rows.label_names)), len(rows.label_names)))
    renamed = replace(rows, labels=labels[rows.labels])
    ours, theirs = (dawid_skene(one, max_iterations=5) for one in (rows, renamed))
    assert theirs.posteriors[:, labels] == pytest.approx(ours.posteriors, abs=1e-7)
    assert theirs.confusions[:, labels][:, :, labels] == pytest.approx(ours.confusions, abs=1e-7)


@pytest.mark.thorough
def test_dawid_skene_takes_a_million_ratings_in_seconds() -> None:
    generator = np.random.default_rng(2)
    rows = _simulated(
        generator, generator.integers(0, 4, 330_000), generator.uniform(0.4, 0.95, 100), 3
    )
    started = time.perf_counter()
    result = dawid_skene(rows)
    assert time.perf_counter() - started < 20  # 2 s where nothing else runs
    assert rows.n == 990_000
    assert result.is_converged


@pytest.mark.parametrize(
    "parts", [{"smoothing": -0.1}, {"tolerance": -1e-9}, {"max_iterations": 0}]
)
def test_dawid_skene_refuses_steps_that_make_no_sense(parts: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="allow no step"):
        dawid_skene(ANAESTHETISTS, **parts)  # type: ignore[arg-type] # one keyword at a time


def slow_rows(seed: int, raters: int) -> RatingRows:
    generator = np.random.default_rng(seed)
    true = generator.integers(0, 2, 60)
    return _simulated(generator, true, generator.uniform(0.1, 0.6, raters), 3)


def _simulated(
    generator: np.random.Generator,
    true: np.ndarray[tuple[int], np.dtype[np.int64]],
    accuracies: np.ndarray[tuple[int], np.dtype[np.float64]],
    raters_per_item: int,
) -> RatingRows:
    """Raters who know the class with their chance and else guess among all labels."""
    items = np.repeat(np.arange(len(true)), raters_per_item)
    first = generator.integers(0, len(accuracies), len(true))
    raters = (first[items] + np.tile(np.arange(raters_per_item), len(true))) % len(accuracies)
    labels = int(true.max()) + 1
    knows = generator.random(len(items)) < accuracies[raters]
    given_labels = np.where(knows, true[items], generator.integers(0, labels, len(items)))
    return RatingRows(
        items,
        raters,
        given_labels,
        tuple(f"rater {rater}" for rater in range(len(accuracies))),
        tuple(f"label {label}" for label in range(labels)),
    )
