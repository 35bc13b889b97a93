"""Examples to learn from, and where they come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from tomahto.text.same_question import question_form


class Example(Protocol):
    """What is learned from is of a question: `pair.question`."""

    @property
    def pair(self) -> Any: ...


T = TypeVar("T", bound=Example)


def question_of(example: Example) -> str:
    """Its question's form: examples of one form are of one question, whatever the contexts, since a
    model that learned one of them knows the others."""
    return question_form(example.pair.question)


@dataclass(frozen=True, slots=True)
class Examples(Generic[T]):
    """`name` is what messages call them; `source` is what a card says of them: a file and its
    SHA-256, or a release with version, split and digest."""

    rows: tuple[T, ...]
    name: str
    source: Mapping[str, str]
