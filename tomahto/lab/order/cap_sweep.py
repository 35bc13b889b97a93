"""The weights of CAP, and CAP without parts of its formula, from stored inference
probabilities (CAP App. C.3 and E.1, Tab. 11 and 13)."""

from collections.abc import Callable, Sequence
from operator import itemgetter

import numpy as np

from tomahto.charts.chart_data import TableChart
from tomahto.charts.rows import R, Shown, count, number, text
from tomahto.charts.table import PaperTable
from tomahto.classes.cap_sweep import (
    ABLATIONS,
    ALPHAS,
    DEFAULT,
    NEUTRALS,
    CapItems,
    CapSweep,
    CapWeights,
    Choice,
    HeldOut,
    ablation,
    cap_sweep,
    folds_of,
    held_out,
)
from tomahto.lab.order.ordered import order_table, statistics, violation_columns, why_unordered
from tomahto.lab.report import LabInput, Section
from tomahto.matching.cap import CapScore
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals

KEY, TITLE = "cap_sweep", "Weights of CAP"
LEAD = (
    "How much do CAP's two weights matter, and each part of its formula? Every score is "
    "recomputed from the probabilities stored with the scores; no model is run."
)


def cap_sweep_section(
    given: LabInput, *, alphas: Sequence[float] = ALPHAS, neutrals: Sequence[float] = NEUTRALS
) -> Section:
    """Weights are swept on the items of `tune_on` and judged on the others; without it they are
    swept on all items and judged by cross-validation over questions. Raises ValueError if there are
    not as many scores as items, and as `tomahto.classes.cap_sweep.cap_sweep`.
    """
    if given.cap_scores is None:
        reason = "cap has not scored the items, or its scores have no explanations"
    else:
        reason = why_unordered(given.data)
    if given.cap_scores is None or reason:
        return Section(KEY, TITLE, LEAD, (), reason=reason)
    items = _items(given, given.cap_scores)
    choices = _choices(given, items)
    if given.tune_on is not None and not choices:
        reason = f"the split {given.tune_on} has no item, or all of them"
        return Section(KEY, TITLE, LEAD, (), reason=reason)
    swept = items if given.tune_on is None else items.of_items(choices[0].chosen_on)
    sweep = cap_sweep(swept, given.bootstrap, alphas=alphas, neutrals=neutrals)
    judged = held_out(items, choices, given.bootstrap, alphas=alphas, neutrals=neutrals)
    tables = (
        _grid(given, sweep),
        _by_alpha(given, sweep, alphas, neutrals),
        _choice(given, sweep, judged),
        ablation_table(given, items),
    )
    return Section(KEY, TITLE, LEAD, tables, (_chart(neutrals),))


def _items(given: LabInput, explained: Sequence[CapScore]) -> CapItems:
    items = given.data.items
    if len(explained) != len(items):
        raise ValueError(f"{len(explained)} explained scores of {len(items)} items")
    ordered = OrderedItems.of(
        [item.label for item in items],
        np.array([one.score for one in explained], dtype=np.float64),
        [item.question_id for item in items],
        given.data.scheme,
    )
    forward, backward = (
        np.array([[one.entailment, one.neutral] for one in direction], dtype=np.float64)
        for direction in (
            [each.forward for each in explained],
            [each.backward for each in explained],
        )
    )
    return CapItems(ordered, forward, backward)


def _choices(given: LabInput, items: CapItems) -> tuple[Choice, ...]:
    if given.tune_on is None:
        return folds_of(items.items, seed=given.bootstrap.seed)
    is_tuning = np.array([item.split == given.tune_on for item in given.data.items])
    if is_tuning.all() or not is_tuning.any():
        return ()
    return (Choice(np.flatnonzero(is_tuning), np.flatnonzero(~is_tuning)),)


def _grid(given: LabInput, sweep: CapSweep) -> PaperTable:
    return order_table(
        given,
        "cap_sweep",
        "CAP with other weights",
        sweep.grid,
        number("alpha", "α", lambda row: row[0].alpha),
        number("lambda", "λ", lambda row: row[0].neutral),
        *order_columns(itemgetter(1)),
        text("remark", "Remark", lambda row: _remark(row[0], sweep)),
        notes=(
            f"n = {sweep.items.items.n:,} items{_of_split(given)}. α weighs reference →"
            " candidate, λ is the credit for neutral. The best cell is that of the highest ρ"
            f" on these very items; {sweep.equally_good} have it. {REFERENCE_NOTE}"
        ),
        after="Tab. 11",
    )


def _remark(weights: CapWeights, sweep: CapSweep) -> str:
    remarks = [
        *(["best"] if weights == sweep.best[0] else []),
        *(["default"] if weights == DEFAULT else []),
    ]
    return ", ".join(remarks)


def _by_alpha(
    given: LabInput, sweep: CapSweep, alphas: Sequence[float], neutrals: Sequence[float]
) -> PaperTable:
    order_of = dict(sweep.grid)

    def column(neutral: float) -> Shown[float]:
        return number(
            _key(neutral),
            f"λ = {neutral:g}",
            lambda alpha: order_of[CapWeights(alpha, neutral)].statistic("spearman"),
        )

    return order_table(
        given,
        "cap_sweep_by_alpha",
        "Spearman's ρ of CAP by α and λ",
        sorted(alphas),
        number("alpha", "α", lambda alpha: alpha),
        *map(column, neutrals),
        notes=f"n = {sweep.items.items.n:,} items{_of_split(given)}.",
        after="Tab. 11",
    )


def _key(neutral: float) -> str:
    return f"lambda_{neutral:g}"


def _choice(given: LabInput, sweep: CapSweep, judged: HeldOut) -> PaperTable:
    best, default = (order.statistic(sweep.objective) for order in (sweep.best[1], sweep.default))
    chosen_on = ("items they were chosen on", sweep.items.items.n, best, default, sweep.gain)
    others = (judged.value.n, judged.value, judged.default, judged.difference)
    return order_table(
        given,
        "cap_choice",
        "Spearman's ρ of the best weights beside the default ones",
        (chosen_on, ("items they were not chosen on", *others)),
        text("where", "Judged on", lambda row: row[0]),
        count("n", "n", lambda row: row[1]),
        number("best", "Best weights", lambda row: row[2]),
        number("default", "Default weights", lambda row: row[3]),
        number("difference", "Difference", lambda row: row[4]),
        notes=[_best_note(sweep), _judged_note(given, judged)],
        after="App. C.3",
    )


def _best_note(sweep: CapSweep) -> str:
    (alpha, neutral), share = sweep.best[0], sweep.share_better
    often = "an undefined share" if share is None else f"{share:.1%}"
    return (
        f"Best are α = {alpha:g}, λ = {neutral:g}, default α = {DEFAULT.alpha:g},"
        f" λ = {DEFAULT.neutral:g}. On the items they were chosen on the best beat the default in"
        f" {often} of the replicates, which is too high."
    )


def _judged_note(given: LabInput, judged: HeldOut) -> str:
    chosen = ", ".join(f"({alpha:g}, {neutral:g})" for alpha, neutral in judged.chosen) or "none"
    how = (
        f"Weights are judged by cross-validation over questions, {len(judged.chosen)} folds: the"
        " mean of ρ in each fold with the weights chosen on the others."
    )
    if given.tune_on is not None:
        how = f"Weights are chosen on the split {given.tune_on} and judged on the others."
    return f"{how} Chosen (α, λ): {chosen}."


def _of_split(given: LabInput) -> str:
    return "" if given.tune_on is None else f" of the split {given.tune_on}"


def _chart(neutrals: Sequence[float]) -> TableChart:
    return TableChart(
        kind="line",
        table="cap_sweep_by_alpha",
        title="Spearman's ρ of CAP by α, a line for each λ",
        label="alpha",
        series=tuple(_key(neutral) for neutral in neutrals),
        across="α",
        up="Spearman's ρ",
    )


REFERENCE_NOTE = (
    "Of several references an item keeps the one that scored highest with the stored scores'"
    " weights."
)


def ablation_table(given: LabInput, items: CapItems) -> PaperTable:
    """Every variant beside full CAP on the same draws."""
    variants = [
        (name, weights, order)
        for (name, weights), (_, order) in zip(
            ABLATIONS, ablation(items, given.bootstrap), strict=True
        )
    ]
    full = variants[-1][2]
    return order_table(
        given,
        "cap_ablation",
        "CAP without parts of its formula",
        variants,
        text("variant", "Variant", lambda row: row[0]),
        number("alpha", "α", lambda row: row[1].alpha),
        number("lambda", "λ", lambda row: row[1].neutral),
        *order_columns(itemgetter(2)),
        number(
            "difference",
            "ρ less that of full CAP",
            lambda row: row[2].difference(full, "spearman"),
        ),
        notes=f"n = {items.items.n:,} items. {REFERENCE_NOTE}",
        after="Tab. 13",
    )


def order_columns(of: Callable[[R], OrderIntervals]) -> tuple[Shown[R], ...]:
    """The order of the classes by a score, `of` a row."""

    return *statistics(of, ORDER_STATISTICS[:3]), *violation_columns(of)
