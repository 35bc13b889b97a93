"""Speed of the measures behind `manage.py evaluate` on one core: `python -m benchmarks.lab`.

All data are generated, so nothing has to be downloaded. Every row is the fastest of a few runs:
the others measure what else the machine was doing.
"""

import argparse
import random
import string
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.conformal import TARGETS, generated_tables
from benchmarks.timing import fastest
from tasks.protocols import cap
from tomahto.conformal.trials import TrialPlan, conformal_trials
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.ranking.monotonicity import monotonicity
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.scoring.metric_vs_human import accuracy_difference
from tomahto.scoring.squad import SquadQuestion, squad_v2

_SEED = 2022


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    for name, count, unit, run in (
        ("SQuAD 2.0, 13 values of 100,000 predictions", 100_000, "predictions", squad(100_000)),
        ("monotonicity of 100,000 items, every pair", 1, "reports", order(100_000)),
        ("conformal, 2,400 + 600 questions x 50, 5 targets", 500, "trials", conformal(500)),
        ("accuracy, 20,000 questions, 10,000 replicates", 1, "intervals", accuracy(10_000)),
        ("accuracy of two metrics, 10,000 paired replicates", 1, "intervals", difference(10_000)),
        ("AUC and rho, 20,000 questions, 2,000 replicates", 1, "intervals", auc_and_rho(2000)),
    ):
        seconds = fastest(run)
        print(f"{name:50} {seconds:8.3f} s {count / seconds:12,.1f} {unit}/s", flush=True)


class SquadData(NamedTuple):
    """Questions, with predictions and no-answer probabilities by their ids."""

    questions: list[SquadQuestion]
    predictions: dict[str, str]
    na_probs: dict[str, float]


def squad(questions: int) -> Callable[[], object]:
    data = squad_data(questions)
    return lambda: squad_v2(
        data.questions, data.predictions, na_probs=data.na_probs, na_threshold=0.9
    )


def squad_data(questions: int) -> SquadData:
    """A third unanswerable; up to six gold answers, often alike; half of the predictions exact."""
    draw = random.Random(_SEED)
    words = ["".join(draw.choices(string.ascii_letters, k=draw.randint(2, 9))) for _ in range(5000)]
    asked, predictions = [], {}
    for number in range(questions):
        answer = ["the", *draw.choices(words, k=draw.randint(1, 5))]
        golds = [" ".join(answer[draw.randint(0, 1) :]) for _ in range(draw.randint(2, 6))]
        asked.append(SquadQuestion(f"q{number}", golds if draw.random() < 2 / 3 else []))
        noise = draw.choices(words, k=draw.randint(0, 2)) if draw.random() < 0.5 else []
        predictions[f"q{number}"] = " ".join([*answer, *noise]) if draw.random() < 0.8 else ""
    return SquadData(asked, predictions, {key: draw.random() for key in predictions})


def order(items: int) -> Callable[[], object]:
    """Scores with two decimals, so that many tie."""
    generator, scheme = np.random.default_rng(_SEED), cap.PROTOCOL.scheme
    places = generator.integers(0, len(scheme.labels), items)
    labels = [scheme.labels[place] for place in places]
    ranks = np.array(scheme.ranks)[places]
    scores = np.round(ranks / 7 + generator.normal(0, 0.5, items), 2)
    return lambda: monotonicity(labels, scores, scheme)


def conformal(trials: int) -> Callable[[], object]:
    """Each trial splits the questions anew; benchmarks/conformal.py compares it with a textbook."""
    table, _ = generated_tables()
    return lambda: conformal_trials(table, TARGETS, TrialPlan(trials, seed=_SEED))


def accuracy(replicates: int) -> Callable[[], object]:
    judged = _judged()
    return lambda: judged.accuracy(0.5, Bootstrap(replicates, _SEED))


def auc_and_rho(replicates: int) -> Callable[[], object]:
    judged = _judged()
    return lambda: judged.order(Bootstrap(replicates, _SEED))


def difference(replicates: int) -> Callable[[], object]:
    """Of 20,000 questions, at 0.5. The goal is 2 s."""
    one = _judged()
    noise = np.random.default_rng(_SEED + 1).normal(size=one.n)
    other = JudgedScores(one.scores + noise, one.is_right, one.questions)
    return lambda: accuracy_difference(one, other, (0.5, 0.5), Bootstrap(replicates, _SEED))


def _judged() -> JudgedScores:
    """One item for each of 20,000 questions, no two scores alike."""
    generator = np.random.default_rng(_SEED)
    is_right = generator.random(20_000) < 0.5
    return JudgedScores(generator.normal(size=20_000) + is_right, is_right, np.arange(20_000))


if __name__ == "__main__":
    main()
