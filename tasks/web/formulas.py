"""Formulas of foreign texts: TeX as MathML, which browsers draw by themselves.

The converter lets `\\href`, `\\style` and raw HTML in `\\text` through to its output. So only what
draws a formula is kept of its tree, and every text of it is escaped.
"""

from functools import lru_cache
from html import escape, unescape
from typing import Final
from xml.etree.ElementTree import Element  # nosec B405 - the type of what is walked, no parser

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from latex2mathml.converter import convert_to_element

MAX_TEX: Final = 1_000  # characters of one formula
MAX_DEPTH: Final = 60  # elements within each other
MAX_ELEMENTS: Final = 3_000

_ELEMENTS: Final = frozenset(
    {
        *("math", "mfrac", "mi", "mn", "mo", "mover", "mpadded", "mphantom", "mroot", "mrow"),
        *("mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr"),
        *("munder", "munderover", "menclose"),
    }
)
_ATTRIBUTES: Final = frozenset(
    {
        *("accent", "columnalign", "columnlines", "columnspacing", "depth", "displaystyle"),
        *("fence", "form", "height", "largeop", "linethickness", "lspace", "mathvariant"),
        *("maxsize", "minsize", "movablelimits", "notation", "rowlines", "rowspacing", "rspace"),
        *("scriptlevel", "separator", "stretchy", "symmetric", "voffset", "width"),
    }
)


class _NotDrawable(ValueError):
    """The formula is too large, or has parts that draw nothing."""


@lru_cache(maxsize=1024)
def mathml(tex: str, *, is_block: bool = False) -> SafeString:
    """The formula as MathML; the TeX itself as code where it is none, or too long to be drawn.

    `is_block`: on a line of its own.
    """
    if len(tex) <= MAX_TEX and tex.strip():
        try:
            tree = convert_to_element(tex, display="block" if is_block else "inline")
            html = "".join(_drawn(tree, [MAX_ELEMENTS]))
        except Exception:  # the converter raises whatever its code meets, as RecursionError
            return _as_code(tex)
        display = "block" if is_block else "inline"
        # safe: elements and attributes are of the lists above, values and texts escaped
        return mark_safe(f'<math display="{display}">{html}</math>')  # noqa: S308
    return _as_code(tex)


def _as_code(tex: str) -> SafeString:
    return format_html("<code>${}$</code>", tex)


def _drawn(element: Element, room: list[int], depth: int = 0) -> list[str]:
    """What stands within an element. Raises _NotDrawable."""
    room[0] -= 1
    if depth > MAX_DEPTH or room[0] < 0:
        raise _NotDrawable
    parts = [_text(element.text)]
    for child in element:
        # what is no element of a formula is left out, what stands in it is kept
        inner = _drawn(child, room, depth + 1)
        if child.tag in _ELEMENTS:
            inner = [f"<{child.tag}{_attributes(child)}>", *inner, f"</{child.tag}>"]
        parts += [*inner, _text(child.tail)]
    return parts


def _attributes(element: Element) -> str:
    kept = ((name, value) for name, value in element.attrib.items() if name in _ATTRIBUTES)
    return "".join(f' {name}="{escape(unescape(value))}"' for name, value in kept)


def _text(text: str | None) -> str:
    """The converter writes signs as references already."""
    return escape(unescape(text or ""), quote=False)
