"""Candidates to be scored by a matcher, from JSON lines."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tomahto.interchange.campaigns.items import ITEM_REFERENCE_NAMES
from tomahto.interchange.judgements.places import rows_at
from tomahto.interchange.reading.limits import MAX_CONTEXT
from tomahto.interchange.reading.row import Row
from tomahto.matching.interface import Pair


class PairRow(NamedTuple):
    """A pair and all the fields of the line it stands on, in their order. `other_names` are those
    of the candidate in an expanded set (CFMatch, §4.2): the best of all its names counts."""

    pair: Pair
    fields: Mapping[str, object]
    other_names: tuple[str, ...] = ()

    @property
    def pairs(self) -> list[Pair]:
        """One for each name."""
        return [self.pair, *(replace(self.pair, candidate=name) for name in self.other_names)]


def read_pairs(path: Path, added: Collection[str] = ()) -> Iterator[PairRow]:
    """Yield the items of a split of a release, or JSON lines of {"question", "references" |
    "reference", "candidate"[, "context"]}, in their order, reading on only as far as asked. CAP's
    "gold_answer", "other_gold_answers" and "candidate_answer" are read too.

    A candidate may be empty: a system may abstain; and a list of the names of one answer. A line
    that has one of the fields that are to be `added` to it is refused. Raises InputError with file,
    line and field at the first thing that is wrong.
    """
    return (_pair_row(row, added) for row in rows_at(path))


def _pair_row(row: Row, added: Collection[str]) -> PairRow:
    for name in added:
        if name in row.values:
            raise row.error("already exists and would be overwritten: rename or remove it", name)
    question = row.text("question")
    context = row.optional_text("context", limit=MAX_CONTEXT)
    references = pair_references(row)
    name, *others = candidate_names(row)
    pair = Pair(question, context, references, name)
    return PairRow(pair, row.values, tuple(others))


def candidate_names(row: Row) -> list[str]:
    """The candidate, or the names of it; each may be empty. Raises InputError for no name."""
    if not isinstance(row.values.get("candidate"), list):
        return [pair_candidate(row)]
    names = row.texts_or_empty("candidate")
    if not names:
        raise row.error("is empty", "candidate")
    return names


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
        raise row.error("is empty: a matcher needs a reference", "references")
    return tuple(references)
