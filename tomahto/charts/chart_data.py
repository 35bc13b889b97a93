"""A chart of a table, before it is drawn: which columns, and what lies along its axes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, get_args

from tomahto.charts.picture import Look, Stroke
from tomahto.charts.table import MINUS, Cell, Column, ColumnKind, PaperTable
from tomahto.estimates.estimate import Estimate

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


NumberText: TypeAlias = Callable[[float, str], str]
"""Writes a number of an axis with its unit."""
Spacing = Literal["numbers", "names", "logs"]


def number_text(number: float, unit: str = "") -> str:
    """With its thousands apart and no more decimals than it needs."""
    return f"{number:,.10g} {unit}".strip().replace("-", MINUS)


class Value(NamedTuple):
    """A value with the ends of its interval, in the unit of the axis; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """A column of the table. Its heading has the unit; `shown` is what readers see of the cells.

    `look` is its colour, if not that of its place among the series. A line with a `stroke` has no
    marks.
    """

    name: str
    heading: str
    values: tuple[Value, ...]
    shown: tuple[str, ...]
    look: Look | None = None
    stroke: Stroke | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartData:
    """The series of a chart with what they have in common. Shares are in per cent, `unit` says
    so. `names` are those of the rows as the table shows them; `description` is what stands below
    the table. Raises ValueError where a line has rows without numbers.

    - `numbers`: along a line, in `number_unit`. With the spacing "numbers" its axis has round
      ones; with "names" the names of the rows, as days, stand there at their numbers, and with
      "logs" at the logarithms of their numbers.
    - `is_stacked`: the series of a row are one bar, and all values count from 0.
    - `is_sequence`: rows follow from each other, as days do; columns stand, and names without
      room are left out.
    - `is_counted`: values are whole.
    """

    kind: ChartKind
    title: str
    across: str
    up: str
    names: tuple[str, ...]
    series: tuple[Series, ...]
    description: str = ""
    unit: str = ""
    low: float | None = None
    high: float | None = None
    numbers: tuple[float, ...] = ()
    number_unit: str = ""
    spacing: Spacing = "numbers"
    is_stacked: bool = False
    is_sequence: bool = False
    is_counted: bool = False
    number: NumberText = field(default=number_text, repr=False)

    def __post_init__(self) -> None:
        if self.kind == "line" and len(self.numbers) != len(self.names):
            raise ValueError(f"chart {self.title!r}: a line needs numbers along its axis")
        if self.spacing == "logs" and min(self.numbers, default=1.0) <= 0:
            raise ValueError(f"chart {self.title!r}: no logarithm of {min(self.numbers):g}")


def chart_data(chart: TableChart, table: PaperTable) -> ChartData:
    """The columns that the chart names.

    Raises KeyError if the table has no such column, and ValueError if the chart is of another
    table, its series are words or in several units, or a line has no numbers along its axis.
    """
    if chart.table != table.key:
        raise ValueError(f"a chart of {chart.table} cannot be drawn of {table.key}")
    columns = [table.column(key) for key in chart.series]
    kinds = {column.kind for column, _ in columns}
    if "text" in kinds or ("percent" in kinds and len(kinds) > 1):
        raise ValueError(f"chart of {table.key}: its series are not numbers of one unit")
    kind: ColumnKind = next(iter(kinds), "number")
    factor = _factor(kind)
    label, labels = table.column(chart.label)
    numbers = [_factor(label.kind) * cell for cell in labels if isinstance(cell, int | float)]
    return ChartData(
        kind=chart.kind,
        title=chart.title,
        description=" ".join(table.remarks),
        across=chart.across,
        up=chart.up,
        names=tuple(map(label.shown, labels)),
        series=tuple(_series(column, cells) for column, cells in columns),
        unit=_unit(kind),
        low=None if chart.low is None else chart.low * factor,
        high=None if chart.high is None else chart.high * factor,
        numbers=tuple(numbers),
        number_unit=_unit(label.kind),
    )


def _factor(kind: ColumnKind) -> float:
    return 100.0 if kind == "percent" else 1.0


def _unit(kind: ColumnKind) -> str:
    return "%" if kind == "percent" else ""


def _series(column: Column, cells: Sequence[Cell]) -> Series:
    factor = _factor(column.kind)
    values = tuple(_value(cell, factor) for cell in cells)
    return Series(column.title, column.heading, values, tuple(map(column.shown, cells)))


def _value(cell: Cell, factor: float) -> Value:
    if isinstance(cell, Estimate):
        parts = (cell.value, cell.low, cell.high)
        return Value(*(None if part is None else part * factor for part in parts))
    return Value(None if cell is None or isinstance(cell, str) else cell * factor)


@dataclass(frozen=True, slots=True, kw_only=True)
class StackedBars:
    """Counts by bin, a bar for each, in layers from the bottom. There are len(edges) - 1 bins.

    Raises ValueError if a layer has another number of bins.
    """

    title: str
    across: str
    up: str
    edges: Sequence[float]
    layers: Mapping[str, Sequence[int]]
    description: str = ""  # what n is, and where the numbers are from

    def __post_init__(self) -> None:
        if any(len(layer) != len(self.edges) - 1 for layer in self.layers.values()):
            raise ValueError("every layer needs a count for every bin")

    @property
    def highest(self) -> int:
        return max(map(sum, zip(*self.layers.values(), strict=True)), default=0)
