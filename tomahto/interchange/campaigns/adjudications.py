"""Adjudicators' decisions made elsewhere, from JSON lines and CSV files."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tomahto.interchange.campaigns.answers import answer_cells, given_answer
from tomahto.interchange.reading.formats import Marks, choose_format
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.limits import MAX_NAME
from tomahto.interchange.reading.records import AdjudicationRow
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import table_rows

_ID_NAMES: Final = ("id", "item_id")
_FORMATS: Final[Marks] = {"jsonl": frozenset({"adjudicator"}), "csv": frozenset()}
_COLUMNS: Final = (_ID_NAMES, ("adjudicator",))


def read_adjudications(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    question_keys: Sequence[str],
    name: str | None = None,
) -> Iterator[AdjudicationRow]:
    """Yield the decisions of a file in file order, reading on only as far as asked.

    `format` is jsonl or csv; None takes it from the file. A row has the id (or item_id) of an item;
    adjudicator; label, answers under the protocol's `question_keys`, or both; and optionally
    first_label, the label given before the votes were seen, and reason. `name` is what errors call
    the file. Raises InputError at the first thing that is wrong.
    """
    file = InputFile.at(path, name)
    chosen = choose_format(file, format, _FORMATS)
    rows = table_rows(file, chosen, answer_cells(question_keys), _COLUMNS)
    return (_adjudication(row, question_keys) for row in rows)


def _adjudication(row: Row, question_keys: Sequence[str]) -> AdjudicationRow:
    given = given_answer(row, question_keys, "label")
    if given is None:
        raise row.error("is missing: a decision has a label", "label")
    return AdjudicationRow(
        source=row.source,
        item_id=row.required_name(*_ID_NAMES),
        adjudicator=row.text("adjudicator", limit=MAX_NAME),
        decision=given,
        first_label=row.optional_text("first_label", limit=MAX_NAME) or None,
        reason=row.optional_text("reason"),
    )
