"""Measures of scores beside the order of the eight classes.

manage.py evaluate monotonicity FILE [--replicates N] [--sample-pairs N] [--seed N]
manage.py evaluate cap_sweep FILE [--alphas 0,0.5,1] [--lambdas 0,0.3] [--objective NAME]
"""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tasks.management.evaluation.options import (
    Measure,
    Options,
    Result,
    add_bootstrap,
    bootstrap_of,
    exact_shares,
    natural_number,
    positive_number,
)
from tasks.protocols import cap
from tomahto.classes.cap_sweep import (
    ABLATIONS,
    ALPHAS,
    AMBIGUOUS_PAIRS,
    DEFAULT,
    HARD_NEIGHBOURS,
    NEUTRALS,
    OBJECTIVES,
    CapItems,
    CapWeights,
    ablation,
    cap_sweep,
    folds_of,
    held_out,
)
from tomahto.classes.label_sources import compare_orders
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import estimate_as_json
from tomahto.interchange.judgements.labels import (
    METRIC,
    SOURCE,
    LabelledScore,
    questions_of,
    read_explained_answers,
    read_labelled_scores,
)
from tomahto.ranking.monotonicity import monotonicity, sampled_pairs
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals, order_intervals
from tomahto.types import Floats

_REPLICATES = 2000
_PAIRS = {"hard_pairs": HARD_NEIGHBOURS, "ambiguous_pairs": AMBIGUOUS_PAIRS}
_SCHEME = cap.PROTOCOL.scheme


def _monotonicity_arguments(parser: ArgumentParser) -> None:
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


def _monotonicity(options: Options) -> Result:
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
        for report, order in zip(result["reports"], compared.orders.values(), strict=True):
            report["sampled_pairs"] = _sampled(order.items, options)
    return result


def _sampled(items: OrderedItems, options: Options) -> dict[str, Any]:
    return sampled_pairs(items, size=options["sample_pairs"], seed=options["seed"]).as_json()


def _scores(rows: Iterable[LabelledScore], metric: str) -> Floats:
    return np.array([row.scores[metric] for row in rows], dtype=np.float64)


def _describe_monotonicity(result: Result) -> Iterable[str]:
    if "reports" not in result:
        yield from _report_lines(result)
        return
    yield f"{result['n']} items of {result['questions']} resampled {result['resampled']}"
    for differing in result["differing_labels"]:
        names = " and ".join(differing["sources"])
        yield f"labels that differ between {names}: {differing['differ']} of {differing['n']}"
    for report in result["reports"]:
        yield f"{report['metric']} by {report['source']}:"
        yield from (f"  {line}" for line in _report_lines(report))
    for difference in (*result["differences_of_sources"], *result["differences_of_metrics"]):
        where = difference.get("metric") or difference.get("source")
        yield f"{difference['second']} less {difference['first']}, {where}:"
        for name in _STATISTICS:
            yield f"  {_words(name)}: {interval_text(difference[name])}"


MONOTONICITY = Measure(
    "Check that metrics' scores keep the order of the eight classes.",
    _monotonicity_arguments,
    _monotonicity,
    _describe_monotonicity,
)

_STATISTICS = ("spearman", "kendall_tau_b", "pairwise_accuracy", "violation_rate")


def interval_text(estimate: Result) -> str:
    """The value with its interval, or why there is none."""
    if estimate["low"] is None:
        return f"{estimate['value']} ({estimate['reason']})"
    return f"{estimate['value']} [{estimate['low']}, {estimate['high']}]"


def _report_lines(result: Result) -> Iterable[str]:
    yield f"{result['n']} items"
    for name in _STATISTICS[:3]:
        yield f"{_words(name)}: {result[name]}"
    for name in ("violations", "violations_without_ambiguous"):
        violations = result[name]
        violating = "; ".join(" > ".join(pair) for pair in violations["violating_pairs"])
        share = f"{violations['count']} of {violations['judged']} ({violations['counted']} counted)"
        yield f"{_words(name)}: {share} {violating}".rstrip()
    for pair in result["hard_pairs"]:
        yield f"{pair['higher']} > {pair['lower']}: accuracy {pair['accuracy']}, AUC {pair['auc']}"
    for one in result["classes"]:
        yield f"mean of {one['class']}: {one['mean']} (n = {one['n']})"
    yield from _interval_lines(result.get("intervals"))
    if sampled := result.get("sampled_pairs"):
        drawn = f"{sampled['n']} of {sampled['available']} pairs"
        yield f"pairwise accuracy of {drawn} (seed {sampled['seed']}): {sampled['accuracy']}"


def _interval_lines(intervals: dict[str, Any] | None) -> Iterable[str]:
    if not intervals:
        return
    for name in _STATISTICS:
        yield f"{_words(name)}, 95 % interval: {interval_text(intervals[name])}"
    for pair in intervals["pairs"]:
        if probability := pair["violation_probability"]["value"]:
            yield f"{pair['higher']} > {pair['lower']}: violated in {probability} of the replicates"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _sweep_arguments(parser: ArgumentParser) -> None:
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


def _cap_sweep(options: Options) -> Result:
    rows = list(read_explained_answers(options["file"], _SCHEME.labels))
    questions = questions_of([(row.source, row.question) for row in rows])
    ordered = OrderedItems.of(
        [row.label for row in rows], np.zeros(len(rows)), questions or range(len(rows)), _SCHEME
    )
    forward, backward = [row.forward for row in rows], [row.backward for row in rows]
    items = CapItems(ordered, np.array(forward), np.array(backward))
    bootstrap = bootstrap_of(options)
    grid = {
        "alphas": [float(share) for share in options["alphas"].values()],
        "neutrals": [float(share) for share in options["lambdas"].values()],
        "objective": options["objective"],
    }
    sweep = cap_sweep(items, bootstrap, **grid)
    judged = held_out(items, folds_of(items.items, seed=bootstrap.seed), bootstrap, **grid)
    return {
        "n": items.items.n,
        "questions": items.items.clusters,
        "resampled": "questions" if questions else "items",
        "objective": sweep.objective,
        "grid": [_cell(weights, order) for weights, order in sweep.grid],
        "best": {**_cell(*sweep.best), "equally_good": sweep.equally_good, "in_sample": True},
        "default": _cell(DEFAULT, sweep.default),
        "best_less_default": {
            "share_of_replicates_better": sweep.share_better,
            **estimate_as_json(sweep.gain),
        },
        "cross_validated": {
            "folds": len(judged.chosen),
            "chosen": [_weights(weights) for weights in judged.chosen],
            "value": estimate_as_json(judged.value),
            "default": estimate_as_json(judged.default),
            "difference": estimate_as_json(judged.difference),
        },
        "ablation": _ablation(items, bootstrap),
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


def _describe_sweep(result: Result) -> Iterable[str]:
    yield f"{result['n']} items of {result['questions']} resampled {result['resampled']}"
    for cell in result["grid"]:
        yield f"{_cell_text(cell)}: {_numbers(cell)}"
    best, gain = result["best"], result["best_less_default"]
    name = result["objective"].replace("_", " ")
    yield f"best {name}, in-sample: {_cell_text(best)} ({best['equally_good']} equally good)"
    yield f"less default: {interval_text(gain)}, better in {gain['share_of_replicates_better']}"
    judged = result["cross_validated"]
    yield f"cross-validated, {judged['folds']} folds: {interval_text(judged['value'])}"
    yield f"default on the same folds: {interval_text(judged['default'])}"
    yield f"difference: {interval_text(judged['difference'])}"
    for cell in result["ablation"]:
        yield f"{cell['variant']}: {_numbers(cell)}"


def _cell_text(cell: Result) -> str:
    return f"alpha {cell['alpha']:g}, lambda {cell['lambda']:g}"


def _numbers(cell: Result) -> str:
    values = (f"{name.replace('_', ' ')} {cell[name]['value']}" for name in ORDER_STATISTICS[:3])
    rate = cell["violation_rate"]
    return f"{', '.join(values)}, violations {cell['violations']} of {rate['n']}"


CAP_SWEEP = Measure(
    "Vary CAP's weights over stored inference probabilities, and leave out CAP's parts.",
    _sweep_arguments,
    _cap_sweep,
    _describe_sweep,
)
