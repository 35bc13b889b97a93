"""A chart as PNG, for slides and for programs that take no SVG."""

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFont, UnidentifiedImageError

from exporters.paper.chart import FONT_SIZE, HEIGHT, INK, PAPER, WIDTH, Box, StackedBars, Text
from exporters.paper.words import plain

_SCALE = 4  # pixels of a unit: 6.4 inches wide at 300 dots per inch
_DPI = 300
_BLOCK = 8  # pixels; a stroke of a letter is about 4 wide
_TOLERANCE = 40  # of 255; what a block may differ by on average where letters are drawn otherwise
_HEADER = 24  # bytes: what begins every PNG, its width and its height
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def png_chart(chart: StackedBars) -> bytes:
    """The picture. Another version of Pillow may draw letters a little otherwise."""
    picture = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), PAPER)
    for shape in chart.shapes():
        if isinstance(shape, Box):
            _draw_box(picture, shape)
        else:
            _draw_text(picture, shape)
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


def _draw_box(picture: Image.Image, box: Box) -> None:
    left, top = round(box.x * _SCALE), round(box.y * _SCALE)
    right, bottom = round((box.x + box.width) * _SCALE), round((box.y + box.height) * _SCALE)
    picture.paste(box.colour, (left, top, right, max(bottom, top + 1)))


def _draw_text(picture: Image.Image, text: Text) -> None:
    font = ImageFont.load_default(FONT_SIZE * _SCALE)
    place = (text.x * _SCALE, text.y * _SCALE)
    if not text.is_upright:
        draw = ImageDraw.Draw(picture)
        draw.text(place, plain(text.text), INK, font, anchor=_ANCHORS[text.anchor])
        return
    # Drawn on paper of its own, which is then turned: its height becomes a width.
    length, line = round(font.getlength(text.text)), 2 * FONT_SIZE * _SCALE
    sheet = Image.new("RGB", (length, line), PAPER)
    baseline = FONT_SIZE * _SCALE
    ImageDraw.Draw(sheet).text((0, baseline), plain(text.text), INK, font, anchor="ls")
    turned = sheet.rotate(90, expand=True)
    picture.paste(turned, (round(place[0]) - baseline, round(place[1]) - length // 2))


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
