"""Every chart is drawn once, by whichever process and run comes first.

Drawing takes most of a small release's time, and each verification draws again. The bytes follow
from chart, format and the code alone (tests/tomahto/charts/test_chart_files.py).
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator
from functools import cache

import pytest

from bootstrap.system import PRIVATE, ROOT
from tomahto.charts import chart_files
from tomahto.charts.chart_data import ChartData, StackedBars
from tomahto.charts.chart_files import ChartContents, ChartFormat

Kinds = Collection[ChartFormat]
Draw = Callable[[ChartData | StackedBars, Kinds], ChartContents]

KEPT = PRIVATE / "charts"
_draw: Draw = chart_files._drawn


def remembered(chart: ChartData | StackedBars, kinds: Kinds) -> ChartContents:
    described = f"{_state_of_the_code()} {chart_files.drawn_by()} {chart!r}"
    kept = KEPT / hashlib.sha256(described.encode()).hexdigest()
    places = {kind: kept.with_suffix(f".{kind}") for kind in kinds}
    missing = [kind for kind, place in places.items() if not place.exists()]
    for kind, content in (_draw(chart, missing) if missing else {}).items():
        KEPT.mkdir(parents=True, exist_ok=True)
        drawn = kept.with_suffix(f".{kind}.{os.getpid()}")
        drawn.write_bytes(content)
        drawn.replace(places[kind])
    return {kind: place.read_bytes() for kind, place in places.items()}


@cache
def _state_of_the_code() -> str:
    hashed = hashlib.sha256()
    for path in sorted((ROOT / "tomahto" / "charts").rglob("*.py")):
        hashed.update(path.read_bytes())
    return hashed.hexdigest()


@pytest.fixture(autouse=True, scope="session")
def charts_are_drawn_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart_files, "_drawn", remembered)
        yield


@pytest.fixture
def drawn(charts_are_drawn_once: None, monkeypatch: pytest.MonkeyPatch) -> list[ChartFormat]:
    """Charts are drawn each time; the formats of those that were."""
    formats: list[ChartFormat] = []

    def draw(chart: ChartData | StackedBars, kinds: Kinds) -> ChartContents:
        formats.extend(kinds)
        return _draw(chart, kinds)

    monkeypatch.setattr(chart_files, "_drawn", draw)
    return formats
