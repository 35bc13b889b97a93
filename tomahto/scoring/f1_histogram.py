"""Items by token F1 and label: does word overlap tell labels apart (Bulian et al. 2022, Fig. 1)?"""

from collections.abc import Iterable, Sequence
from typing import Any

BINS = 10


def f1_histogram(
    labels: Sequence[str], items: Iterable[tuple[str, float | None]]
) -> dict[str, Any]:
    """Counts of items by label and bin: `{"edges", "labels", "without_references"}`.

    Every item is its label and its F1, None where it has no reference to be compared with. Ten
    bins of equal width; each includes its lower edge, and the last one 1 as well.

    Raises KeyError if an item has another label.
    """
    bars = {label: [0] * BINS for label in labels}
    undefined = 0
    for label, f1 in items:
        if f1 is None:
            undefined += 1
        else:
            bars[label][_bin(f1)] += 1
    edges = [edge / BINS for edge in range(BINS + 1)]
    return {"edges": edges, "labels": bars, "without_references": undefined}


def _bin(f1: float) -> int:
    # A quotient of small integers can come out one rounding error below its edge.
    return min(int(f1 * BINS + 1e-9), BINS - 1)
