"""Values that tests read from sections."""

from tomahto.charts.table import Cell, PaperTable
from tomahto.estimates.estimate import Estimate
from tomahto.lab.report import Section


def table_of(section: Section, key: str) -> PaperTable:
    (table,) = (table for table in section.tables if table.key == key)
    return table


def values(table: PaperTable) -> list[dict[str, str | int | float | None]]:
    """Each row by column, estimates by their values."""
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, map(_value, row), strict=True)) for row in table.rows]


def cells_of(section: Section, key: str) -> list[dict[str, Cell]]:
    """Each row of a table by column, estimates whole."""
    table = table_of(section, key)
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def number(cell: Cell) -> float:
    """The value of an estimate that has one."""
    assert isinstance(cell, Estimate)
    assert cell.value is not None
    return cell.value


def estimates(table: PaperTable, key: str) -> list[Estimate]:
    """The estimates in a column."""
    place = [column.key for column in table.columns].index(key)
    return [cell for row in table.rows if isinstance(cell := row[place], Estimate)]


def charted_columns_are_there(section: Section) -> bool:
    """Whether every chart names columns of a table of its section."""
    return all(
        {chart.label, *chart.series}
        <= {column.key for column in table_of(section, chart.table).columns}
        for chart in section.charts
    )


def _value(cell: Cell) -> str | int | float | None:
    return cell.value if isinstance(cell, Estimate) else cell
