"""Passages in Markdown: tables, formulas, images that need no request, and the answers marked.

HTML in a passage stays text. Images are shown where the passage itself holds them (`data:`); of any
other there is its text with a link: a picture from elsewhere would tell its server who rates what.
Addresses without `https://` or `http://` lead nowhere from here: what has one stays as written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import ClassVar, Final

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from tasks.rating.shown.formulas import MAX_TEX, mathml
from tasks.rating.shown.markdown import markdown_parser, marked
from tasks.rating.shown.reading import Segment, answer_marker

MAX_MARKDOWN: Final = 15_000  # characters: a longer text is shown as plain text
MAX_CELLS: Final = 4_000  # of tables: each of their rows is filled up to the widest
MAX_FORMULAS: Final = 20_000  # characters of all formulas of a passage that are drawn
# openings of links and quotes: their parsing grows faster than the text
_MAX_BRACKETS: Final = 2_000
_UNFOLDED: Final = 900  # characters of the blocks that are shown at once
_WIDE_TEX: Final = 30  # characters of a formula that may be wider than a telephone

_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")
_SHORT: Final = "data:image/png;base64,"  # and a number: an image's address while it is parsed
# between two words, a line's end is a space, and anything drawn is no word
_JOINTS: Final = {"softbreak": "\n", "hardbreak": "\n", "formula": "\ufffc", "image": "\ufffc"}
# in a tab of its own: a link must not take a rater off the form
_LINK: Final = 'href="{}" rel="nofollow noopener noreferrer" target="_blank"'

Block = list[Token]


@dataclass(frozen=True, slots=True)
class RichPassage:
    """A passage as HTML. `excerpt` is empty where the whole is short enough to show."""

    whole: SafeString
    excerpt: SafeString
    is_rich: ClassVar[bool] = True


def read_rich_passage(text: str, references: Sequence[str], candidate: str) -> RichPassage | None:
    """The passage with its answers marked, folded around the first of them if long.

    None where reading it would take more than a moment.
    """
    images: dict[str, str] = {}

    def short(address: re.Match[str]) -> str:
        images[name := f"{_SHORT}{len(images)}"] = address[0]
        return name

    # parsed without the images' contents: an address can be as long as everything else together
    if not _is_readable(text := _IMAGE.sub(short, text)):
        return None
    tokens = _parser().parse(text, {"mark": answer_marker(references, candidate)})
    blocks = list(_blocks(tokens))
    begin, end = _window(blocks)
    if end - begin == len(blocks):
        return RichPassage(_html(tokens, images), SafeString(""))
    before, after = ("<p>…</p>\n" if is_cut else "" for is_cut in (begin, end < len(blocks)))
    excerpt = before + _html(chain(*blocks[begin:end]), images) + after
    return RichPassage(_html(tokens, images), mark_safe(excerpt))  # noqa: S308 - as its parts are


def _is_readable(text: str) -> bool:
    if len(text) > MAX_MARKDOWN:
        return False
    lines = text.splitlines()
    columns = max((line.count("|") + 1 for line in lines if _is_ruler(line)), default=0)
    has_many_cells = columns > 1 and columns * len(lines) > MAX_CELLS
    return not has_many_cells and text.count("[") + text.count(">") <= _MAX_BRACKETS


def _is_ruler(line: str) -> bool:
    """Whether the line may be what stands between the head of a table and its rows."""
    return "-" in line and not line.strip(" \t>:|-")


def _blocks(tokens: Iterable[Token]) -> Iterator[Block]:
    """Paragraphs, tables, lists and so on that stand in no other."""
    block: list[Token] = []
    for token in tokens:
        block.append(token)
        if token.level == 0 and token.nesting < 1:
            yield block
            block = []


def _window(blocks: Sequence[Block]) -> tuple[int, int]:
    """The first block with a mark and as many around it, those after it first, as are not long."""
    marked_blocks = (n for n, block in enumerate(blocks) if any(t.meta["marks"] for t in block))
    sizes = [sum(token.meta["size"] for token in block) for block in blocks]
    begin = next(marked_blocks, 0)
    end = begin + 1
    room = _UNFOLDED - sum(sizes[begin:end])
    while end < len(blocks) and sizes[end] <= room:
        room -= sizes[end]
        end += 1
    while begin > 0 and sizes[begin - 1] <= room:
        begin -= 1
        room -= sizes[begin]
    return begin, min(end, len(blocks))


def _html(tokens: Iterable[Token], images: Mapping[str, str]) -> SafeString:
    parser = _parser()
    env: EnvType = {"formulas": MAX_FORMULAS, "drawn": set()}
    html = parser.renderer.render(list(tokens), parser.options, env)
    html = re.sub(rf"{_SHORT}\d+", lambda name: images.get(name[0], name[0]), html)
    # markdown-it escapes all text, HTML is off, and no address but harmless ones is taken
    return mark_safe(html)  # noqa: S308 - for these reasons


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    # without blocks of code by indentation: passages are indented for other reasons
    parser = markdown_parser().disable("code")
    parser.validateLink = _is_harmless  # type: ignore[method-assign, assignment]  # as its documentation says
    parser.inline.ruler.before("escape", "formula", _read_formula)
    parser.core.ruler.push("answers", _mark_answers)
    for name, rule in (
        ("text", _draw_text),
        ("code_inline", _draw_code),
        ("fence", _draw_code),
        ("formula", _draw_formula),
        ("image", _draw_image),
        ("link_open", _open_link),
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


def _mark_answers(state: StateCore) -> None:
    """Mark over the whole text of each block, so that emphasis parts no answer.

    Blocks that stand in no other get a direction of their own.
    """
    for token in state.tokens:
        if token.level == 0 and token.nesting == 1:
            token.attrSet("dir", "auto")
        runs = token.children or [token]
        texts = [_JOINTS.get(run.type, run.content) for run in runs]
        segments = state.env["mark"]("".join(texts))
        token.meta |= {"size": sum(map(len, texts)), "marks": any(each.mark for each in segments)}
        signs = ((sign, segment.mark) for segment in segments for sign in segment.text)
        for run, text in zip(runs, texts, strict=True):
            grouped = groupby(islice(signs, len(text)), key=itemgetter(1))
            run.meta["segments"] = [
                Segment("".join(sign for sign, _mark in pairs), mark) for mark, pairs in grouped
            ]


def _draw_text(_renderer: RendererHTML, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    return marked(tokens[index].meta["segments"])


def _draw_code(_renderer: RendererHTML, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    code = f"<code>{marked(tokens[index].meta['segments'])}</code>"
    return code if tokens[index].type == "code_inline" else f"<pre>{code}</pre>\n"


def _draw_formula(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    env: EnvType,
) -> str:
    """One that may be wide scrolls by itself, with the keyboard too."""
    token = tokens[index]
    is_block = token.markup == "$$"
    env["formulas"] -= len(token.content)
    if env["formulas"] < 0:
        return format_html("<code>${}$</code>", token.content)
    formula = mathml(token.content, is_block=is_block)
    if len(token.content) <= _WIDE_TEX:
        return formula
    return format_html(
        '<span class="scroll{}" role="group" tabindex="0" aria-label="{}">{}</span>',
        " block" if is_block else "",
        _("Formula"),
        formula,
    )


def _draw_image(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    env: EnvType,
) -> str:
    """One that is named again is its text: a name takes a few signs, the image a million."""
    token = tokens[index]
    address = str(token.attrGet("src") or "")
    if not _IMAGE.fullmatch(address):
        return format_html(f"<a {_LINK}>{{}}</a>", address, token.content or address)
    if address in env["drawn"]:
        return escape(token.content)
    env["drawn"].add(address)
    return format_html('<img src="{}" alt="{}">', address, token.content)


def _open_link(_renderer: RendererHTML, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    address = str(tokens[index].attrGet("href"))
    return "<a>" if _IMAGE.fullmatch(address) else format_html(f"<a {_LINK}>", address)
