"""manage.py evaluate cap_sweep FILE [--alphas 0,0.5,1] [--lambdas 0,0.3] [--objective NAME]"""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.monotonicity_text import interval_text
from tasks.management.evaluation.options import add_bootstrap, bootstrap_of, exact_shares
from tasks.protocols import cap
from tomahto.classes.cap_held_out import HeldOut, folds_of, held_out
from tomahto.classes.cap_items import ABLATIONS, DEFAULT, OBJECTIVES, CapItems, CapWeights
from tomahto.classes.cap_sweep import ALPHAS, NEUTRALS, CapSweep, ablation, cap_sweep
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import estimate_as_json
from tomahto.interchange.judgements.cap_explanations import ExplainedAnswer, read_explained_answers
from tomahto.interchange.judgements.labelled_scores import questions_of
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help='JSON lines of {"class" or "label", "explanation"[, "question"]}, with explanations '
        "as `export_suggestions` and `score_pairs --explain` write them",
    )
    for name, weights in (("alphas", ALPHAS), ("lambdas", NEUTRALS)):
        default = ",".join(f"{weight:g}" for weight in weights)
        parser.add_argument(
            f"--{name}",
            type=exact_shares,
            default=exact_shares(default),
            help=f"numbers from 0 to 1, separated by commas; default {default}",
        )
    parser.add_argument(
        "--objective", choices=OBJECTIVES, default=OBJECTIVES[0], help="what is to be highest"
    )
    add_bootstrap(parser)


def _work(options: Options) -> Result:
    rows = list(read_explained_answers(options["file"], cap.PROTOCOL.scheme.labels))
    questions = questions_of([(row.source, row.question) for row in rows])
    items, bootstrap = _items(rows, questions), bootstrap_of(options)
    grid = {
        "alphas": [float(share) for share in options["alphas"].values()],
        "neutrals": [float(share) for share in options["lambdas"].values()],
        "objective": options["objective"],
    }
    sweep = cap_sweep(items, bootstrap, **grid)
    folds = folds_of(items.items, seed=bootstrap.seed)
    return {
        "n": items.items.n,
        "questions": items.items.clusters,
        "resampled": "questions" if questions else "items",
        **_sweep(sweep),
        "cross_validated": _cross_validated(held_out(items, folds, bootstrap, **grid)),
        "ablation": _ablation(items, bootstrap),
    }


def _items(rows: Sequence[ExplainedAnswer], questions: Sequence[str] | None) -> CapItems:
    items = OrderedItems.of(
        [row.label for row in rows],
        np.zeros(len(rows)),
        questions or range(len(rows)),
        cap.PROTOCOL.scheme,
    )
    return CapItems(
        items, np.array([row.forward for row in rows]), np.array([row.backward for row in rows])
    )


def _sweep(sweep: CapSweep) -> dict[str, Any]:
    return {
        "objective": sweep.objective,
        "grid": [_cell(weights, order) for weights, order in sweep.grid],
        "best": {**_cell(*sweep.best), "equally_good": sweep.equally_good, "in_sample": True},
        "default": _cell(DEFAULT, sweep.default),
        "best_less_default": {
            "share_of_replicates_better": sweep.share_better,
            **estimate_as_json(sweep.gain),
        },
    }


def _cell(weights: CapWeights, order: OrderIntervals) -> dict[str, Any]:
    violating = [pair for pair in order.report.pairs if pair.is_violation]
    return {
        **_weights(weights),
        **{name: estimate_as_json(order.statistic(name)) for name in ORDER_STATISTICS},
        "violations": len(violating),
    }


def _weights(weights: CapWeights) -> dict[str, float]:
    return {"alpha": weights.alpha, "lambda": weights.neutral}


def _cross_validated(judged: HeldOut) -> dict[str, Any]:
    return {
        "folds": len(judged.chosen),
        "chosen": [_weights(weights) for weights in judged.chosen],
        "value": estimate_as_json(judged.value),
        "default": estimate_as_json(judged.default),
        "difference": estimate_as_json(judged.difference),
    }


def _ablation(items: CapItems, bootstrap: Bootstrap) -> list[dict[str, Any]]:
    orders = ablation(items, bootstrap)
    full = orders[-1][1]
    return [
        {
            "variant": name,
            **_cell(weights, order),
            "spearman_less_full": estimate_as_json(order.difference(full, "spearman")),
        }
        for (name, weights), (_, order) in zip(ABLATIONS, orders, strict=True)
    ]


def _describe(result: Result) -> Iterable[str]:
    yield f"{result['n']} items of {result['questions']} resampled {result['resampled']}"
    for cell in result["grid"]:
        yield f"{_shown(cell)}: {_numbers(cell)}"
    best, gain = result["best"], result["best_less_default"]
    name = result["objective"].replace("_", " ")
    yield f"best {name}, in-sample: {_shown(best)} ({best['equally_good']} equally good)"
    yield f"less default: {interval_text(gain)}, better in {gain['share_of_replicates_better']}"
    judged = result["cross_validated"]
    yield f"cross-validated, {judged['folds']} folds: {interval_text(judged['value'])}"
    yield f"default on the same folds: {interval_text(judged['default'])}"
    yield f"difference: {interval_text(judged['difference'])}"
    for cell in result["ablation"]:
        yield f"{cell['variant']}: {_numbers(cell)}"


def _shown(cell: Result) -> str:
    return f"alpha {cell['alpha']:g}, lambda {cell['lambda']:g}"


def _numbers(cell: Result) -> str:
    values = (f"{name.replace('_', ' ')} {cell[name]['value']}" for name in ORDER_STATISTICS[:3])
    rate = cell["violation_rate"]
    return f"{', '.join(values)}, violations {cell['violations']} of {rate['n']}"


CAP_SWEEP = Measure(
    "Vary CAP's weights over stored inference probabilities, and leave out CAP's parts.",
    _arguments,
    _work,
    _describe,
)
