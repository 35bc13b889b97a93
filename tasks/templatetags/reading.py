"""Foreign text made safe to read: Markdown without HTML, and texts with marks."""

import re
from collections.abc import Iterable
from functools import lru_cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from tasks.rating.shown.reading import Segment

register = template.Library()
_RELATIVE = re.compile(r"(?![A-Za-z][A-Za-z0-9+.-]*:|[/#?])")  # no scheme, no rooted path


@register.filter
def markdown(text: str, folder: str = "") -> SafeString:
    """Markdown as HTML, one heading level down. HTML in the text stays text; no images.

    `folder` is the address, ending in a slash, of the files that relative links name.
    """
    return _rendered(text, folder)


@register.filter
def marked(segments: Iterable[Segment]) -> SafeString:
    """The text with its marks. No template could: the pages show its line breaks as they are."""
    return mark_safe("".join(_marked(segment) for segment in segments))  # noqa: S308 - escaped


def _marked(segment: Segment) -> SafeString:
    if segment.mark == "own":
        return format_html('<span class="own">{}</span>', segment.text)
    pattern = '<mark class="{1}">{0}</mark>' if segment.mark else "{}"
    return format_html(pattern, segment.text, segment.mark)


@lru_cache(maxsize=64)
def _rendered(text: str, folder: str) -> SafeString:
    # safe: markdown-it escapes all text, HTML is off, and it refuses javascript: addresses
    html: str = _parser().render(text, {"folder": folder})
    return mark_safe(html)  # noqa: S308


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.add_render_rule("heading_open", _lower_heading)
    parser.add_render_rule("heading_close", _lower_heading)
    parser.add_render_rule("link_open", _open_link)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", lambda *_args: "</table></div>\n")
    return parser


def _lower_heading(
    _renderer: RendererHTML, tokens: list[Token], index: int, _options: object, _env: object
) -> str:
    token = tokens[index]
    level = min(int(token.tag[1]) + 1, 6)
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"


def _open_link(
    renderer: RendererHTML, tokens: list[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    address = str(tokens[index].attrGet("href") or "")
    if env["folder"] and _RELATIVE.match(address):
        tokens[index].attrSet("href", env["folder"] + address)
    return renderer.renderToken(tokens, index, options, env)


def _open_table(
    _renderer: RendererHTML,
    _tokens: list[Token],
    _index: int,
    _options: object,
    env: EnvType,
) -> str:
    """A wide table scrolls by itself, with the keyboard too; each has a name of its own."""
    env["tables"] = env.get("tables", 0) + 1
    return format_html(
        '<div class="scroll" role="region" tabindex="0" aria-label="{} {}"><table>',
        _("Table"),
        env["tables"],
    )
