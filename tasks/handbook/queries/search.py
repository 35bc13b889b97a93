"""Sections of the documentation and words of the glossary, found by their words."""

from collections.abc import Iterator
from functools import cache
from textwrap import shorten
from typing import NamedTuple

from tasks.handbook.queries.documents import GLOSSARY, document, names

_BEFORE, _SHOWN = 60, 200  # characters of the text around the first word


class SectionFound(NamedTuple):
    """A section or a word: its title, the page it stands on, and where that is. `text` is what
    stands there, around the first of the words."""

    title: str
    hint: str
    address: str
    text: str


def sections_with(words: str) -> list[SectionFound]:
    """Those with every word in title or text; more words in the title come first. None for no
    words."""
    wanted = words.lower().split()
    if not wanted:
        return []

    def rank(each: SectionFound) -> tuple[int, bool]:
        title = each.title.lower()
        return sum(word not in title for word in wanted), not title.startswith(wanted[0])

    found = [
        each
        for each in _index()
        if all(word in f"{each.title} {each.text}".lower() for word in wanted)
    ]
    return [each._replace(text=_around(each.text, wanted)) for each in sorted(found, key=rank)]


@cache
def _index() -> tuple[SectionFound, ...]:
    return tuple(_all())


def _all() -> Iterator[SectionFound]:
    for name in (GLOSSARY, *(each for each in names() if each != GLOSSARY)):
        page = document(name)
        for word in page.words:
            address = f"{page.address}#{word.anchor}"
            yield SectionFound(word.name, page.title, address, word.meaning)
        top, *below = page.sections
        # the words of the glossary are found one by one
        yield SectionFound(top.title, "", page.address, "" if page.words else top.text)
        for section in below:
            address = f"{page.address}#{section.anchor}"
            yield SectionFound(section.title, page.title, address, section.text)


def _around(text: str, wanted: list[str]) -> str:
    places = [place for word in wanted if (place := text.lower().find(word)) >= 0]
    start = text.rfind(" ", 0, max(min(places, default=0) - _BEFORE, 0)) + 1
    return ("… " if start else "") + shorten(text[start:], _SHOWN, placeholder=" …")
