"""What a chart draws of a table: names of rows, and series of values with their intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tomahto.estimates.estimate import Estimate
from tomahto.figures.shapes import colours
from tomahto.figures.table import Cell, Column, PaperTable
from tomahto.figures.table_chart import TableChart


class Value(NamedTuple):
    """A value with the ends of its interval, in the unit of the axis; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True, slots=True)
class Series:
    """A column of the table; `place` is the number of its mark, from 0."""

    name: str
    place: int
    colour: str
    values: tuple[Value, ...]

    def ends(self) -> Iterator[float]:
        """Every number that has to be on the axis."""
        for each in self.values:
            yield from (part for part in each if part is not None)


@dataclass(frozen=True, slots=True)
class ChartData:
    """The series of a chart with what they have in common. Shares are in per cent, `unit` says
    so. `labels` are the cells that name the rows, of the column `label`."""

    label: Column
    labels: tuple[Cell, ...]
    series: tuple[Series, ...]
    unit: str
    low: float | None
    high: float | None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rows as the table shows them."""
        return tuple(map(self.label.shown, self.labels))

    def ends(self) -> Iterator[float]:
        for series in self.series:
            yield from series.ends()


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
    factor = 100.0 if "percent" in kinds else 1.0
    label, labels = table.column(chart.label)
    return ChartData(
        label=label,
        labels=labels,
        series=tuple(
            Series(column.title, place, colour, _values(cells, factor))
            for place, ((column, cells), colour) in enumerate(zip(columns, colours(), strict=False))
        ),
        unit="%" if "percent" in kinds else "",
        low=None if chart.low is None else chart.low * factor,
        high=None if chart.high is None else chart.high * factor,
    )


def _values(cells: Sequence[Cell], factor: float) -> tuple[Value, ...]:
    return tuple(_value(cell, factor) for cell in cells)


def _value(cell: Cell, factor: float) -> Value:
    if isinstance(cell, Estimate):
        parts = (cell.value, cell.low, cell.high)
        return Value(*(None if part is None else part * factor for part in parts))
    return Value(None if cell is None or isinstance(cell, str) else cell * factor)
