"""The charts of a report, drawn of its tables."""

from exporters.paper.shapes import Chart
from exporters.paper.table import PaperTable
from lab.drawing.lying import LyingChart
from lab.drawing.series import chart_data
from lab.drawing.standing import ColumnChart, LineChart
from lab.table_chart import TableChart


def drawn_chart(chart: TableChart, table: PaperTable) -> Chart:
    """The chart as `exporters.paper.svg` and `exporters.paper.png` take it.

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
