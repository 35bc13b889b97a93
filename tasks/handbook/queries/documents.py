"""The pages of `docs/` as HTML with their sections, and the search in them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

FOLDER: Path = settings.BASE_DIR / "docs"
FIRST = "README"  # names all others
GLOSSARY = "glossary"
_NAMED = re.compile(r"\]\(([\w-]+)\.md\)")
_NO_WORD = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A part of a page under its heading; `level` is 1 for the page's title, 2 below that.

    `anchor` is as code forges make it of the heading, `text` what stands below it, as plain text.
    """

    anchor: str
    title: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Word:
    anchor: str
    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Document:
    """A page of the documentation. `html` is what stands below its title."""

    name: str
    sections: tuple[DocumentSection, ...]
    words: tuple[Word, ...]
    html: SafeString

    @property
    def title(self) -> str:
        return self.sections[0].title

    @property
    def contents(self) -> tuple[DocumentSection, ...]:
        return self.sections[1:]

    @property
    def address(self) -> str:
        return address_of(f"{self.name}.md")


@cache
def names() -> tuple[str, ...]:
    """Of the pages that the first one links to, in its order."""
    first = (FOLDER / f"{FIRST}.md").read_text(encoding="utf-8")
    return tuple(dict.fromkeys(_NAMED.findall(first)))


@cache
def document(name: str) -> Document:
    """The page of this name, which is one of `names` or `FIRST`."""
    tokens = _parser().parse((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    sections = _with_anchors(tokens)
    words = _glossary_words(tokens) if name == GLOSSARY else ()
    _to_this_site(tokens)
    parser = _parser()
    body = tokens[next(i for i, token in enumerate(tokens) if token.type == "heading_close") + 1 :]
    # safe: markdown-it escapes all text and HTML is off
    html = mark_safe(parser.renderer.render(body, parser.options, {}))  # noqa: S308
    return Document(name, sections, words, html)


def address_of(place: str) -> str:
    """Of `FILE.md` or `FILE.md#ANCHOR` in this site; empty where it is not served here."""
    parts = urlsplit(place)
    name = parts.path.removesuffix(".md")
    if parts.scheme or parts.netloc or name not in (FIRST, *names()):
        return ""
    page = reverse("documents") if name == FIRST else reverse("document", args=[name])
    return page + (f"#{parts.fragment}" if parts.fragment else "")


def anchor_of(heading: str) -> str:
    return _NO_WORD.sub("", heading.strip().lower()).replace(" ", "-")


@cache
def _parser() -> MarkdownIt:

    def code(_renderer: Any, tokens: Sequence[Token], index: int, *_args: object) -> str:
        """Lines that are too long scroll by themselves, with the keyboard too."""
        return format_html('<pre tabindex="0"><code>{}</code></pre>\n', tokens[index].content)

    def open_table(*args: Any) -> str:
        """A wide table scrolls by itself, with the keyboard too; each has a name of its own."""
        env: dict[str, int] = args[-1]
        env["tables"] = env.get("tables", 0) + 1
        return format_html(
            '<div class="scroll" role="region" tabindex="0" aria-label="Table {}"><table>',
            env["tables"],
        )

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    for kind in ("fence", "code_block"):
        parser.add_render_rule(kind, code)
    parser.add_render_rule("table_open", open_table)
    parser.add_render_rule("table_close", lambda *_args: "</table></div>\n")
    return parser


def _with_anchors(tokens: Sequence[Token]) -> tuple[DocumentSection, ...]:
    """The sections, each heading given its anchor as id: the same words a second time get a
    number."""
    seen: dict[str, int] = {}
    places = [i for i, token in enumerate(tokens) if token.type == "heading_open"]
    found = []
    for start, end in pairwise([*places, len(tokens)]):
        title = _plain(tokens[start + 1])
        anchor = anchor_of(title)
        number = seen.get(anchor, 0)
        seen[anchor] = number + 1
        anchor = f"{anchor}-{number}" if number else anchor
        tokens[start].attrSet("id", anchor)
        text = " · ".join(filter(None, map(_plain, tokens[start + 3 : end])))
        found.append(DocumentSection(anchor, title, int(tokens[start].tag[1]), text))
    return tuple(found)


def _glossary_words(tokens: Sequence[Token]) -> tuple[Word, ...]:
    found = []
    rows = [i for i, token in enumerate(tokens) if token.type == "tr_open"][1:]
    for start in rows:
        cells = [token for token in tokens[start:] if token.type == "inline"]
        name, meaning = map(_plain, cells[:2])
        anchor = f"word-{anchor_of(name)}"
        tokens[start].attrSet("id", anchor)
        found.append(Word(anchor, name, meaning))
    return tuple(found)


def _plain(token: Token) -> str:
    if token.children is None:
        return token.content
    return "".join(each.content or " " * (each.type == "softbreak") for each in token.children)


def _to_this_site(tokens: Sequence[Token]) -> None:
    """Links go to the pages that are served here, or nowhere: their words stay. Pictures too."""
    for inline in tokens:
        children = inline.children or []
        is_dead: list[bool] = []
        for token in children:
            if token.type == "link_open":
                href = str(token.attrGet("href") or "")
                is_elsewhere = href.startswith(("#", "https://", "http://"))
                address = href if is_elsewhere else address_of(href)
                is_dead.append(not address)
                token.attrSet("href", address)
            if token.type == "image":
                picture = Path(str(token.attrGet("src") or "")).name
                token.attrSet("src", reverse("document-image", args=[picture]))
                token.attrSet("loading", "lazy")
            closes = token.type == "link_close"
            if token.type == "link_open" or closes:
                if is_dead[-1]:
                    token.type, token.tag, token.nesting = "text", "", 0
                    token.content = ""
                if closes:
                    is_dead.pop()


_WORD = re.compile(r"\w+")
_BEFORE, _SHOWN = 60, 200  # characters of the text around the first word


class SectionResult(NamedTuple):
    """A section or a word: its title, the page it stands on, where that is, and its text."""

    title: str
    hint: str
    address: str
    text: str


def sections_with(words: str) -> list[SectionResult]:
    """Those in whose title or text every word begins one; more words in the title come first. None
    for no words."""
    wanted = list(dict.fromkeys(_words(words).split()))
    if not wanted:
        return []

    def rank(entry: tuple[SectionResult, str, str]) -> tuple[int, bool]:
        _section, title, _text = entry
        return sum(f" {word}" not in title for word in wanted), title.strip() != wanted[0]

    found = [
        entry
        for entry in _index()
        if all(f" {word}" in entry[1] or f" {word}" in entry[2] for word in wanted)
    ]
    return [section for section, _title, _text in sorted(found, key=rank)]


def excerpt(section: SectionResult, words: str) -> str:
    text, wanted = section.text, _words(words).split()
    low = text.lower()
    places = [place for word in wanted if (place := low.find(word)) >= 0]
    start = text.rfind(" ", 0, max(min(places, default=0) - _BEFORE, 0)) + 1
    shown = text[start : start + 2 * _SHOWN]
    return ("… " if start else "") + shorten(shown, _SHOWN, placeholder=" …")


@cache
def _index() -> tuple[tuple[SectionResult, str, str], ...]:
    """Each with the words of its title and of its text."""
    return tuple((each, _words(each.title), _words(each.text)) for each in _all())


def _words(text: str) -> str:
    """In small letters, with a space before each."""
    return " " + " ".join(_WORD.findall(text.lower()))


def _all() -> Iterator[SectionResult]:
    for name in (GLOSSARY, *(each for each in names() if each != GLOSSARY)):
        page = document(name)
        for word in page.words:
            address = f"{page.address}#{word.anchor}"
            yield SectionResult(word.name, page.title, address, word.meaning)
        top, *below = page.sections
        # the words of the glossary are found one by one
        yield SectionResult(top.title, "", page.address, "" if page.words else top.text)
        for section in below:
            address = f"{page.address}#{section.anchor}"
            yield SectionResult(section.title, page.title, address, section.text)
