"""CAP again, from files laid out as CAP-Correctness; with other weights too (Tab. 11 and 13)."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from tomahto.classes.agreement import ClassAgreement
from tomahto.classes.cap_sweep import DEFAULT, CapItems, CapWeights
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.cap.answers import (
    MEAN_CLASSES,
    METRICS,
    SYSTEMS,
    CapAnswer,
    CapFiles,
    Inference,
    lacking,
    mean_of,
    pair_of,
    questions_of,
    statistic,
    value_of,
    violating,
)
from tomahto.lab.reproduce.cap.release import (
    JudgedStatement,
    WrittenStatements,
    statements_found,
    written_found,
)
from tomahto.lab.reproduce.comparison import Cells, Found, counted
from tomahto.matching.cap import CapScore
from tomahto.matching.interface import ExplainingMatcher
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import OrderIntervals, OrderStatistic, order_intervals
from tomahto.reliability.chance_corrected import KappaWeights

_SEPARATED = (
    *("Exact > Invalid", "Partial > Invalid", "Equivalent > Invalid", "Equivalent > OV"),
    *("Partial > OI", "OV > OI"),
)
_NEIGHBOURS = ("Eq > Part", "OV > Part", "OV > OI", "Alt > Inv")
_SYSTEM_CLASSES = ("Exact", "Partial", "OI", "Contradictory")
_KAPPAS: Mapping[str, KappaWeights] = {
    "Cohen's κ": "unweighted",
    "Linear weighted κ": "linear",
    "Quadratic weighted κ": "quadratic",
}

Reports = Mapping[str, OrderIntervals | str]
"""By row: how a metric keeps the order, or why that cannot be said."""


def cap_found(
    given: CapFiles,
    statements: Sequence[JudgedStatement] = (),
    generator: WrittenStatements | None = None,
) -> Found:
    """Every figure of the paper, or what the files lack for it."""
    reports = {metric: given.benchmark_reports[name] for metric, name in METRICS.items()}
    n = len(given.benchmark)
    size = counted(n, n) if n else undefined(given.without_benchmark, n=0)
    return {
        **dict(weights_found(given)),
        ("tab1", "CAP-Correctness", "Test"): size,
        **dict(statements_found(statements, given.bootstrap)),
        **dict(written_found(generator)),
        **dict(_orders("tab2", "Pairwise Acc.", reports)),
        **dict(_pairs(reports)),
        **dict(_violations(reports)),
        **dict(_kappas(given)),
        **dict(_sources(given)),
        **dict(_language_models(given)),
    }


def _orders(table: str, accuracy: str, reports: Reports) -> Cells:
    """Tab. 2, 14 and 16: Spearman, Kendall and pairwise accuracy."""
    for row, report in reports.items():
        yield (table, row, "Spearman ρ"), statistic(report, "spearman")
        yield (table, row, "Kendall τ"), statistic(report, "kendall_tau_b")
        yield (table, row, accuracy), statistic(report, "pairwise_accuracy")


def _pairs(reports: Reports) -> Cells:
    """Tab. 3 and 4."""
    for name in _SEPARATED:
        yield ("tab3", name, "CAP AUC"), _pair(reports["CAP"], name, "auc")
    for row, report in reports.items():
        for name in _NEIGHBOURS:
            yield ("tab4", row, name), _pair(report, name, "accuracy")


def _violations(reports: Reports) -> Cells:
    """Tab. 12, of the strictly ordered pairs whose classes both have answers."""
    for row, report in reports.items():
        count = value_of(report, lambda one: violating(one.report))
        yield ("tab12", row, "Violating pairs of 27"), count
        yield ("tab12", row, "Violation rate"), statistic(report, "violation_rate")


def _kappas(given: CapFiles) -> Cells:
    """Tab. 7."""
    answers = given.validated
    if not answers:
        for row in _KAPPAS:
            yield ("tab7", row, "Score"), undefined(_no_human(given), n=0)
        return
    agreement = ClassAgreement.of(
        [one.human_label or "" for one in answers],
        [one.label for one in answers],
        questions_of(answers),
        given.scheme,
        given.bootstrap,
    )
    for row, weights in _KAPPAS.items():
        yield ("tab7", row, "Score"), agreement.kappa(weights)


def _sources(given: CapFiles) -> Cells:
    """Tab. 16 and 17: the answers that a person labelled too, under both labels."""
    answers = given.validated
    labels = {
        "Synthetic": [answer.label for answer in answers],
        "Human-labeled": [answer.human_label or "" for answer in answers],
    }
    reports = {
        row: given.report("cap", answers, those) if answers else _no_human(given)
        for row, those in labels.items()
    }
    yield from _orders("tab16", "PairAcc", reports)
    for row, column in (("Synthetic", "Synthetic"), ("Human-labeled", "Annotator")):
        for name in MEAN_CLASSES:
            yield ("tab17", name, column), value_of(reports[row], partial(mean_of, name=name))


def _language_models(given: CapFiles) -> Cells:
    """Tab. 5 and 14: answers by language models, under people's labels."""
    answers = {system: given.of_system(system) for system in SYSTEMS}
    reports = {
        system: given.report("cap", those, [one.human_label or one.label for one in those])
        if those
        else f'needs lines whose "system" is {system}'
        for system, those in answers.items()
    }
    yield from _orders("tab14", "PairAcc", reports)
    for system, report in reports.items():
        for name in _SYSTEM_CLASSES:
            if (system, name) != ("GPT-4o", "OI"):  # no such answers, so no figure
                yield ("tab5", system, name), value_of(report, partial(mean_of, name=name))


def _no_human(given: CapFiles) -> str:
    if not given.benchmark:
        return given.without_benchmark
    return f'needs a "human_label" on any of the {len(given.benchmark):,} lines without a "system"'


def _pair(report: OrderIntervals | str, name: str, measure: str) -> Estimate:
    """Of a pair of classes as the paper writes it, "Eq > Part"."""
    if isinstance(report, str):
        return undefined(report, n=0)
    pair = pair_of(report.report, name)
    if reason := lacking(pair):
        return undefined(reason, n=0)
    classes = (pair.higher.label, pair.lower.label)
    return report.auc(classes) if measure == "auc" else report.accuracy(classes)


SWEPT = {
    f"α {alpha:g}, λ {neutral:.1f}": CapWeights(alpha, neutral)
    for alpha, neutral in ((0.3, 0), (0.5, 0), (0.5, 0.3), (0.7, 0), (0.85, 0.3), (1, 0.3))
}
"""The rows of Tab. 11."""
ABLATED = {
    "Entailment gold → pred": CapWeights(1.0, 0.0),
    "Entailment gold → pred + λ Neutral": CapWeights(1.0, DEFAULT.neutral),
    "Entailment pred → gold": CapWeights(0.0, 0.0),
    "Entailment pred → gold + λ Neutral": CapWeights(0.0, DEFAULT.neutral),
    "Bidirect avg entailment": CapWeights(0.5, 0.0),
    "Full CAP": DEFAULT,
}
"""The rows of Tab. 13."""
_SWEEP: Mapping[str, OrderStatistic] = {
    "Spearman ρ": "spearman",
    "PairAcc": "pairwise_accuracy",
}
_ABLATION: Mapping[str, OrderStatistic] = {**_SWEEP, "Kendall τ": "kendall_tau_b"}
_VIOLATIONS = "Violations of 27"


def explained(answers: Sequence[CapAnswer], matcher: ExplainingMatcher) -> list[CapAnswer]:
    """The answers with CAP's score and its inferences, where their lines do not have them."""
    asked = [answer for answer in answers if answer.inferences is None]
    found = iter(matcher.explain([answer.pair for answer in asked]))
    return [
        answer if answer.inferences else answer.with_inferences(*_inferences(next(found)))
        for answer in answers
    ]


def weights_found(given: CapFiles) -> Cells:
    """Tab. 11 and 13, on the benchmark; intervals draw questions."""
    items = _items(given)
    orders: dict[CapWeights, OrderIntervals] = {}
    if not isinstance(items, str):
        for weights in {*SWEPT.values(), *ABLATED.values()}:
            orders[weights] = order_intervals(items.scored(weights), given.bootstrap)
    reason = items if isinstance(items, str) else ""
    for table, rows, columns in (("tab11", SWEPT, _SWEEP), ("tab13", ABLATED, _ABLATION)):
        for row, weights in rows.items():
            for column, name in columns.items():
                yield (
                    (table, row, column),
                    undefined(reason, n=0) if reason else orders[weights].statistic(name),
                )
    for row, weights in SWEPT.items():
        count = undefined(reason, n=0) if reason else violating(orders[weights].report)
        yield ("tab11", row, _VIOLATIONS), count


def _inferences(found: object) -> tuple[float, Inference, Inference]:
    if not isinstance(found, CapScore):
        raise TypeError(f"{type(found).__name__} is not what CAP says of a score")
    return (
        found.score,
        (found.forward.entailment, found.forward.neutral),
        (found.backward.entailment, found.backward.neutral),
    )


def _items(given: CapFiles) -> CapItems | str:
    """The benchmark with its inferences, or what they need."""
    answers = given.benchmark
    there = [answer.inferences for answer in answers if answer.inferences]
    if not answers:
        return given.without_benchmark
    if len(there) < len(answers):
        lacking = len(answers) - len(there)
        return (
            f'needs the "explanation" of {lacking:,} of {len(answers):,} lines'
            " (score_pairs --matcher cap --explain; of a release as scores=FILE), or --matcher cap"
        )
    ordered = OrderedItems.of(
        [answer.label for answer in answers],
        np.zeros(len(answers)),
        questions_of(answers),
        given.scheme,
    )
    forward, backward = (np.array([pair[side] for pair in there]) for side in (0, 1))
    return CapItems(ordered, forward, backward)
