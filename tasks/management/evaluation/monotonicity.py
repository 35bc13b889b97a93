"""manage.py evaluate monotonicity FILE"""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from measures.cap_pairs import AMBIGUOUS_PAIRS, HARD_NEIGHBOURS
from measures.monotonicity import monotonicity
from tasks.importers.evaluation import read_class_scores
from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.protocols import cap


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help='JSON lines of {"class", "score"}')


def _work(options: Options) -> Result:
    scheme = cap.PROTOCOL.scheme
    rows = list(read_class_scores(options["file"], scheme.labels))
    return monotonicity(
        [row.label for row in rows],
        np.array([row.score for row in rows], dtype=np.float64),
        scheme,
        hard_pairs=HARD_NEIGHBOURS,
        ambiguous_pairs=AMBIGUOUS_PAIRS,
    ).as_json()


def _describe(result: Result) -> Iterable[str]:
    yield f"{result['n']} items"
    for name in ("spearman", "kendall_tau_b", "pairwise_accuracy"):
        yield f"{name.replace('_', ' ')}: {result[name]}"
    for name in ("violations", "violations_without_ambiguous"):
        violations = result[name]
        violating = "; ".join(" > ".join(pair) for pair in violations["violating_pairs"])
        share = f"{violations['count']} of {violations['judged']} ({violations['counted']} counted)"
        yield f"{name.replace('_', ' ')}: {share} {violating}".rstrip()
    for pair in result["hard_pairs"]:
        yield f"{pair['higher']} > {pair['lower']}: accuracy {pair['accuracy']}, AUC {pair['auc']}"
    for one in result["classes"]:
        yield f"mean of {one['class']}: {one['mean']} (n = {one['n']})"


MEASURE = Measure(
    "Whether a metric's scores keep the order of the eight classes.", _arguments, _work, _describe
)
