"""Sections of the documentation and words of the glossary, found by their words."""

import re
from collections.abc import Iterator
from functools import cache
from textwrap import shorten
from typing import NamedTuple

from tasks.handbook.queries.documents import GLOSSARY, document, names

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
    """The section's text around the first of the words."""
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
