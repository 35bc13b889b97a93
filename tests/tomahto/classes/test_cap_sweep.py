"""Golden values: the matcher's own formula, scipy.stats; choices by hand."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from tasks.protocols import cap
from tomahto.classes.cap_sweep import (
    ABLATIONS,
    DEFAULT,
    CapItems,
    CapWeights,
    Choice,
    ablation,
    cap_sweep,
    folds_of,
    held_out,
    weights_grid,
)
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.matching.cap import CapOptions, NliProbabilities, cap_value
from tomahto.ranking.order_counts import OrderedItems
from tomahto.votes.scheme import LabelScheme

SCHEME = cap.PROTOCOL.scheme
SMALL = LabelScheme(("good", "fair", "bad"), (2, 1, 0), "ordinal")
BOOTSTRAP = Bootstrap(80, seed=2)


@pytest.fixture(scope="module")
def items() -> CapItems:
    """80 items of 40 questions; both directions say as much."""
    generator = np.random.default_rng(8)
    places = generator.integers(0, 8, 80)
    ranks = np.array(SCHEME.ranks)[places] / 7

    def probabilities(noise: float) -> np.ndarray:
        logits = np.stack([6 * ranks - 3, np.zeros(80), 3 - 6 * ranks], axis=1)
        values = np.exp(logits + generator.normal(0, noise, (80, 3)))
        return np.asarray((values / values.sum(axis=1, keepdims=True))[:, :2])

    ordered = OrderedItems.of(
        [SCHEME.labels[place] for place in places],
        np.zeros(80),
        (np.arange(80) // 2).tolist(),
        SCHEME,
    )
    return CapItems(ordered, probabilities(2.0), probabilities(2.0))


def _by_hand(rows: list[tuple[str, tuple[float, float], tuple[float, float]]]) -> CapItems:
    ordered = OrderedItems.of(
        [label for label, _, _ in rows], np.zeros(len(rows)), range(len(rows)), SMALL
    )
    return CapItems(
        ordered, np.array([ahead for _, ahead, _ in rows]), np.array([back for _, _, back in rows])
    )


def test_scores_are_those_of_the_matcher_to_the_last_digit(items: CapItems) -> None:
    assert CapOptions() == CapOptions(alpha=DEFAULT.alpha, neutral=DEFAULT.neutral)
    for weights in (DEFAULT, CapWeights(0.5, 0.0), CapWeights(1.0, 1.0)):
        options = CapOptions(alpha=weights.alpha, neutral=weights.neutral)
        expected = [
            cap_value(
                NliProbabilities(ahead[0], ahead[1], 1 - sum(ahead)),
                NliProbabilities(back[0], back[1], 1 - sum(back)),
                options,
            )
            for ahead, back in zip(items.forward.tolist(), items.backward.tolist(), strict=True)
        ]
        assert items.scored(weights).scores.tolist() == expected


def test_ablations_are_the_variants_of_the_paper() -> None:
    # CAP Tab. 13: either direction with and without neutral, both without, full; Tab. 11 has
    # three of them with the same figures (58.77 and 58.8, 59.81 and 59.8, 60.69 and 60.7).
    assert [weights for _, weights in ABLATIONS] == [
        (1, 0), (1, 0.3), (0, 0), (0, 0.3), (0.5, 0), (0.85, 0), (0.85, 0.3),
    ]  # fmt: skip


def test_sweep_finds_the_weights_that_order_best(items: CapItems) -> None:
    alphas, neutrals = (0.0, 0.5, 0.85, 1.0), (0.0, 0.3)
    sweep = cap_sweep(items, BOOTSTRAP, alphas=alphas, neutrals=neutrals)
    ranks = np.array(SCHEME.ranks)[items.items.classes]
    expected = {
        weights: spearmanr(ranks, items.scored(weights).scores).statistic
        for weights in weights_grid(alphas, neutrals)
    }
    found = {weights: order.statistic("spearman").value for weights, order in sweep.grid}
    assert found == pytest.approx(expected, abs=1e-12)
    best = max(expected, key=expected.__getitem__)
    assert sweep.best[0] == best
    assert sweep.equally_good == 1
    assert sweep.gain.value == pytest.approx(expected[best] - expected[DEFAULT])
    assert sweep.gain.replicates == 80
    assert sweep.share_better is not None
    assert 0 < sweep.share_better < 1
    ablated = dict(ablation(items, BOOTSTRAP))
    assert ablated["full CAP"].statistic("spearman") == sweep.default.statistic("spearman")


def test_the_first_of_equally_good_weights_is_the_best() -> None:
    # Nothing is neutral and both directions are alike: every cell gives the same scores.
    sweep = cap_sweep(
        _by_hand([("good", (0.9, 0), (0.9, 0)), ("bad", (0.1, 0), (0.1, 0))]),
        BOOTSTRAP,
        alphas=(0.2, 0.4),
        neutrals=(0.0, 0.5),
    )
    assert sweep.best[0] == (0.2, 0.0)
    assert sweep.equally_good == 4
    assert (sweep.gain.value, sweep.share_better) == (0, 0)


def test_held_out_weights_are_judged_where_they_were_not_chosen() -> None:
    # On the first three only the backward direction is in order, on the others only the forward:
    # chosen backward, judged wrong; the default, mostly forward, is right there.
    items = _by_hand(
        [
            ("good", (0.1, 0), (0.9, 0)),
            ("fair", (0.5, 0), (0.5, 0)),
            ("bad", (0.9, 0), (0.1, 0)),
            ("good", (0.9, 0), (0.1, 0)),
            ("fair", (0.5, 0), (0.5, 0)),
            ("bad", (0.1, 0), (0.9, 0)),
        ]
    )
    choice = Choice(np.array([0, 1, 2]), np.array([3, 4, 5]))
    judged = held_out(items, [choice], BOOTSTRAP, alphas=(0.0, 1.0), neutrals=(0.0,))
    assert judged.chosen == (CapWeights(0.0, 0.0),)
    assert (judged.value.value, judged.default.value, judged.difference.value) == (-1, 1, -2)
    assert judged.value.n == 3
    assert judged.difference.replicates == 80


def test_folds_share_no_question_and_judge_every_item_once(items: CapItems) -> None:
    folds = folds_of(items.items, seed=4)
    assert len(folds) == 5
    judged = np.concatenate([fold.judged_on for fold in folds])
    assert sorted(judged) == list(range(80))
    questions = items.items.questions
    for fold in folds:
        assert not set(questions[fold.chosen_on]) & set(questions[fold.judged_on])
        assert len(fold.chosen_on) == 80 - len(fold.judged_on) == 64
    assert [list(fold.judged_on) for fold in folds_of(items.items, seed=4)] == [
        list(fold.judged_on) for fold in folds
    ]


def test_cross_validated_value_is_the_mean_of_the_folds(items: CapItems) -> None:
    folds = folds_of(items.items, seed=4, folds=3)
    alphas, neutrals = (0.0, 0.5, 1.0), (0.0, 0.5)
    judged = held_out(items, folds, BOOTSTRAP, alphas=alphas, neutrals=neutrals)
    ranks = np.array(SCHEME.ranks)[items.items.classes]

    def rho(weights: CapWeights, places: np.ndarray) -> float:
        scores = items.scored(weights).scores[places]
        return float(spearmanr(ranks[places], scores).statistic)

    grid = weights_grid(alphas, neutrals)
    chosen = []
    for fold in folds:
        found = [rho(each, fold.chosen_on) for each in grid]
        chosen.append(grid[found.index(max(found))])
    assert list(judged.chosen) == chosen
    values = [rho(each, fold.judged_on) for each, fold in zip(chosen, folds, strict=True)]
    default = [rho(DEFAULT, fold.judged_on) for fold in folds]
    assert judged.value.value == pytest.approx(np.mean(values), abs=1e-12)
    assert judged.default.value == pytest.approx(np.mean(default), abs=1e-12)
    assert judged.difference.value == pytest.approx(np.mean(values) - np.mean(default), abs=1e-12)


def test_held_out_says_why_it_is_undefined() -> None:
    one = _by_hand([("good", (0.9, 0), (0.9, 0))])
    assert folds_of(one.items, seed=1) == ()
    nothing = held_out(one, (), BOOTSTRAP, alphas=(0.5,), neutrals=(0.0,))
    assert nothing.value == undefined("one question cannot be held out", n=0, seed=2)
    two = _by_hand([("good", (0.9, 0), (0.9, 0)), ("bad", (0.1, 0), (0.1, 0))])
    single = held_out(two, folds_of(two.items, seed=1), BOOTSTRAP, alphas=(0.5,), neutrals=(0.0,))
    reason = "the items that weights are judged on give no order"
    assert single.difference == undefined(reason, n=2, seed=2)
    same = CapItems(
        OrderedItems.of(["good", "bad"], np.zeros(2), ["q", "q"], SMALL), two.forward, two.backward
    )
    everything = Choice(np.arange(2), np.arange(2))
    assert held_out(
        same, [everything], BOOTSTRAP, alphas=(0.5,), neutrals=(0.0,)
    ).value == Estimate(
        value=1.0, n=2, reason="one question cannot be resampled into an interval", seed=2
    )


@pytest.mark.parametrize(
    ("alphas", "neutrals", "message"),
    [
        ((), (0.3,), "a sweep needs at least one α and one λ"),
        ((0.5, 1.5), (0.3,), "1.5 is not from 0 to 1"),
    ],
)
def test_sweep_refuses_a_grid_without_scores(
    items: CapItems, alphas: tuple[float, ...], neutrals: tuple[float, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        cap_sweep(items, BOOTSTRAP, alphas=alphas, neutrals=neutrals)


@pytest.mark.parametrize(
    ("forward", "message"),
    [
        (np.zeros((1, 3)), r"forward: \(1, 3\) probabilities of 1 items"),
        (np.array([[0.9, 0.2]]), "forward: entailment and neutral are not from 0 to 1 together"),
        (np.array([[-0.1, 0.2]]), "forward: entailment and neutral are not from 0 to 1 together"),
    ],
)
def test_cap_items_refuse_what_are_no_probabilities(forward: np.ndarray, message: str) -> None:
    ordered = OrderedItems.of(["good"], np.zeros(1), ["q"], SMALL)
    with pytest.raises(ValueError, match=message):
        CapItems(ordered, forward, np.zeros((1, 2)))
