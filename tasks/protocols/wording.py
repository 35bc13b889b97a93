"""The words of a protocol's form, and the same form in the words of another language.

The original wording is the instrument that a protocol quotes. A wording in another language gives
every text of it by the original; values, keys and what follows from answers stay as they are.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from tasks.protocols.definition import AnnotationProtocol, Choice, Label, Question

ORIGINAL = "en"
"""The language in which protocols are written down."""

Texts = Mapping[str, str]
"""The text of a wording by the original."""


def form_texts(protocol: AnnotationProtocol) -> tuple[str, ...]:
    """Every text of the form, once, in the order in which raters meet them."""
    return tuple(dict.fromkeys(text for text in _texts(protocol) if text))


def worded(protocol: AnnotationProtocol, texts: Texts) -> AnnotationProtocol:
    """The protocol with its form in other words; what a wording leaves out stays the original."""

    def word(text: str) -> str:
        return texts.get(text, text)

    return replace(
        protocol,
        questions=tuple(_question(each, word) for each in protocol.questions),
        labels=tuple(_label(each, word) for each in protocol.labels),
        reference_title=word(protocol.reference_title),
        candidate_title=word(protocol.candidate_title),
    )


def shipped_texts(protocol: AnnotationProtocol, language: str) -> dict[str, str]:
    """The translation that comes with the platform, for an admin to start from; often empty."""
    known = _shipped(language)
    return {text: known[text] for text in form_texts(protocol) if text in known}


@cache
def _shipped(language: str) -> Mapping[str, str]:
    files = {path.stem: path for path in (Path(__file__).parent / "wordings").glob("*.json")}
    if language not in files:
        return {}
    texts: dict[str, str] = json.loads(files[language].read_text(encoding="utf-8"))
    return texts


def _texts(protocol: AnnotationProtocol) -> Iterator[str]:
    yield from (protocol.reference_title, protocol.candidate_title)
    for question in protocol.questions:
        yield from (question.text, question.note)
        for choice in question.choices:
            yield from (choice.title, choice.meaning)
    for label in protocol.labels:
        yield label.title


def _question(question: Question, word: Callable[[str], str]) -> Question:
    return replace(
        question,
        text=word(question.text),
        note=word(question.note),
        choices=tuple(_choice(each, word) for each in question.choices),
    )


def _choice(choice: Choice, word: Callable[[str], str]) -> Choice:
    return replace(choice, title=word(choice.title), meaning=word(choice.meaning))


def _label(label: Label, word: Callable[[str], str]) -> Label:
    return replace(label, title=word(label.title), meaning=word(label.meaning))
