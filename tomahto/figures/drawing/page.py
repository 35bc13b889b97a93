"""What all charts of tables have in common."""

from collections.abc import Iterator
from dataclasses import dataclass

from tomahto.figures.drawing.series import ChartData
from tomahto.figures.shapes import WIDTH, Text
from tomahto.figures.table_chart import TableChart


@dataclass(frozen=True)
class Page:
    """A chart and what it is drawn of."""

    chart: TableChart
    data: ChartData

    @property
    def title(self) -> str:
        return self.chart.title

    @property
    def width(self) -> int:
        return WIDTH

    def titles(self, across: float, up: float, height: int) -> Iterator[Text]:
        """The titles of both axes, as far as they have one; `across` and `up` are the middles of
        the axes."""
        if self.chart.across:
            yield Text(across, height - 8, self.chart.across, "middle")
        if self.chart.up:
            yield Text(16, up, self.chart.up, "middle", is_upright=True)
