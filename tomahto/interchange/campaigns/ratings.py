"""Ratings made elsewhere, from JSON lines, CSV and AE files."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tomahto.interchange.campaigns.answer_equivalence import (
    AE_FIELDS,
    AE_QUESTION_KEYS,
    RatingCounter,
    ae_answers,
    ae_item,
)
from tomahto.interchange.campaigns.answers import answer_cells, given_answer
from tomahto.interchange.campaigns.doccano import DOCCANO_FIELDS, doccano_rating
from tomahto.interchange.campaigns.items import ITEM_CELLS, item_of
from tomahto.interchange.campaigns.label_studio import label_studio_ratings, label_studio_tasks
from tomahto.interchange.reading.field_map import FieldMap
from tomahto.interchange.reading.formats import Marks, choose_format
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.limits import MAX_NAME, MAX_SECONDS
from tomahto.interchange.reading.records import RatingRow
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import Cell, flag_cell, json_rows, number_cell, table_rows

_ID_NAMES: Final = ("id", "item_id")
_FORMATS: Final[Marks] = {
    "ae": AE_FIELDS,
    "jsonl": frozenset({"rater"}),
    "csv": frozenset(),
    "label-studio": frozenset(),
    "doccano": frozenset(),
}
_CELLS: Final[Mapping[str, Cell]] = {
    **ITEM_CELLS,
    "seconds": number_cell,
    "counted": flag_cell,
}
_COLUMNS: Final = (("rater",), ("question", *_ID_NAMES))


def read_ratings(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    question_keys: Sequence[str],
    name: str | None = None,
    fields: FieldMap = FieldMap(),  # noqa: B008 - frozen
) -> Iterator[RatingRow]:
    """Yield the ratings of a file in file order, reading on only as far as asked.

    `format` is jsonl, csv, ae, label-studio or doccano; None takes it from the file (doccano's
    lines cannot be told from others). A row of JSON lines or CSV holds the
    fields of an item (see `read_items`) or only its id (or item_id); rater; label, answers under
    the protocol's `question_keys`, or both; and optionally seconds, comment, created_at (ISO 8601,
    UTC unless it says otherwise) and counted (default true). In CSV, true, yes, 1 and false, no, 0
    are answers in any case, an empty cell a question that was not asked.

    A line of an AE file is one rating; the n-th rating of an item is by the rater ae-n. What Label
    Studio's annotations and doccano's labels say is read as `fields` has it.

    `name` is what errors call the file. Raises InputError at the first thing that is wrong.
    """
    file = InputFile.at(path, name)
    chosen = choose_format(file, format, _FORMATS)
    others = DOCCANO_FIELDS if chosen == "doccano" else ("label",)
    fields.check(file, chosen, (*others, *question_keys))
    match chosen:
        case "ae":
            _check_asked(file, question_keys)
            return _ae_ratings(file)
        case "label-studio":
            return _label_studio_ratings(file, question_keys, fields)
        case "doccano":
            return _doccano_ratings(file, question_keys, fields)
    rows = table_rows(file, chosen, {**answer_cells(question_keys), **_CELLS}, _COLUMNS)
    return (_rating(row, question_keys) for row in rows)


def _check_asked(file: InputFile, question_keys: Sequence[str]) -> None:
    if tuple(question_keys) != AE_QUESTION_KEYS:
        raise file.error("is in the format ae, and the protocol does not ask q1, q2, q3 and q4")


def _ae_ratings(file: InputFile) -> Iterator[RatingRow]:
    counter = RatingCounter()
    for row in json_rows(file):
        item = ae_item(row)
        yield RatingRow(
            source=row.source,
            item=item,
            item_id=None,
            rater=f"ae-{counter.number(item)}",
            label=None,
            answers=ae_answers(row),
        )


def _label_studio_ratings(
    file: InputFile, question_keys: Sequence[str], fields: FieldMap
) -> Iterator[RatingRow]:
    for task in label_studio_tasks(file):
        item = item_of(fields.item_row(task, "data."))
        yield from label_studio_ratings(task, item, question_keys, fields)


def _doccano_ratings(
    file: InputFile, question_keys: Sequence[str], fields: FieldMap
) -> Iterator[RatingRow]:
    for row in json_rows(file):
        rating = doccano_rating(row, item_of(fields.item_row(row)), question_keys, fields)
        if rating is not None:
            yield rating


def _rating(row: Row, question_keys: Sequence[str]) -> RatingRow:
    given = given_answer(row, question_keys, "label")
    if given is None:
        choices = f" or answers ({', '.join(question_keys)})" if question_keys else ""
        raise row.error(f"is missing: a rating has a label{choices}", "label")
    has_item = row.name_of("question") is not None
    return RatingRow(
        source=row.source,
        item=item_of(row) if has_item else None,
        item_id=row.optional_name(*_ID_NAMES) if has_item else row.required_name(*_ID_NAMES),
        rater=row.text("rater", limit=MAX_NAME),
        label=given.label,
        answers=given.answers,
        seconds=row.number("seconds", MAX_SECONDS),
        comment=row.optional_text("comment"),
        created_at=row.moment("created_at"),
        counted=row.flag("counted", default=True),
    )
