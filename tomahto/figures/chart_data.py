"""What a chart draws of a table: names of rows, and series of values with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tomahto.estimates.estimate import Estimate
from tomahto.figures.table import Cell, Column, ColumnKind, PaperTable
from tomahto.figures.table_chart import TableChart


class Value(NamedTuple):
    """A value with the ends of its interval, in the unit of the axis; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """A column of the table. Its heading has the unit; `shown` is what readers see of the cells."""

    name: str
    heading: str
    values: tuple[Value, ...]
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChartData:
    """The series of a chart with what they have in common. Shares are in per cent, `unit` says
    so. `labels` are the cells that name the rows, of the column `label`; `description` is what
    stands below the table."""

    chart: TableChart
    description: str
    label: Column
    labels: tuple[Cell, ...]
    series: tuple[Series, ...]
    unit: str
    low: float | None
    high: float | None

    @property
    def title(self) -> str:
        return self.chart.title

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rows as the table shows them."""
        return tuple(map(self.label.shown, self.labels))

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers that name the rows, in the unit of their axis.

        Raises ValueError where the rows are named otherwise.
        """
        numbers = [label for label in self.labels if isinstance(label, int | float)]
        if len(numbers) < len(self.labels):
            raise ValueError(f"chart of {self.chart.table}: a line needs numbers along its axis")
        return tuple(_factor(self.label.kind) * number for number in numbers)

    @property
    def number_unit(self) -> str:
        return _unit(self.label.kind)


def chart_data(chart: TableChart, table: PaperTable) -> ChartData:
    """The columns that the chart names.

    Raises KeyError if the table has no such column, and ValueError if the chart is of another
    table, or its series are words or in several units.
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
    return ChartData(
        chart=chart,
        description=" ".join(table.remarks),
        label=label,
        labels=labels,
        series=tuple(_series(column, cells) for column, cells in columns),
        unit=_unit(kind),
        low=None if chart.low is None else chart.low * factor,
        high=None if chart.high is None else chart.high * factor,
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
