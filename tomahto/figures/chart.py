"""The histogram of a release as shapes on a page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from tomahto.figures.shapes import GRID, HEIGHT, INK, PAPER, WIDTH, Box, Shape, Text, colours

_LEFT, _RIGHT, _BOTTOM = 64, 12, 48
_LEGEND_LINE, _SWATCH, _LETTER = 18, 10, 6.6


@dataclass(frozen=True, slots=True, kw_only=True)
class StackedBars:
    """Counts by bin, a bar for each, in layers from the bottom. There are len(edges) - 1 bins.

    Raises ValueError if a layer has another number of bins.
    """

    title: str
    across: str
    up: str
    edges: Sequence[float]
    layers: Mapping[str, Sequence[int]]

    def __post_init__(self) -> None:
        if any(len(layer) != len(self.edges) - 1 for layer in self.layers.values()):
            raise ValueError("every layer needs a count for every bin")

    @property
    def width(self) -> int:
        return WIDTH

    @property
    def height(self) -> int:
        return HEIGHT

    @property
    def highest(self) -> int:
        return max(map(sum, zip(*self.layers.values(), strict=True)), default=0)

    def shapes(self) -> tuple[Shape, ...]:
        """Everything on the page, what comes first lies below."""
        legend, top = _legend(tuple(self.layers))
        floor = HEIGHT - _BOTTOM
        ticks = _ticks(self.highest)
        per_count = (floor - top) / ticks[-1]
        return (
            Box(0, 0, WIDTH, HEIGHT, PAPER),
            *legend,
            *_grid(ticks, floor, per_count),
            *self._bars(floor, per_count),
            Box(_LEFT, floor, WIDTH - _LEFT - _RIGHT, 1, INK),
            *self._edges(floor),
            Text((WIDTH + _LEFT - _RIGHT) / 2, HEIGHT - 8, self.across, "middle"),
            Text(16, (top + floor) / 2, self.up, "middle", is_upright=True),
        )

    def _place(self, edge: int) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * edge / (len(self.edges) - 1)

    def _bars(self, floor: float, per_count: float) -> Iterator[Box]:
        for place in range(len(self.edges) - 1):
            left, right, below = self._place(place) + 1, self._place(place + 1) - 1, 0
            for layer, colour in zip(self.layers.values(), colours(), strict=False):
                if items := layer[place]:
                    top = floor - (below + items) * per_count
                    yield Box(left, top, right - left, items * per_count, colour)
                below += items

    def _edges(self, floor: float) -> Iterator[Text]:
        for place, edge in enumerate(self.edges):
            yield Text(self._place(place), floor + 16, f"{edge:g}", "middle")


def _ticks(highest: int) -> tuple[int, ...]:
    """Multiples of 1, 2 or 5 times a power of ten, from 0 to the first that is not below
    `highest`; at least two and at most six of them."""
    steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
    step = next(step for step in steps if highest <= 5 * step)
    return tuple(range(0, step * max(1, -(-highest // step)) + 1, step))


def _grid(ticks: Sequence[int], floor: float, per_count: float) -> Iterator[Shape]:
    for tick in ticks:
        height = floor - tick * per_count
        yield Box(_LEFT, height, WIDTH - _LEFT - _RIGHT, 1, GRID)
        yield Text(_LEFT - 6, height + 4, f"{tick:,}", "end")


def _legend(names: Sequence[str]) -> tuple[list[Shape], float]:
    """Names beside their colours in as many lines as they take, and where they end."""
    shapes: list[Shape] = []
    x, y = float(_LEFT), 18.0
    for name, colour in zip(names, colours(), strict=False):
        width = _SWATCH + 6 + _LETTER * len(name) + 16
        if x > _LEFT and x + width > WIDTH - _RIGHT:
            x, y = _LEFT, y + _LEGEND_LINE
        shapes += [Box(x, y - 9, _SWATCH, _SWATCH, colour), Text(x + _SWATCH + 6, y, name)]
        x += width
    return shapes, y + _LEGEND_LINE
