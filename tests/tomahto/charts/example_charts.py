"""Charts of every kind, of small tables."""

from dataclasses import replace

from tomahto.charts.chart_data import ChartData, StackedBars, TableChart, chart_data
from tomahto.charts.table import Cell, Column, PaperTable
from tomahto.estimates.estimate import Estimate


def around(value: float, reach: float) -> Estimate:
    return Estimate(value=value, low=value - reach, high=value + reach, n=9)


def table(*rows: tuple[Cell, ...], kind: str = "percent", label: str = "text") -> PaperTable:
    series = (
        Column(f"s{place}", f"Series {place}", kind)  # type: ignore[arg-type]  # one of the kinds
        for place in range(len(rows[0]) - 1)
    )
    first = Column("name", "Name", label)  # type: ignore[arg-type]  # one of the kinds
    return PaperTable(
        key="t",
        title="T",
        columns=(first, *series),
        rows=rows,
        notes=("n = 9 items.",),
        source="<s>",
        reasons=("nobody rated",),
    )


def chart(kind: str, *series: str, **more: float) -> TableChart:
    return TableChart(
        kind=kind,  # type: ignore[arg-type]  # one of the kinds
        table="t",
        title="What <is> shown",
        label="name",
        series=series or ("s0",),
        across="Across",
        up="Up",
        **more,
    )


def data(kind: str, *rows: tuple[Cell, ...], of: str = "percent", **more: float) -> ChartData:
    label = "text" if isinstance(rows[0][0], str) else "number"
    series = [f"s{place}" for place in range(len(rows[0]) - 1)]
    return chart_data(chart(kind, *series, **more), table(*rows, kind=of, label=label))


LAYERS = StackedBars(
    title="F1 <by> label",
    across="F1",
    up="Items",
    edges=(0.0, 0.5, 1.0),
    layers={"equivalent": [3, 1], "other": [1, 0]},
    description="n = 5 items.",
)
EMPTY = replace(data("points", ("em", 0.5)), names=(), series=(), unit="")
EXAMPLES: dict[str, ChartData | StackedBars] = {
    "points": data("points", ("em", around(0.5, 0.25), 0.1), ("f1", 1.0, None), low=0, high=1),
    "bars": data("bars", ("a", around(0.5, 0.25)), ("b", -0.5), ("c", None), of="number"),
    "columns": data("columns", ("a", around(0.5, 0.25)), ("b", 0.25)),
    "line": data("line", (0.5, around(0.5, 0.25)), (0.1, 0.25), (0.9, 1.0), of="number"),
    "histogram": LAYERS,
}
