"""What is left of CAP without parts of its formula (CAP App. E.1, Tab. 13)."""

from tomahto.classes.cap_items import ABLATIONS, CapItems
from tomahto.classes.cap_sweep import ablation
from tomahto.figures.table import Cell, Column, PaperTable
from tomahto.lab.order.ordered import intervals_note, judged_source
from tomahto.lab.report import LabInput
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals

STATISTICS = (
    Column("spearman", "Spearman's ρ", "number"),
    Column("kendall_tau_b", "Kendall's τ-b", "number"),
    Column("pairwise_accuracy", "Pairwise accuracy", "percent"),
    Column("violations", "Violations"),
    Column("judged", "of"),
)
REFERENCE_NOTE = (
    "Of several references an item keeps the one that scored highest with the stored scores'"
    " weights."
)


def ablation_table(given: LabInput, items: CapItems) -> PaperTable:
    """Every variant beside full CAP on the same draws."""
    orders = ablation(items, given.bootstrap)
    full = orders[-1][1]
    return PaperTable(
        key="cap_ablation",
        title="CAP without parts of its formula",
        columns=(
            Column("variant", "Variant", "text"),
            Column("alpha", "α", "number"),
            Column("lambda", "λ", "number"),
            *STATISTICS,
            Column("difference", "ρ less that of full CAP", "number"),
        ),
        rows=tuple(
            (name, *weights, *order_cells(order), order.difference(full, "spearman"))
            for (name, weights), (_, order) in zip(ABLATIONS, orders, strict=True)
        ),
        notes=(
            f"n = {items.items.n:,} items. {REFERENCE_NOTE}",
            intervals_note(given.bootstrap),
        ),
        source=judged_source(given.data, "Tab. 13"),
    )


def order_cells(order: OrderIntervals) -> tuple[Cell, ...]:
    """The cells of `STATISTICS`."""
    pairs = order.report.pairs
    return (
        *(order.statistic(name) for name in ORDER_STATISTICS[:3]),
        sum(pair.is_violation or False for pair in pairs),
        order.statistic("violation_rate").n,
    )
