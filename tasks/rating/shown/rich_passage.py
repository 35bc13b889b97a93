"""Passages in Markdown: tables, formulas, images that need no request, and the answers marked.

HTML in a passage stays text. Images are shown where the passage itself holds them (`data:`); of any
other there is its text with a link: a picture from elsewhere would tell its server who rates what,
and one of this site could do what a link does.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from tasks.rating.shown.reading import MAX_MARKS, Segment, answer_marker
from tasks.web.formulas import MAX_TEX, mathml

MAX_MARKDOWN: Final = 15_000  # characters: what is longer is shown as plain text
MAX_CELLS: Final = 4_000  # of tables: each of their rows is filled up to the widest
MAX_FORMULAS: Final = 20_000  # characters of all formulas of a passage that are drawn
_MAX_BRACKETS: Final = (
    2_000  # openings of links and quotes: their parsing grows faster than the text
)

_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")

Marker = Callable[[str], Sequence[Segment]]


@dataclass(frozen=True, slots=True)
class RichPassage:
    """A passage as HTML. `is_too_large`: it is left as plain text instead, and `html` is empty."""

    html: SafeString
    is_too_large: bool = False


def read_rich_passage(text: str, references: Sequence[str], candidate: str) -> RichPassage:
    if not is_readable(text):
        return RichPassage(SafeString(""), is_too_large=True)
    return RichPassage(rich_passage(text, references, candidate))


def is_readable(text: str) -> bool:
    """Whether the Markdown can be read in a moment; else it is to be shown as plain text."""
    if len(_IMAGE.sub("", text)) > MAX_MARKDOWN:
        return False
    lines = text.splitlines()
    columns = max((line.count("|") + 1 for line in lines if _is_ruler(line)), default=0)
    has_many_cells = columns > 1 and columns * len(lines) > MAX_CELLS
    return not has_many_cells and text.count("[") + text.count(">") <= _MAX_BRACKETS


def _is_ruler(line: str) -> bool:
    """Whether the line may be what stands between the head of a table and its rows."""
    return "-" in line and not line.strip(" \t>:|-")


def rich_passage(text: str, references: Sequence[str], candidate: str) -> SafeString:
    """The passage as HTML. An answer is marked where it stands within one run of text."""
    left = [MAX_MARKS]
    marker = answer_marker(references, candidate)

    def mark(run: str) -> Sequence[Segment]:
        found = marker(run) if left[0] > 0 else (Segment(run),)
        left[0] -= sum(1 for segment in found if segment.mark)
        return found

    env: EnvType = {"mark": mark, "formulas": MAX_FORMULAS, "tables": 0}
    html: str = _parser().render(text, env)
    # safe: markdown-it escapes all text, HTML is off, and it refuses javascript: addresses
    return mark_safe(html)  # noqa: S308


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.validateLink = _is_harmless  # type: ignore[method-assign, assignment]  # as its documentation says
    parser.inline.ruler.before("escape", "formula", _read_formula)
    for name, rule in (
        ("text", _draw_text),
        ("formula", _draw_formula),
        ("image", _draw_image),
        ("heading_open", _draw_heading),
        ("heading_close", _draw_heading),
        ("table_open", _open_table),
        ("table_close", lambda *_args: "</table></div>\n"),
    ):
        parser.add_render_rule(name, rule)
    return parser


def _is_harmless(address: str) -> bool:
    return bool(re.match(r"https?://", address, re.IGNORECASE) or _IMAGE.fullmatch(address))


def _read_formula(state: StateInline, silent: bool) -> bool:
    """`$…$` within a line of text, `$$…$$` on one of its own; `$5 and $6` are sums of money."""
    start, text = state.pos, state.src
    if text[start] != "$":
        return False
    fence = "$$" if text.startswith("$$", start) else "$"
    begin = start + len(fence)
    end = text.find(fence, begin, begin + MAX_TEX + len(fence))
    while end > 0 and text[end - 1] == "\\":
        end = text.find(fence, end + 1, begin + MAX_TEX + len(fence))
    tex = text[begin:end] if end > 0 else ""
    after = text[end + len(fence) : end + len(fence) + 1]
    if not tex.strip() or (fence == "$" and (tex != tex.strip() or after.isdigit())):
        return False
    if not silent:
        token = state.push("formula", "math", 0)
        token.content, token.markup = tex, fence
    state.pos = end + len(fence)
    return True


def _draw_formula(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    env: EnvType,
) -> str:
    token = tokens[index]
    env["formulas"] -= len(token.content)
    if env["formulas"] < 0:
        return format_html("<code>${}$</code>", token.content)
    return mathml(token.content, is_block=token.markup == "$$")


def _draw_text(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    env: EnvType,
) -> str:
    return "".join(
        format_html('<mark class="{}">{}</mark>', segment.mark, segment.text)
        if segment.mark
        else format_html("{}", segment.text)
        for segment in env["mark"](tokens[index].content)
    )


def _draw_image(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _env: EnvType,
) -> str:
    token = tokens[index]
    address = str(token.attrGet("src") or "")
    if _IMAGE.fullmatch(address):
        return format_html('<img src="{}" alt="{}">', address, token.content)
    name = token.content or address
    return format_html('<a href="{}" rel="noreferrer">{}</a>', address, name)


def _draw_heading(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _env: EnvType,
) -> str:
    """Below the question, which is the heading of the page."""
    level = min(int(tokens[index].tag[1]) + 1, 6)
    return f"<h{level}>" if tokens[index].nesting == 1 else f"</h{level}>\n"


def _open_table(
    _renderer: RendererHTML,
    _tokens: Sequence[Token],
    _index: int,
    _options: OptionsDict,
    env: EnvType,
) -> str:
    """A wide table scrolls by itself, with the keyboard too; each has a name of its own."""
    env["tables"] += 1
    return format_html(
        '<div class="scroll" role="region" tabindex="0" aria-label="{} {}"><table>',
        _("Table"),
        env["tables"],
    )
