"""Foreign text made safe to read: Markdown without HTML, and texts with marks."""

import re
from functools import lru_cache

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from tasks.rating.shown.markdown import markdown_parser, marked

register = template.Library()
register.filter(marked)
_RELATIVE = re.compile(r"(?![A-Za-z][A-Za-z0-9+.-]*:|[/#?])")  # no scheme, no rooted path


@register.filter
def markdown(text: str, folder: str = "") -> SafeString:
    """Markdown as HTML, one heading level down. HTML in the text stays text; no images.

    `folder` is the address, ending in a slash, of the files that relative links name.
    """
    return _rendered(text, folder)


@lru_cache(maxsize=64)
def _rendered(text: str, folder: str) -> SafeString:
    # safe: markdown-it escapes all text, HTML is off, and it refuses javascript: addresses
    html: str = _parser().render(text, {"folder": folder})
    return mark_safe(html)  # noqa: S308


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = markdown_parser().disable("image")
    parser.add_render_rule("link_open", _open_link)
    return parser


def _open_link(
    renderer: RendererHTML, tokens: list[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    address = str(tokens[index].attrGet("href") or "")
    if env["folder"] and _RELATIVE.match(address):
        tokens[index].attrSet("href", env["folder"] + address)
    return renderer.renderToken(tokens, index, options, env)
