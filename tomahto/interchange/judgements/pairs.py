"""Candidates to be scored by a matcher, from JSON lines."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tomahto.interchange.campaigns.items import ITEM_REFERENCE_NAMES
from tomahto.interchange.judgements.places import rows_at
from tomahto.interchange.reading.limits import MAX_CONTEXT
from tomahto.interchange.reading.row import Row
from tomahto.matching.interface import Pair


class PairRow(NamedTuple):
    """A pair and all the fields of the line it stands on, in their order."""

    pair: Pair
    fields: Mapping[str, object]


def read_pairs(path: Path, added: Collection[str] = ()) -> Iterator[PairRow]:
    """Yield the items of a split of a release, or JSON lines of {"question", "references" |
    "reference", "candidate"[, "context"]}, in their order, reading on only as far as asked. CAP's
    "gold_answer", "other_gold_answers" and "candidate_answer" are read too.

    A candidate may be empty: a system may abstain. A line that has one of the fields that are to be
    `added` to it is refused. Raises InputError with file, line and field at the first thing that is
    wrong.
    """
    return (PairRow(_pair(row, added), row.values) for row in rows_at(path))


def _pair(row: Row, added: Collection[str]) -> Pair:
    for name in added:
        if name in row.values:
            raise row.error("is here already and would be overwritten: rename or remove it", name)
    return Pair(
        question=row.text("question"),
        context=row.optional_text("context", limit=MAX_CONTEXT),
        references=pair_references(row),
        candidate=pair_candidate(row),
    )


def pair_candidate(row: Row) -> str:
    """The candidate, under CAP's name where the row has only that."""
    return row.text_or_empty(row.name_of("candidate", "candidate_answer") or "candidate")


def pair_references(row: Row) -> tuple[str, ...]:
    """The references, or the gold answer and the others (CAP). Raises InputError for none."""
    if row.name_of(*ITEM_REFERENCE_NAMES) is None and row.name_of("gold_answer"):
        others = row.texts("other_gold_answers") if row.name_of("other_gold_answers") else []
        return (row.text("gold_answer"), *others)
    references = row.texts(*ITEM_REFERENCE_NAMES)
    if not references:
        raise row.error("is empty: a matcher compares with a reference", "references")
    return tuple(references)
