"""Adjudicators' decisions made elsewhere."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tomahto.interchange.campaigns.answers import answer_cells, given_answer
from tomahto.interchange.description import FileToRead, Kind
from tomahto.interchange.reading.limits import MAX_NAME
from tomahto.interchange.reading.records import AdjudicationRow
from tomahto.interchange.reading.row import Row
from tomahto.interchange.table import read_records

_ID_NAMES: Final = ("id", "item_id")


def read_adjudications(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    question_keys: Sequence[str],
    name: str | None = None,
) -> Iterator[AdjudicationRow]:
    """Yield the decisions of a file in file order, reading on only as far as asked.

    `format` None takes it from the file. A row has the id (or item_id) of an item;
    adjudicator; label, answers under the protocol's `question_keys`, or both; and optionally
    first_label, the label given before the votes were seen, and reason. `name` is what errors call
    the file. Raises InputError at the first thing that is wrong.
    """
    file = FileToRead.at(path, name, question_keys=question_keys)
    return read_records(_ADJUDICATIONS, file, format)


def _adjudication(row: Row, question_keys: Sequence[str]) -> AdjudicationRow:
    given = given_answer(row, question_keys, "label")
    if given is None:
        raise row.error("is missing: a decision must have a label", "label")
    return AdjudicationRow(
        source=row.source,
        item_id=row.required_name(*_ID_NAMES),
        adjudicator=row.required_name("adjudicator"),
        decision=given,
        first_label=row.optional_text("first_label", limit=MAX_NAME) or None,
        reason=row.optional_text("reason"),
    )


_ADJUDICATIONS: Final = Kind(
    name="adjudications",
    record=_adjudication,
    marks=frozenset({"adjudicator"}),
    columns=(_ID_NAMES, ("adjudicator",)),
    cells=answer_cells,
)
