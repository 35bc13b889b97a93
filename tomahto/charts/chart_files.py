"""Charts as files: SVG for screens, PNG for slides, PDF for papers.

Matplotlib is imported when a chart is drawn.
"""

import gc
import platform
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args
from xml.sax.saxutils import escape  # nosec B406 - writes XML, reads none

from tomahto.charts.chart_data import ChartData, StackedBars
from tomahto.charts.picture import (
    SERIES,
    STROKES,
    TEXT,
    WIDTH,
    Area,
    Dot,
    Judged,
    Line,
    Look,
    Mark,
    Picture,
    Strokes,
    Words,
    corners,
)
from tomahto.charts.series_charts import series_chart, stacked_chart
from tomahto.charts.table import plain
from tomahto.extras import is_installed, require_package

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Chart: TypeAlias = ChartData | StackedBars | Picture
ChartFormat = Literal["svg", "png", "pdf"]
CHART_FORMATS: tuple[ChartFormat, ...] = get_args(ChartFormat)
ChartContents: TypeAlias = Mapping[ChartFormat, bytes]

_DRAWN_BY = "Tomahto charts"
_DRAWING = 2  # to be raised with every change that draws the same data otherwise

INK, PAPER = "#1a1a1a", "#ffffff"

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
    return chart_files(chart, (kind,))[kind]


def chart_files(chart: Chart, kinds: Collection[ChartFormat] = CHART_FORMATS) -> ChartContents:
    """The chart in each of these formats, as `chart_file` has it in one: drawn once, and written in
    each."""
    require_package("matplotlib", extra="figures")
    return _drawn(chart, kinds)


def fitting(contents: ChartContents, chart: Chart) -> set[ChartFormat]:
    """The formats of these files in which they may show the chart. A file that other versions drew,
    or any file where Matplotlib is not installed, only has to name what drew it."""
    named = {kind for kind, content in contents.items() if _DRAWN_BY.encode() in content}
    if not is_installed("matplotlib"):
        return named
    ours = {kind for kind in named if drawn_by().encode() in contents[kind]}
    drawn = chart_files(chart, ours) if ours else {}
    return (named - ours) | {kind for kind in ours if drawn[kind] == contents[kind]}


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


@contextmanager
def _without_collections() -> Iterator[None]:
    """Drawing makes many objects, of which few lie in cycles: looking for these would take a fifth
    of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def picture_of(chart: Chart) -> Picture:
    """Raises ValueError if the axis of a line has no numbers."""
    if isinstance(chart, Picture):
        return chart
    return stacked_chart(chart) if isinstance(chart, StackedBars) else series_chart(chart)


def _drawn(chart: Chart, kinds: Collection[ChartFormat]) -> ChartContents:
    with settings(), _without_collections():
        figure = picture_figure(picture_of(chart))
        return {kind: _saved(figure, chart, kind) for kind in kinds}


def _saved(figure: "Figure", chart: Chart, kind: ChartFormat) -> bytes:
    file = BytesIO()
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


INCHES = 3.3  # the width of a column of a paper

_INCH = INCHES / WIDTH
_POINT = 72 * _INCH
_SOFT = "#57606a"
_HEAT = (0x6A, 0x97, 0xBB)  # the deepest: words on it can still be read
_COLOURS: dict[Look, str] = {
    "ink": INK,
    "soft": _SOFT,
    "grid": "#d9d9d9",
    "paper": PAPER,
    "goal": _SOFT,
    "event": INK,
    "hatch": _SOFT,
    "good": "#009e73",
    "plain": "#595959",
    "bad": "#d55e00",
    "course": "#0072b2",
    "series-1": "#0072b2",
    "series-2": "#e69f00",
    "series-3": "#009e73",
    "series-4": "#cc79a7",
    "series-5": "#56b4e9",
    "series-6": "#d55e00",
    "series-7": "#595959",
    "step-1": "#7d1f3d",
    "step-2": "#b83a2a",
    "step-3": "#c4661a",
    "step-4": "#a87f10",
    "step-5": "#7f8f1e",
    "step-6": "#4f8a35",
    "step-7": "#2b7a5b",
    "step-8": "#17527a",
}
_BAND = 0.18  # opacity
_STROKES: dict[Look, dict[str, Any]] = {
    "ink": {"linewidth": 0.8},
    "goal": {"linestyle": (0, (3, 3)), "linewidth": 0.7},
    "event": {"linestyle": (0, (1, 2)), "linewidth": 0.8},
    "course": {"linewidth": 1.2},
    **{look: {"linewidth": 1.6, "solid_capstyle": "round"} for look in get_args(Judged)},
    **{look: {"linewidth": 1.2} for look in SERIES},
}


def picture_figure(picture: Picture) -> "Figure":
    """As wide as a column of a paper."""
    from matplotlib.figure import Figure

    height = picture.height * _INCH
    figure = Figure(figsize=(INCHES, height))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, WIDTH), ylim=(picture.height, 0))
    axes.set_axis_off()
    for layer, mark in enumerate(picture.marks):
        _put(axes, mark, layer)
    return figure


def colour(look: Look) -> str:
    """Of a look on paper, as colour-blind readers can tell them apart (Okabe and Ito 2008)."""
    kind, _, number = look.partition("-")
    if kind == "band":
        return _COLOURS["series-1" if not number else SERIES[int(number) - 1]]
    if kind != "heat":
        return _COLOURS[look]
    share = 0.06 + 0.94 * int(number) / 5
    mixed = (round(255 + share * (part - 255)) for part in _HEAT)
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _put(axes: "Axes", mark: Mark, layer: int) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, Polygon

    filled: dict[str, Any] = {"facecolor": colour(mark.look), "linewidth": 0, "zorder": layer}
    match mark:
        case Line(points, look, stroke):
            style: dict[str, Any] = {"linewidth": 0.6, "solid_capstyle": "butt"} | _STROKES.get(
                look, {}
            )
            if stroke != "solid":
                dashes = [length * _POINT / style["linewidth"] for length in STROKES[stroke]]
                style["linestyle"] = (0, dashes)
            xs, ys = zip(*points, strict=True)
            axes.add_line(Line2D(xs, ys, color=colour(look), zorder=layer, **style))
        case Strokes(ends, look):
            axes.add_collection(
                LineCollection(ends, colors=colour(look), linewidths=0.6, zorder=layer),
                autolim=False,
            )
        case Area(points, look):
            opacity = _BAND if look.startswith("band") else None
            axes.add_patch(Polygon(points, alpha=opacity, **filled))
        case Dot(x, y, _, "circle", size):
            axes.add_patch(Circle((x, y), size, **filled))
        case Dot():
            axes.add_patch(Polygon(corners(mark), **filled))
        case Words():
            axes.text(
                mark.x,
                mark.y,
                mark.text,
                color=colour(mark.look),
                fontsize=TEXT * _POINT,
                fontweight="bold" if mark.is_bold else "normal",
                ha={"start": "left", "middle": "center", "end": "right"}[mark.anchor],
                va="baseline",
                zorder=layer,
            )
