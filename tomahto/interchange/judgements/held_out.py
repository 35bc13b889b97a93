"""Examples that a model does not learn from: to choose among its epochs, or to judge it by."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tomahto.interchange.judgements.places import require_split
from tomahto.interchange.reading.records import InputError
from tomahto.learning.examples import Examples, T, question_of

_CONTENT: Final = ("sha256", "digest", "split")
"""What of a source says which examples there are; names and versions do not."""


def read_held_out(
    path: Path, read: Callable[[Path], Examples[T]], known: Sequence[Examples[T]]
) -> tuple[Examples[T], int]:
    """The examples at a place whose questions none of the `known` has, and how many had one.

    Raises InputError as `read` does, for a release whose split
    is not named, and for a place that is one of the known or whose questions are all known.
    """
    require_split(path)
    found = read(path)
    for other in known:
        if _content(found) == _content(other):
            raise InputError(f"is the same as {other.name}: nothing is held out", file=found.name)
    questions = {question_of(row) for other in known for row in other.rows}
    rows = tuple(row for row in found.rows if question_of(row) not in questions)
    if not rows:
        names = ", ".join(other.name for other in known)
        raise InputError(f"nothing is held out: every question is also in {names}", file=found.name)
    return replace(found, rows=rows), len(found.rows) - len(rows)


def _content(examples: Examples[T]) -> list[str | None]:
    return [examples.source.get(name) for name in _CONTENT]
