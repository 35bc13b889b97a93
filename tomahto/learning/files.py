"""Examples to learn from, and what is learned as readable JSON.

Plain numbers and names only, so loading a file from a stranger can run nothing.
"""

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from tomahto.text.same_question import question_form


class Example(Protocol):
    """An example to learn from is of a question: `pair.question`."""

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


Weights = TypeVar("Weights")


class WeightsError(ValueError):
    """Weights that cannot be used; the message names the file, the field and the fault."""


@dataclass(frozen=True)
class WeightsFile(Generic[Weights]):
    """The form of weights of one kind: their text, the object that its fields make, and its
    greatest size.

    `smaller` says what makes weights smaller. `from_fields` raises ValueError naming the field.
    """

    max_bytes: int
    text_of: Callable[[Weights], str]
    from_fields: Callable[[dict[str, Any]], Weights]
    smaller: Callable[[Weights], str]

    def digest(self, weights: Weights) -> str:
        """The first 12 hexadecimal digits of the content's SHA-256."""
        return hashlib.sha256(self.text_of(weights).encode()).hexdigest()[:12]

    def write(self, weights: Weights, path: Path) -> int:
        """Writes the file, as a whole or not at all; its size in bytes. Raises WeightsError."""
        content = self.text_of(weights).encode()
        if len(content) >= self.max_bytes:
            limit = f"{path}: {len(content)} bytes, the limit is {self.max_bytes}"
            raise WeightsError(f"{limit}; {self.smaller(weights)}")
        unfinished = path.with_name(f"{path.name}.unfinished")
        unfinished.write_bytes(content)
        unfinished.replace(path)
        return len(content)

    def read(self, path: Path) -> Weights:
        """The weights in the file. Raises WeightsError; a missing file is an OSError."""
        size = path.stat().st_size
        if size >= self.max_bytes:
            raise WeightsError(f"{path}: {size} bytes, the limit is {self.max_bytes}")
        try:
            content = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise WeightsError(f"{path}: {error}") from error
        return self.parse(content, str(path))

    def parse(self, content: str, place: str) -> Weights:
        """The weights that a text holds. Raises WeightsError, naming the place it comes from."""
        try:
            return self.from_fields(parse_fields(content))
        except ValueError as error:
            raise WeightsError(f"{place}: {error}") from error


def parse_fields(content: str) -> dict[str, Any]:
    """The JSON object that the text is. Raises WeightsError."""
    try:
        fields = json.loads(content, object_pairs_hook=_without_repeats)
    except WeightsError:
        raise
    except (ValueError, RecursionError) as error:
        raise WeightsError(str(error)) from error
    if not isinstance(fields, dict):
        raise WeightsError("not a JSON object")
    return fields


def whole_number(value: object, field: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise WeightsError(f"{field}: {value!r} is not a whole number")
    return value


def finite_number(value: object, field: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise WeightsError(f"{field}: {value!r} is not a finite number")
    return float(value)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise WeightsError(f"{twice!r} is listed twice")
    return result
