"""CAP again, from files laid out as CAP-Correctness; with other weights too (Tab. 11 and 13)."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import chain

import numpy as np

from tomahto.classes.agreement import ClassAgreement
from tomahto.classes.cap_sweep import DEFAULT, CapItems, CapWeights
from tomahto.estimates.estimate import Estimate
from tomahto.lab.reproduce.cap.answers import (
    MEAN_CLASSES,
    METRICS,
    SYSTEMS,
    CapAnswer,
    CapFiles,
    Inference,
    mean_of,
    model_of,
    pair_of,
    questions_of,
    violating,
)
from tomahto.lab.reproduce.cap.release import (
    JudgedStatement,
    WrittenStatements,
    statement_cells,
    written_cells,
)
from tomahto.lab.reproduce.comparison import Cells, Needed, OurFigures, computed, counted
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

Order = Callable[[], OrderIntervals]
"""The order of labels by a metric; raises Needed."""


def cap_figures(
    given: CapFiles,
    statements: Sequence[JudgedStatement] = (),
    generator: WrittenStatements | None = None,
) -> OurFigures:
    """Every figure of the paper, or what the files lack for it."""
    return computed(
        chain(
            _weights(given),
            _benchmark(given),
            statement_cells(statements, given.bootstrap),
            written_cells(generator),
            _kappas(given),
            _sources(given),
            _language_models(given),
        )
    )


def _benchmark(given: CapFiles) -> Cells:
    """Tab. 1 to 4, and Tab. 12, of the strictly ordered pairs whose classes both have answers."""

    def size() -> Estimate:
        given.require_benchmark()
        return counted(len(given.benchmark), len(given.benchmark))

    def auc(order: Order, name: str) -> Estimate:
        pair = pair_of(order().report, name)
        return order().auc((pair.higher.label, pair.lower.label))

    def accuracy(order: Order, name: str) -> Estimate:
        pair = pair_of(order().report, name)
        return order().accuracy((pair.higher.label, pair.lower.label))

    orders = {row: partial(given.benchmark_order, name) for row, name in METRICS.items()}
    yield ("tab1", "CAP-Correctness", "Test"), size
    yield from _statistics("tab2", "Pairwise Acc.", orders)
    for name in _SEPARATED:
        yield ("tab3", name, "CAP AUC"), partial(auc, orders["CAP"], name)
    for row, order in orders.items():
        for name in _NEIGHBOURS:
            yield ("tab4", row, name), partial(accuracy, order, name)
        yield ("tab12", row, "Violating pairs of 27"), partial(_violations, order)
        yield ("tab12", row, "Violation rate"), partial(_statistic, order, "violation_rate")


def _statistics(table: str, accuracy: str, orders: Mapping[str, Order]) -> Cells:
    """Tab. 2, 14 and 16: Spearman, Kendall and pairwise accuracy, by row."""
    for row, order in orders.items():
        yield (table, row, "Spearman ρ"), partial(_statistic, order, "spearman")
        yield (table, row, "Kendall τ"), partial(_statistic, order, "kendall_tau_b")
        yield (table, row, accuracy), partial(_statistic, order, "pairwise_accuracy")


def _statistic(order: Order, name: OrderStatistic) -> Estimate:
    return order().statistic(name)


def _violations(order: Order) -> Estimate:
    return violating(order().report)


def _mean(order: Order, name: str) -> Estimate:
    return mean_of(order(), name)


def _kappas(given: CapFiles) -> Cells:
    """Tab. 7."""

    @cache
    def agreement() -> ClassAgreement:
        given.require_validated()
        return ClassAgreement.of(
            [one.human_label or "" for one in given.validated],
            [one.label for one in given.validated],
            questions_of(given.validated),
            given.scheme,
            given.bootstrap,
        )

    def kappa(weights: KappaWeights) -> Estimate:
        return agreement().kappa(weights)

    for row, weights in _KAPPAS.items():
        yield ("tab7", row, "Score"), partial(kappa, weights)


def _sources(given: CapFiles) -> Cells:
    """Tab. 16 and 17: the answers that a person labelled too, under both labels."""

    def order(label: Callable[[CapAnswer], str]) -> OrderIntervals:
        given.require_validated()
        return given.order("cap", given.validated, list(map(label, given.validated)))

    synthetic = cache(partial(order, lambda answer: answer.label))
    human = cache(partial(order, lambda answer: answer.human_label or ""))
    yield from _statistics("tab16", "PairAcc", {"Synthetic": synthetic, "Human-labeled": human})
    for name in MEAN_CLASSES:
        yield ("tab17", name, "Synthetic"), partial(_mean, synthetic, name)
        yield ("tab17", name, "Annotator"), partial(_mean, human, name)


def _language_models(given: CapFiles) -> Cells:
    """Tab. 5 and 14: answers by language models, under people's labels."""

    def order(system: str) -> OrderIntervals:
        answers = [one for one in given.answers if model_of(one.system) == system]
        if not answers:
            raise Needed(f'needs lines whose "system" is {system}')
        return given.order("cap", answers, [one.human_label or one.label for one in answers])

    orders = {system: cache(partial(order, system)) for system in SYSTEMS}
    yield from _statistics("tab14", "PairAcc", orders)
    for system, of_system in orders.items():
        for name in _SYSTEM_CLASSES:
            if (system, name) != ("GPT-4o", "OI"):  # no such answers, so no figure
                yield ("tab5", system, name), partial(_mean, of_system, name)


def explained(answers: Sequence[CapAnswer], matcher: ExplainingMatcher) -> list[CapAnswer]:
    """The answers with CAP's score and its inferences, where their lines do not have them."""
    asked = [answer for answer in answers if answer.inferences is None]
    found = iter(matcher.explain([answer.pair for answer in asked]))
    return [
        answer if answer.inferences else answer.with_inferences(*_inferences(next(found)))
        for answer in answers
    ]


def _inferences(found: object) -> tuple[float, Inference, Inference]:
    if not isinstance(found, CapScore):
        raise TypeError(f"{type(found).__name__} is not what CAP says of a score")
    return (
        found.score,
        (found.forward.entailment, found.forward.neutral),
        (found.backward.entailment, found.backward.neutral),
    )


def _weights(given: CapFiles) -> Cells:
    """Tab. 11 and 13, on the benchmark; intervals draw questions."""

    @cache
    def items() -> CapItems:
        given.require_benchmark()
        answers = given.benchmark
        there = [answer.inferences for answer in answers if answer.inferences]
        if lacking := len(answers) - len(there):
            raise Needed(
                f'needs the "explanation" of {lacking:,} of {len(answers):,} lines (score_pairs'
                " --matcher cap --explain; of a release as scores=FILE), or --matcher cap"
            )
        ordered = OrderedItems.of(
            [answer.label for answer in answers],
            np.zeros(len(answers)),
            questions_of(answers),
            given.scheme,
        )
        forward, backward = (np.array([pair[side] for pair in there]) for side in (0, 1))
        return CapItems(ordered, forward, backward)

    @cache
    def order(weights: CapWeights) -> OrderIntervals:
        return order_intervals(items().scored(weights), given.bootstrap)

    for table, rows, columns in (("tab11", SWEPT, _SWEEP), ("tab13", ABLATED, _ABLATION)):
        for row, weights in rows.items():
            for column, name in columns.items():
                yield (table, row, column), partial(_statistic, partial(order, weights), name)
    for row, weights in SWEPT.items():
        yield ("tab11", row, "Violations of 27"), partial(_violations, partial(order, weights))
