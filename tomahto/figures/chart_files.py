"""Charts as files: SVG for screens, PNG for slides, PDF for papers.

Matplotlib is imported when a chart is drawn.
"""

import platform
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from io import BytesIO
from threading import Lock
from typing import Any, Literal, TypeAlias, get_args
from xml.sax.saxutils import escape  # nosec B406 - writes XML, reads none

from tomahto.extras import is_installed, require_package
from tomahto.figures.chart import StackedBars
from tomahto.figures.chart_data import ChartData
from tomahto.figures.drawing.picture_figure import PAPER, picture_figure
from tomahto.figures.picture import Picture
from tomahto.figures.series_charts import series_chart, stacked_chart
from tomahto.figures.words import plain

Chart: TypeAlias = ChartData | StackedBars | Picture
ChartFormat = Literal["svg", "png", "pdf"]
CHART_FORMATS: tuple[ChartFormat, ...] = get_args(ChartFormat)

_DRAWN_BY = "Tomahto charts"
_DRAWING = 2  # to be raised with every change that draws the same data otherwise
_SETTINGS: dict[Any, Any] = {
    "figure.facecolor": PAPER,
    "font.sans-serif": ["DejaVu Sans"],  # comes with Matplotlib
    "pdf.compression": 0,  # what zlib makes of it differs from build to build
    "pdf.fonttype": 42,  # conferences refuse fonts of type 3
    "savefig.dpi": 300,
    "svg.fonttype": "none",  # texts stay texts
    "svg.hashsalt": "tomahto",
    "text.parse_math": False,
}
_ONE_AT_A_TIME = Lock()  # settings are those of the process


def chart_file(chart: Chart, kind: ChartFormat) -> bytes:
    """The chart as wide as a column of a paper, 3.3 inches; PNG with 300 dots per inch.

    The bytes are the same for the same chart, in every process, and name the versions of what drew
    them. SVG and PDF keep texts as texts; the title, and of SVG the description, are for who cannot
    see it.

    Raises PackageMissingError without Matplotlib, and ValueError if the axis of a line has no
    numbers.
    """
    require_package("matplotlib", extra="figures")
    return _drawn(chart, kind)


def can_be(content: bytes, chart: Chart, kind: ChartFormat) -> bool:
    """Whether this file may show the chart. A file that other versions drew, or any file where
    Matplotlib is not installed, only has to name what drew it."""
    if _DRAWN_BY.encode() not in content:
        return False
    if not is_installed("matplotlib"):
        return True
    return drawn_by().encode() not in content or chart_file(chart, kind) == content


@cache
def drawn_by() -> str:
    """Everything that has a say in the bytes."""
    from matplotlib import ft2font

    parts = [f"{name} {version(name)}" for name in ("matplotlib", "pillow", "fonttools", "numpy")]
    parts += [f"FreeType {ft2font.__freetype_version__}", platform.machine()]
    return f"{_DRAWN_BY} {_DRAWING}, {', '.join(parts)}"


@contextmanager
def settings() -> Iterator[None]:
    """Matplotlib's defaults and those above, whatever the user's are."""
    import matplotlib as mpl

    with _ONE_AT_A_TIME, mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def picture_of(chart: Chart) -> Picture:
    """Raises ValueError if the axis of a line has no numbers."""
    if isinstance(chart, Picture):
        return chart
    return stacked_chart(chart) if isinstance(chart, StackedBars) else series_chart(chart)


def _drawn(chart: Chart, kind: ChartFormat) -> bytes:
    file = BytesIO()
    with settings():
        figure = picture_figure(picture_of(chart))
        figure.savefig(file, format=kind, metadata=_metadata(kind, plain(chart.title)))
    if kind != "svg":
        return file.getvalue()
    return _described(file.getvalue().decode(), plain(chart.description)).encode()


def _metadata(kind: ChartFormat, title: str) -> dict[str, Any]:
    """Without a date."""
    match kind:
        case "svg":
            return {"Title": title, "Creator": drawn_by(), "Date": None}
        case "png":
            return {"Title": title, "Software": drawn_by()}
        case "pdf":
            return {"Title": title, "Creator": drawn_by(), "Producer": None, "CreationDate": None}


def _described(svg: str, description: str) -> str:
    """The picture as one image to screen readers, its description after its title."""
    described = f"</title>\n <desc>{escape(description)}</desc>" if description else "</title>"
    return svg.replace("<svg ", '<svg role="img" ', 1).replace("</title>", described, 1)
