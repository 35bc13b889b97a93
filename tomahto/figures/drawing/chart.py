"""The charts of a report, drawn of its tables."""

from tomahto.figures.drawing.horizontal import LyingChart
from tomahto.figures.drawing.series import chart_data
from tomahto.figures.drawing.vertical import ColumnChart, LineChart
from tomahto.figures.shapes import Chart
from tomahto.figures.table import PaperTable
from tomahto.figures.table_chart import TableChart


def drawn_chart(chart: TableChart, table: PaperTable) -> Chart:
    """The chart as `tomahto.figures.svg` and `tomahto.figures.png` take it.

    `points` and `bars` lie, one row of the page for each of the table; `columns` stand, and so does
    a `line`. It is 480 units wide and 320 high, or higher where there are many rows.

    Raises KeyError if the table lacks a column, and ValueError if the chart does not fit the table.
    """
    data = chart_data(chart, table)
    match chart.kind:
        case "points" | "bars":
            return LyingChart(chart, data)
        case "columns":
            return ColumnChart(chart, data)
        case "line":
            return LineChart(chart, data)
