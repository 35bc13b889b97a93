"""Texts as HTML: with their marks, and Markdown without HTML of its own, with headings below the
page's and tables that scroll."""

from collections.abc import Iterable, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from tasks.rating.shown.reading import Segment


def markdown_parser() -> MarkdownIt:
    """A new parser, to which its user may add rules."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for part in ("heading_open", "heading_close"):
        parser.add_render_rule(part, _lower_heading)
    for part in ("th_open", "td_open"):
        parser.add_render_rule(part, _open_cell)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", lambda *_args: "</table></div>\n")
    return parser


def _lower_heading(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    env: EnvType,
) -> str:
    """Each one level below the heading that it stands under, the first ones below the page's."""
    token = tokens[index]
    above = [level for level in env.get("headings", ()) if level < token.tag]
    env["headings"] = [*above, token.tag]
    tag = f"h{min(len(above) + 2, 6)}"
    return f"<{tag}{renderer.renderAttrs(token)}>" if token.nesting == 1 else f"</{tag}>\n"


def _open_cell(_renderer: RendererHTML, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    """A class tells the alignment of a column: the pages' policy lets no style through."""
    tag, style = tokens[index].tag, str(tokens[index].attrGet("style") or "")
    aligned = style.removeprefix("text-align:")
    return format_html('<{} class="{}">', tag, aligned) if aligned else f"<{tag}>"


def _open_table(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    env: EnvType,
) -> str:
    """A wide table scrolls by itself, with the keyboard too; each has a name of its own."""
    env["tables"] = env.get("tables", 0) + 1
    name = format_html('aria-label="{} {}"', _("Table"), env["tables"])
    attributes = f'role="region" tabindex="0" {name}{renderer.renderAttrs(tokens[index])}'
    return f'<div class="scroll" {attributes}><table>'


def marked(segments: Iterable[Segment]) -> SafeString:
    """The text with its marks. No template could: the pages show its line breaks as they are."""
    return mark_safe("".join(_marked(segment) for segment in segments))  # noqa: S308 - escaped


def _marked(segment: Segment) -> SafeString:
    if segment.mark == "own":
        return format_html('<span class="own">{}</span>', segment.text)
    pattern = '<mark class="{1}">{0}</mark>' if segment.mark else "{}"
    return format_html(pattern, segment.text, segment.mark)
