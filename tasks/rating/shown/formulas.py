"""Formulas of passages: TeX as MathML, which browsers draw by themselves.

The converter lets `\\href`, `\\style` and HTML in `\\text` through to its output. So of its tree
only elements and attributes that draw a formula are kept, and every text in it is escaped.
"""

import re
from functools import lru_cache
from html import escape, unescape
from typing import Final
from xml.etree.ElementTree import Element  # a type, no parser  # nosec

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from latex2mathml.converter import convert_to_element

MAX_TEX: Final = 1_000  # characters of one formula
_MAX_DEPTH: Final = 60  # elements within each other
_MAX_ELEMENTS: Final = 3_000

_ELEMENTS: Final = frozenset(
    {
        *("menclose", "mfrac", "mi", "mn", "mo", "mover", "mpadded", "mphantom", "mroot", "mrow"),
        *("mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr"),
        *("munder", "munderover"),
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
# words, and lengths of less than ten: a space of 999em would push all else off the page
_VALUE = re.compile(r"[a-z -]+|(?:[+-]?(?:\d|\d?\.\d+)(?:em|ex|mu|pt)?(?: |$))+")
# definitions, which the converter carries out: a few of them, one in the other, fill the memory
_DEFINES = re.compile(r"\\(?:def|\w*command|\w*environment|Declare\w*)(?![A-Za-z])")
# environments that the converter does not know, and what it draws alike
_ALIKE: Final = {"aligned": "align*", "gathered": "matrix", "gather": "matrix", "gather*": "matrix"}
_ENVIRONMENT = re.compile(r"(?<=\\begin\{|..\\end\{)[a-z]+\*?(?=\})")


class _NotDrawable(ValueError):
    """The formula is too large, or the converter does not know all of it."""


@lru_cache(maxsize=1024)
def mathml(tex: str, *, is_block: bool = False) -> SafeString:
    """The formula as MathML; the TeX itself as code where it is none, or too long to be drawn.

    `is_block`: on a line of its own.
    """
    display = "block" if is_block else "inline"
    if len(tex) <= MAX_TEX and tex.strip() and not _DEFINES.search(tex):
        known = _ENVIRONMENT.sub(lambda name: _ALIKE.get(name[0], name[0]), tex)
        try:
            html = "".join(_drawn(convert_to_element(known, display=display), [_MAX_ELEMENTS]))
        except Exception:  # the converter raises whatever its code meets, as RecursionError
            return _as_code(tex)
        # elements and attributes are of the lists above, values and texts escaped
        return mark_safe(f'<math display="{display}">{html}</math>')  # noqa: S308 - for these reasons
    return _as_code(tex)


def _as_code(tex: str) -> SafeString:
    return format_html("<code>${}$</code>", tex)


def _drawn(element: Element, room: list[int], depth: int = 0) -> list[str]:
    """All within an element. Raises _NotDrawable."""
    room[0] -= 1
    text = unescape(element.text or "")
    # a command, a column or a line that the converter does not know comes through as it stands
    is_unknown = element.tag == "mi" and re.match(r"\\[A-Za-z]|&", text)
    if depth > _MAX_DEPTH or room[0] < 0 or is_unknown or "linebreak" in element.attrib:
        raise _NotDrawable
    parts = [escape(text, quote=False)]
    for child in element:
        # an element that is none of a formula is left out, its contents are kept
        inner = _drawn(child, room, depth + 1)
        if child.tag in _ELEMENTS:
            inner = [f"<{child.tag}{_attributes(child)}>", *inner, f"</{child.tag}>"]
        parts += [*inner, escape(unescape(child.tail or ""), quote=False)]
    return parts


def _attributes(element: Element) -> str:
    return "".join(
        f' {name}="{value}"'
        for name, value in element.attrib.items()
        if name in _ATTRIBUTES and _VALUE.fullmatch(value)
    )
