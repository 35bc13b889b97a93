"""Candidates to be scored by a matcher, from JSON lines."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from inference.matchers.interface import Pair
from tasks.importers.input_file import InputFile
from tasks.importers.items import ITEM_REFERENCE_NAMES
from tasks.importers.limits import MAX_CONTEXT
from tasks.importers.row import Row
from tasks.importers.rows import json_rows


class PairRow(NamedTuple):
    """A pair and all the fields of the line it stands on, in their order."""

    pair: Pair
    fields: Mapping[str, object]


def read_pairs(path: Path, added: Collection[str] = ()) -> Iterator[PairRow]:
    """Yield JSON lines of {"question", "references" | "reference", "candidate"[, "context"]}, in
    file order, reading on only as far as asked.

    A candidate may be empty: a system may abstain. A line that has one of the fields that are to be
    `added` to it is refused. Raises InputError with file, line and field at the first thing that is
    wrong.
    """
    return (PairRow(_pair(row, added), row.values) for row in json_rows(InputFile.at(path)))


def _pair(row: Row, added: Collection[str]) -> Pair:
    for name in added:
        if name in row.values:
            raise row.error("is here already and would be overwritten: rename or remove it", name)
    references = row.texts(*ITEM_REFERENCE_NAMES)
    if not references:
        raise row.error("is empty: a matcher compares with a reference", "references")
    return Pair(
        question=row.text("question"),
        context=row.optional_text("context", limit=MAX_CONTEXT),
        references=tuple(references),
        candidate=row.text_or_empty("candidate"),
    )
