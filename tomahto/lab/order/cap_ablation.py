"""CAP without parts of its formula (CAP App. E.1, Tab. 13)."""

from collections.abc import Callable, Sequence
from operator import itemgetter

from tomahto.classes.cap_items import ABLATIONS, CapItems
from tomahto.classes.cap_sweep import ablation
from tomahto.figures.rows import R, Shown, number, text
from tomahto.figures.table import PaperTable
from tomahto.lab.order.ordered import order_table, statistics, violation_columns
from tomahto.lab.report import LabInput
from tomahto.ranking.monotonicity import OrderedPair
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals

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
    """How a score keeps the order of the classes, `of` a row."""

    def pairs(row: R) -> Sequence[OrderedPair]:
        return of(row).report.pairs

    return (
        *statistics(of, ORDER_STATISTICS[:3]),
        *violation_columns("", "Violations", pairs),
    )
