"""manage.py evaluate monotonicity FILE [--replicates N] [--sample-pairs N] [--seed N]"""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.monotonicity_text import describe
from tasks.management.evaluation.options import natural_number, positive_number
from tasks.protocols import cap
from tomahto.classes.cap_pairs import AMBIGUOUS_PAIRS, HARD_NEIGHBOURS
from tomahto.classes.label_sources import ComparedOrders, compare_orders
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.interchange.judgements.labelled_scores import (
    METRIC,
    SOURCE,
    LabelledScore,
    questions_of,
    read_labelled_scores,
)
from tomahto.ranking.monotonicity import monotonicity
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import order_intervals
from tomahto.ranking.sampled_pairs import sampled_pairs
from tomahto.types import Floats

_REPLICATES = 2000
_PAIRS = {"hard_pairs": HARD_NEIGHBOURS, "ambiguous_pairs": AMBIGUOUS_PAIRS}
_SCHEME = cap.PROTOCOL.scheme


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help='JSON lines of {"class" or "label", "score"[, "question"]}; "classes": '
        '{source: class} and "scores": {metric: score} instead compare sources of labels, metrics',
    )
    parser.add_argument(
        "--replicates",
        type=positive_number,
        help="of the bootstrap over questions, else over lines; default"
        f" {_REPLICATES} where something is compared, otherwise there are no intervals",
    )
    parser.add_argument(
        "--sample-pairs",
        type=positive_number,
        metavar="N",
        help="also judge this many random pairs of answers, as the paper does; all pairs are "
        "always judged",
    )
    parser.add_argument(
        "--seed", type=natural_number, default=0, help="seed of everything random; default 0"
    )


def _work(options: Options) -> Result:
    rows = list(read_labelled_scores(options["file"], _SCHEME.labels))
    is_single = [*rows[0].classes, *rows[0].scores] == [SOURCE, METRIC]
    return _report(rows, options) if is_single else _comparison(rows, options)


def _report(rows: Sequence[LabelledScore], options: Options) -> dict[str, Any]:
    labels, scores = [row.classes[SOURCE] for row in rows], _scores(rows, METRIC)
    result = monotonicity(labels, scores, _SCHEME, **_PAIRS).as_json()
    if options["replicates"]:
        questions = questions_of([(row.source, row.question) for row in rows])
        items = OrderedItems.of(labels, scores, questions or range(len(rows)), _SCHEME)
        bootstrap = Bootstrap(options["replicates"], options["seed"])
        result["intervals"] = {
            "resampled": "questions" if questions else "items",
            **order_intervals(items, bootstrap).as_json(),
        }
    if options["sample_pairs"]:
        items = OrderedItems.of(labels, scores, range(len(rows)), _SCHEME)
        result["sampled_pairs"] = _sampled(items, options)
    return result


def _comparison(rows: Sequence[LabelledScore], options: Options) -> dict[str, Any]:
    compared = compare_orders(
        {name: [row.classes[name] for row in rows] for name in rows[0].classes},
        {name: _scores(rows, name) for name in rows[0].scores},
        questions_of([(row.source, row.question) for row in rows]),
        _SCHEME,
        Bootstrap(options["replicates"] or _REPLICATES, options["seed"]),
        **_PAIRS,
    )
    result = compared.as_json()
    if options["sample_pairs"]:
        _add_samples(result, compared, options)
    return result


def _add_samples(result: dict[str, Any], compared: ComparedOrders, options: Options) -> None:
    for report, order in zip(result["reports"], compared.orders.values(), strict=True):
        report["sampled_pairs"] = _sampled(order.items, options)


def _sampled(items: OrderedItems, options: Options) -> dict[str, Any]:
    return sampled_pairs(items, size=options["sample_pairs"], seed=options["seed"]).as_json()


def _scores(rows: Iterable[LabelledScore], metric: str) -> Floats:
    return np.array([row.scores[metric] for row in rows], dtype=np.float64)


MONOTONICITY = Measure(
    "Check that metrics' scores keep the order of the eight classes.", _arguments, _work, describe
)
