"""A chart as PNG, for slides and for programs that take no SVG."""

import io
from collections.abc import Iterable
from functools import cache
from math import ceil, floor
from pathlib import Path
from typing import TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont, UnidentifiedImageError

from tomahto.figures.chart import StackedBars
from tomahto.figures.shapes import (
    FONT_SIZE,
    INK,
    PAPER,
    Box,
    Chart,
    Circle,
    Line,
    Polygon,
    Shape,
    Text,
)
from tomahto.figures.words import plain

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

_SCALE = 4  # pixels of a unit: 480 units are 6.4 inches at 300 dots per inch
_DPI = 300
_FINE = 4  # smooth edges are drawn this much larger and then made smaller
_FONT = Path(__file__).parent / "fonts" / "LiberationSans-Regular.ttf"
_BLOCK = 8  # pixels; a stroke of a letter is about 4 wide
_TOLERANCE = 40  # of 255; what a block may differ by on average where letters are drawn otherwise
_HEADER = 24  # bytes: what begins every PNG, its width and its height
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
_ABOVE = {"start": 1.0, "middle": 0.5, "end": 0.0}  # how much of an upright text is above its place


def png_chart(chart: Chart) -> bytes:
    """The picture. Another version of Pillow may draw letters a little otherwise."""
    shapes = chart.shapes()
    font = _font_of(chart, shapes)
    picture = Image.new("RGB", (chart.width * _SCALE, chart.height * _SCALE), PAPER)
    for shape in shapes:
        _draw(picture, shape, font)
    file = io.BytesIO()
    picture.save(file, "PNG", dpi=(_DPI, _DPI))
    return file.getvalue()


def is_same_picture(found: bytes, expected: bytes) -> bool:
    """Whether two PNG pictures show the same, but for how the edges of letters are drawn."""
    if found[:_HEADER] != expected[:_HEADER]:
        return False  # before anything so large is unpacked
    one, other = _pixels(found), _pixels(expected)
    if one is None or other is None:
        return False
    differences = np.abs(_blocks(one) - _blocks(other))
    return bool(differences.max() <= _TOLERANCE)


def _font_of(chart: Chart, shapes: Iterable[Shape]) -> Font:
    """Pillow's own font has few letters beyond ASCII. It stays where releases have pictures in
    it."""
    is_ascii = all(each.text.isascii() for each in shapes if isinstance(each, Text))
    return _font(is_pillows=is_ascii and isinstance(chart, StackedBars))


@cache
def _font(*, is_pillows: bool) -> Font:
    size = FONT_SIZE * _SCALE
    return ImageFont.load_default(size) if is_pillows else ImageFont.truetype(_FONT, size)


def _draw(picture: Image.Image, shape: Shape, font: Font) -> None:
    match shape:
        case Box():
            _draw_box(picture, shape)
        case Text():
            _draw_text(picture, shape, font)
        case Line():
            _draw_line(picture, shape)
        case Circle(x, y, radius, colour):
            corners = ((x - radius, y - radius), (x + radius, y + radius))
            sheet = _Sheet(corners)
            sheet.draw.ellipse(sheet.placed(corners), 255)
            sheet.print_on(picture, colour)
        case Polygon(corners, colour, opacity):
            sheet = _Sheet(corners)
            sheet.draw.polygon(sheet.placed(corners), round(255 * opacity))
            sheet.print_on(picture, colour)


class _Sheet:
    """A mask for the part of the page round some points, drawn large so that its edges are
    smooth; `margin` is in units."""

    def __init__(self, points: Iterable[tuple[float, float]], margin: float = 1.0) -> None:
        across, down = zip(*points, strict=True)
        self._left, self._top = (floor(min(each) - margin) for each in (across, down))
        right, bottom = (ceil(max(each) + margin) for each in (across, down))
        self._size = ((right - self._left) * _SCALE, (bottom - self._top) * _SCALE)
        width, height = self._size
        self._mask = Image.new("L", (width * _FINE, height * _FINE))
        self.draw = ImageDraw.Draw(self._mask)

    def placed(self, points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        """Where points of the page are on the mask."""
        large = _SCALE * _FINE
        return [((x - self._left) * large, (y - self._top) * large) for x, y in points]

    def print_on(self, picture: Image.Image, colour: str) -> None:
        mask = self._mask.resize(self._size, Image.Resampling.BOX)
        place = (self._left * _SCALE, self._top * _SCALE)
        picture.paste(Image.new("RGB", self._size, colour), place, mask)


def _draw_line(picture: Image.Image, line: Line) -> None:
    ends = ((line.x, line.y), (line.to_x, line.to_y))
    sheet = _Sheet(ends, margin=1.0 + line.width)
    reach = line.width / 2
    sheet.draw.line(sheet.placed(ends), 255, round(line.width * _SCALE * _FINE))
    for x, y in ends:
        sheet.draw.ellipse(sheet.placed(((x - reach, y - reach), (x + reach, y + reach))), 255)
    sheet.print_on(picture, line.colour)


def _draw_box(picture: Image.Image, box: Box) -> None:
    left, top = round(box.x * _SCALE), round(box.y * _SCALE)
    right, bottom = round((box.x + box.width) * _SCALE), round((box.y + box.height) * _SCALE)
    picture.paste(box.colour, (left, top, right, max(bottom, top + 1)))


def _draw_text(picture: Image.Image, text: Text, font: Font) -> None:
    place, words = (text.x * _SCALE, text.y * _SCALE), plain(text.text)
    if not text.is_upright:
        draw = ImageDraw.Draw(picture)
        draw.text(place, words, INK, font, anchor=_ANCHORS[text.anchor])
        return
    # Drawn on paper of its own, which is then turned: its height becomes a width.
    length, line = round(font.getlength(words)), 2 * FONT_SIZE * _SCALE
    sheet = Image.new("RGB", (length, line), PAPER)
    baseline = FONT_SIZE * _SCALE
    ImageDraw.Draw(sheet).text((0, baseline), words, INK, font, anchor="ls")
    turned = sheet.rotate(90, expand=True)
    top = round(place[1]) - int(_ABOVE[text.anchor] * length)
    picture.paste(turned, (round(place[0]) - baseline, top))


def _pixels(content: bytes) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None":
    """Height by width by colours, or None if the picture is damaged."""
    try:
        with Image.open(io.BytesIO(content), formats=("PNG",)) as picture:
            return np.asarray(picture.convert("RGB"), np.float64)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        return None


def _blocks(
    pixels: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]",
) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """The means of squares of pixels."""
    height, width, colours = pixels.shape
    squares = pixels.reshape(height // _BLOCK, _BLOCK, width // _BLOCK, _BLOCK, colours)
    means: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = squares.mean(axis=(1, 3))
    return means
