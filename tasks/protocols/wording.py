"""The form of a protocol in the words of another language.

The published words are the instrument that a protocol quotes. A file of `wordings/` has every text
of every form by the published one; values, keys, order and what follows from answers stay.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tasks.protocols.definition import AnnotationProtocol, Choice, Label, Question

_FILES = Path(__file__).parent / "wordings"


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of forms in a language; `texts` has them by the published ones. A version stays as
    it is: other words are the next one."""

    language: str
    version: int
    texts: Mapping[str, str]

    @property
    def name(self) -> str:
        """As a rating says it: `de-1`, and "" of the published words."""
        return f"{self.language}-{self.version}" if self.version else ""

    @property
    def names(self) -> list[str]:
        """Those of this version and the ones before it."""
        return [f"{self.language}-{version}" for version in range(1, self.version + 1)]


PUBLISHED = Wording("en", 0, {})


@cache
def wordings() -> Mapping[str, Wording]:
    """Those there are besides the published words, by language."""
    return {path.stem: read_wording(path) for path in sorted(_FILES.glob("*.json"))}


def read_wording(path: Path) -> Wording:
    content = json.loads(path.read_text(encoding="utf-8"))
    return Wording(path.stem, content["version"], content["texts"])


@cache
def known_names() -> frozenset[str]:
    """The names that a rating may have for its words."""
    return frozenset({"", *(name for wording in wordings().values() for name in wording.names)})


def worded(protocol: AnnotationProtocol, wording: Wording) -> AnnotationProtocol:
    """The protocol with its form in these words."""
    if wording is PUBLISHED:
        return protocol

    def word(text: str) -> str:
        return wording.texts.get(text, text)

    def choice(original: Choice) -> Choice:
        return replace(original, title=word(original.title), meaning=word(original.meaning))

    def question(original: Question) -> Question:
        choices = tuple(map(choice, original.choices))
        text, note = word(original.text), word(original.note)
        return replace(original, text=text, note=note, choices=choices)

    def label(original: Label) -> Label:
        return replace(original, title=word(original.title))

    return replace(
        protocol,
        questions=tuple(map(question, protocol.questions)),
        labels=tuple(map(label, protocol.labels)),
        reference_title=word(protocol.reference_title),
        candidate_title=word(protocol.candidate_title),
    )


def form_texts(protocol: AnnotationProtocol) -> tuple[str, ...]:
    """Every text of the form once, in the order in which raters meet them."""
    return tuple(dict.fromkeys(filter(None, _texts(protocol))))


def _texts(protocol: AnnotationProtocol) -> Iterator[str]:
    yield from (protocol.reference_title, protocol.candidate_title)
    for question in protocol.questions:
        yield from (question.text, question.note)
        for choice in question.choices:
            yield from (choice.title, choice.meaning)
    yield from protocol.titles.values()
