"""A picture for papers: the same marks at the same places, drawn by Matplotlib on white."""

from typing import TYPE_CHECKING, Any

from tomahto.figures.drawing.sheet import GRID, INK, WIDTH
from tomahto.figures.picture import TEXT, Area, Dot, Line, Look, Mark, Picture, Words, corners
from tomahto.figures.picture import WIDTH as UNITS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INCH = WIDTH / UNITS
_SOFT = "#57606a"
_HEAT = (0x6A, 0x97, 0xBB)  # the deepest: words on it can still be read
_COLOURS: dict[Look, str] = {
    "ink": INK,
    "soft": _SOFT,
    "grid": GRID,
    "goal": _SOFT,
    "event": INK,
    "hatch": _SOFT,
    "good": "#009e73",
    "plain": "#595959",
    "bad": "#d55e00",
    "course": "#0072b2",
    "band": "#cce3f0",
}
_STROKES: dict[Look, dict[str, Any]] = {
    "goal": {"linestyle": (0, (3, 3)), "linewidth": 0.7},
    "event": {"linestyle": (0, (1, 2)), "linewidth": 0.8},
    "good": {"linewidth": 1.6, "solid_capstyle": "round"},
    "plain": {"linewidth": 1.6, "solid_capstyle": "round"},
    "bad": {"linewidth": 1.6, "solid_capstyle": "round"},
    "course": {"linewidth": 1.2},
}


def picture_figure(picture: Picture) -> "Figure":
    """As wide as a column of a paper."""
    from matplotlib.figure import Figure

    height = picture.height * _INCH
    figure = Figure(figsize=(WIDTH, height))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, UNITS), ylim=(picture.height, 0))
    axes.set_axis_off()
    for layer, mark in enumerate(picture.marks):
        _put(axes, mark, layer)
    return figure


def colour(look: Look) -> str:
    """Of a look on paper, as colour-blind readers can tell them apart (Okabe and Ito 2008)."""
    if not look.startswith("heat-"):
        return _COLOURS[look]
    share = 0.06 + 0.94 * int(look.removeprefix("heat-")) / 5
    mixed = (round(255 + share * (part - 255)) for part in _HEAT)
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _put(axes: "Axes", mark: Mark, layer: int) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, Polygon

    match mark:
        case Line(points, look):
            stroke: dict[str, Any] = {"linewidth": 0.6} | _STROKES.get(look, {})
            xs, ys = zip(*points, strict=True)
            axes.add_line(Line2D(xs, ys, color=colour(look), zorder=layer, **stroke))
        case Area(points, look):
            axes.add_patch(Polygon(points, facecolor=colour(look), linewidth=0, zorder=layer))
        case Dot(x, y, look, "circle", size):
            axes.add_patch(Circle((x, y), size, facecolor=colour(look), linewidth=0, zorder=layer))
        case Dot():
            filled = Polygon(corners(mark), facecolor=colour(mark.look), linewidth=0)
            axes.add_patch(filled).set_zorder(layer)
        case Words():
            axes.text(
                mark.x,
                mark.y,
                mark.text,
                color=colour(mark.look),
                fontsize=TEXT * _INCH * 72,
                fontweight="bold" if mark.is_bold else "normal",
                ha={"start": "left", "middle": "center", "end": "right"}[mark.anchor],
                va="baseline",
                zorder=layer,
            )
