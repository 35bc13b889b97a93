"""Every chart is drawn once: drawing takes most of a small release's time, and each verification
draws again. The bytes follow from chart and format alone (tests/tomahto/figures/drawing/)."""

from collections.abc import Callable, Iterator

import pytest

from tomahto.figures import chart_files
from tomahto.figures.chart import StackedBars
from tomahto.figures.chart_data import ChartData
from tomahto.figures.chart_files import ChartFormat

Draw = Callable[[ChartData | StackedBars, ChartFormat], bytes]

_draw: Draw = chart_files._drawn
_known: dict[str, bytes] = {}


def remembered(chart: ChartData | StackedBars, kind: ChartFormat) -> bytes:
    described = f"{chart_files.drawn_by()} {kind} {chart!r}"
    if described not in _known:
        _known[described] = _draw(chart, kind)
    return _known[described]


@pytest.fixture(autouse=True, scope="session")
def charts_are_drawn_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart_files, "_drawn", remembered)
        yield


@pytest.fixture
def drawn(charts_are_drawn_once: None, monkeypatch: pytest.MonkeyPatch) -> list[ChartFormat]:
    """Charts are drawn each time; the formats of those that were."""
    formats: list[ChartFormat] = []

    def draw(chart: ChartData | StackedBars, kind: ChartFormat) -> bytes:
        formats.append(kind)
        return _draw(chart, kind)

    monkeypatch.setattr(chart_files, "_drawn", draw)
    return formats
