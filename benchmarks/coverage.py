"""How often intervals hold the true value: `python -m benchmarks.coverage [--samples 400]`.

    python -m benchmarks.coverage [--only NAME] [--samples 400] [--replicates 1000]

Samples of which the true value is known are drawn, and the 95 % intervals that hold it are counted.
n counts questions, and human labels where there are predictions.
Votes are those of three raters on one to three items of a question, which are alike as the name of
the row says. True values of agreement are those of a hundred thousand questions.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.estimates.prediction_powered import prediction_powered_mean
from tomahto.estimates.two_way_clusters import mean_with_interval
from tomahto.ranking.system_accuracy import accuracy_with_exact, difference
from tomahto.ranking.system_answers import EXACT, KINDS, TO_BE_RATED, SystemAnswers
from tomahto.reliability.alpha import (
    alpha,
    alpha_difference,
    alpha_with_interval,
    label_disagreement,
)
from tomahto.reliability.chance_corrected import gwet_ac1, gwet_ac1_with_interval
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.scoring.metric_vs_human import accuracy_difference
from tomahto.types import Flags, Floats
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

_SIZES = (30, 60, 200)
_SCHEME = LabelScheme(("yes", "no"), (1, 0))
_LOGITS = {  # the mean over questions, and the spread of questions and of items within them
    "items alike": (0.5, 3.0, 0.3),
    "items apart": (0.5, 1.5, 1.5),
    "agreement high": (1.0, 8.0, 2.0),
    "3 of 4 votes alike": (2.5, 2.5, 0.3),
    "9 of 10 votes alike": (3.0, 1.5, 1.0),
}

Found = tuple[Estimate, float]
"""An estimate, and the true value."""
Case = Callable[[np.random.Generator, int, Bootstrap], Found]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--samples", type=int, default=400)
    options.add_argument("--replicates", type=int, default=1000)
    options.add_argument("--only", default="", help="part of the names of the rows to be made")
    given = options.parse_args()
    sizes = " | ".join(f"n = {size}" for size in _SIZES)
    print(f"| interval | {sizes} |\n| --- |{' --- |' * len(_SIZES)}", flush=True)
    for name, case in CASES.items():
        if given.only in name:
            cells = [_coverage(case, size, given.samples, given.replicates) for size in _SIZES]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _coverage(case: Case, size: int, samples: int, replicates: int) -> str:
    """The share of all samples whose interval holds the true value, and of those without one."""
    held = without = 0
    for sample in range(samples):
        generator = np.random.default_rng([size, sample])
        found, truth = case(generator, size, Bootstrap(replicates, sample))
        if found.low is None or found.high is None:
            without += 1
        else:
            held += found.low - 1e-12 <= truth <= found.high + 1e-12
    none = f" (none in {without / samples:.3f})" if without else ""
    return f"{held / samples:.3f}{none}"


def _votes(
    generator: np.random.Generator, questions: int, logits: tuple[float, float, float]
) -> VotePatterns:
    mean, between, within = logits
    sizes = generator.integers(1, 4, size=questions)
    ease = np.repeat(mean + between * generator.normal(size=questions), sizes)
    ease += within * generator.normal(size=len(ease))
    yes = generator.binomial(3, 1 / (1 + np.exp(-ease)))
    items = iter(zip(yes.tolist(), (3 - yes).tolist(), strict=True))
    return VotePatterns.of_questions(
        _SCHEME, [([next(items) for _ in range(size)], 1) for size in sizes.tolist()]
    )


@cache
def _truth(value_of: Callable[[VotePatterns], float], kind: str) -> float:
    return value_of(_votes(np.random.default_rng(2026), 100_000, _LOGITS[kind]))


def _alpha(patterns: VotePatterns) -> float:
    return alpha(patterns).value or 0


def _ac1(patterns: VotePatterns) -> float:
    return gwet_ac1(patterns).value or 0


def _disagreement(patterns: VotePatterns) -> float:
    return label_disagreement(patterns, bootstrap=Bootstrap(1, 0)).disagreement[1].value or 0


def _alpha_case(kind: str, generator: np.random.Generator, size: int, draws: Bootstrap) -> Found:
    votes = _votes(generator, size, _LOGITS[kind])
    found = alpha_with_interval(votes, seed=draws.seed, replicates=draws.replicates)
    return found, _truth(_alpha, kind)


def _ac1_case(kind: str, generator: np.random.Generator, size: int, draws: Bootstrap) -> Found:
    votes = _votes(generator, size, _LOGITS[kind])
    found = gwet_ac1_with_interval(votes, seed=draws.seed, replicates=draws.replicates)
    return found, _truth(_ac1, kind)


def _disagreement_case(
    kind: str, generator: np.random.Generator, size: int, draws: Bootstrap
) -> Found:
    votes = _votes(generator, size, _LOGITS[kind])
    found = label_disagreement(votes, bootstrap=draws).disagreement[1]
    return found, _truth(_disagreement, kind)


def _change_case(generator: np.random.Generator, size: int, draws: Bootstrap) -> Found:
    kinds = ("items apart", "items alike")
    one, two = (_votes(generator, size, _LOGITS[kind]) for kind in kinds)
    found = alpha_difference(one, two, seed=draws.seed, replicates=draws.replicates)
    return found, _truth(_alpha, kinds[1]) - _truth(_alpha, kinds[0])


def _system(name: str, values: Floats, is_exact: Flags, is_known: Flags) -> SystemAnswers:
    nothing = np.zeros(0, dtype=np.int64)
    return SystemAnswers(
        name,
        np.arange(len(values)),
        np.where(is_exact, KINDS.index(EXACT), KINDS.index(TO_BE_RATED)),
        np.where(is_known | is_exact, values, np.nan),
        *(nothing,) * 4,
        (),
    )


def _systems(
    generator: np.random.Generator, size: int, shares: tuple[float, float], known: float
) -> list[SystemAnswers]:
    """Two systems; a part of the answers that are right are exact. A question is
    as hard for one as for the other. Of `size / known` answers that are not exact, `size` are
    judged."""
    hardness, made = generator.random(int(size / known)), []
    for name, share in zip("ab", shares, strict=True):
        own = np.where(
            generator.random(len(hardness)) < 0.5, hardness, generator.random(len(hardness))
        )
        right = (own < share).astype(np.float64)
        is_exact = (generator.random(len(own)) < 0.3) & (right > 0)
        made.append((name, right, is_exact))
    is_known = np.arange(len(hardness)) < size
    return [_system(name, right, exact, is_known) for name, right, exact in made]


def _difference_case(
    shares: tuple[float, float],
    known: float,
    generator: np.random.Generator,
    size: int,
    draws: Bootstrap,
) -> Found:
    one, two = _systems(generator, size, shares, known)
    return difference(one, two, draws), shares[0] - shares[1]


def _accuracy_case(
    share: float, known: float, generator: np.random.Generator, size: int, draws: Bootstrap
) -> Found:
    system = _systems(generator, size, (share, share), known)[0]
    return accuracy_with_exact(system, draws), share


def _predicted_case(
    share: float, quality: float, generator: np.random.Generator, size: int, _draws: Bootstrap
) -> Found:
    truth = generator.random(size + 300) < share
    judged = np.where(generator.random(len(truth)) < quality, truth, ~truth)
    scores = np.clip(judged * 0.8 + generator.normal(0.1, 0.1, len(truth)), 0, 1)
    human = truth[:size].astype(np.float64)
    return prediction_powered_mean(human, scores[:size], scores[size:]).estimate, share


def _scored(generator: np.random.Generator, size: int) -> tuple[JudgedScores, JudgedScores]:
    """Two metrics of two items of each question, right as people are in 0.8 and 0.75 of them."""
    questions = np.repeat(np.arange(size), 2).tolist()
    is_right = generator.random(2 * size) < 0.6
    hardness = np.repeat(generator.random(size), 2)
    made = []
    for share in (0.8, 0.75):
        own = np.where(generator.random(2 * size) < 0.5, hardness, generator.random(2 * size))
        says = np.where(own < share, is_right, ~is_right).astype(np.float64)
        made.append(JudgedScores.of(says.tolist(), is_right.tolist(), questions))
    return made[0], made[1]


def _metric_case(generator: np.random.Generator, size: int, draws: Bootstrap) -> Found:
    return _scored(generator, size)[0].accuracy(0.5, draws), 0.8


def _auc_case(generator: np.random.Generator, size: int, draws: Bootstrap) -> Found:
    return _scored(generator, size)[0].order(draws).auc, 0.8


def _metrics_case(generator: np.random.Generator, size: int, draws: Bootstrap) -> Found:
    one, two = _scored(generator, size)
    return accuracy_difference(one, two, (0.5, 0.5), draws), 0.05


def _mean_case(generator: np.random.Generator, size: int, _draws: Bootstrap) -> Found:
    questions = np.repeat(np.arange(size), 2)
    of_question = np.repeat(generator.beta(8, 2, size), 2)
    return mean_with_interval(of_question * generator.beta(9, 1, 2 * size), questions), 0.8 * 0.9


def _difference_cases() -> Iterator[tuple[str, Case]]:
    for one, two in ((0.7, 0.6), (0.9, 0.8), (0.97, 0.9)):
        for known, name in ((1.0, "all"), (0.5, "half")):
            case = partial(_difference_case, (one, two), known)
            yield f"difference of systems, {one:.2f} and {two:.2f}, {name} judged", case


def _predicted_cases() -> Iterator[tuple[str, Case]]:
    for share in (0.5, 0.9, 0.97):
        for quality in (0.6, 0.9):
            case = partial(_predicted_case, share, quality)
            yield f"accuracy with predictions, {share:.2f}, matcher right in {quality:.2f}", case


CASES: Mapping[str, Case] = {
    **{f"α, {kind}": partial(_alpha_case, kind) for kind in _LOGITS},
    **{f"AC1, {kind}": partial(_ac1_case, kind) for kind in _LOGITS},
    "change of α between versions": _change_case,
    "disagreement where a vote says no": partial(_disagreement_case, "items alike"),
    **dict(_difference_cases()),
    **{
        f"accuracy of a system, {share:.2f}": partial(_accuracy_case, share, 0.5)
        for share in (0.6, 0.8, 0.9, 0.97)
    },
    **dict(_predicted_cases()),
    "a metric's accuracy, 0.80": _metric_case,
    "a metric's AUC, 0.80": _auc_case,
    "difference of two metrics' accuracies": _metrics_case,
    "mean score, 0.72": _mean_case,
}

if __name__ == "__main__":
    main()
