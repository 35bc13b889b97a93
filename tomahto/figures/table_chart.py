"""A chart of a table, before it is drawn: which columns, and what lies along its axes."""

from dataclasses import dataclass
from typing import Literal, get_args

ChartKind = Literal["points", "line", "bars", "columns"]
CHART_KINDS: tuple[ChartKind, ...] = get_args(ChartKind)


@dataclass(frozen=True, slots=True)
class TableChart:
    """A chart of columns of a table: what it shows is what the table says.

    `label` is the key of the column that names the rows (of a `line`: the numbers along the
    horizontal axis), `series` are those of the columns drawn. Estimates are drawn with their
    intervals. `across` and `up` say what lies along the horizontal and the vertical axis: values
    lie across in `points` and `bars`, and up in `line` and `columns`. `low` and `high` are the
    ends of the axis of values, where they are given.
    """

    kind: ChartKind
    table: str  # its key
    title: str
    label: str
    series: tuple[str, ...]
    across: str
    up: str
    low: float | None = None
    high: float | None = None
