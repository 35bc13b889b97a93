"""The histogram of a release is drawn once for each content.

Drawing takes longer than all else of a small release, and every verification draws again. The bytes
follow from chart and format alone (tests/tomahto/figures/drawing/test_chart.py).
"""

from collections.abc import Iterator

import pytest

from tomahto.figures import chart_files
from tomahto.figures.chart import StackedBars
from tomahto.figures.chart_data import ChartData
from tomahto.figures.chart_files import ChartFormat

_draw = chart_files._drawn
_known: dict[str, bytes] = {}


def remembered(chart: ChartData | StackedBars, kind: ChartFormat) -> bytes:
    if not isinstance(chart, StackedBars):
        return _draw(chart, kind)
    described = f"{chart_files.drawn_by()} {kind} {chart!r}"
    if described not in _known:
        _known[described] = _draw(chart, kind)
    return _known[described]


@pytest.fixture(autouse=True, scope="session")
def charts_are_drawn_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart_files, "_drawn", remembered)
        yield
