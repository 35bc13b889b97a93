"""Items and ratings from doccano's JSONL of text classification (1.x: tutorial, "Export Data"), and
as a release writes it (`tomahto.releases.formats.doccano`)."""

from collections.abc import Iterator
from typing import Final

from tomahto.interchange.campaigns.items import answers_to, item_of
from tomahto.interchange.reading.records import MAX_NAME, MAX_SECONDS, ItemRow, RatingRow
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import json_rows
from tomahto.interchange.table import FileToRead, ImportFormat

_FIELDS: Final = ("label", "rater", "seconds", "created_at")
_OTHER_NAMES: Final = {"label": "labels", "rater": "username"}  # where the first is not mapped


def _items(file: FileToRead) -> Iterator[ItemRow]:
    return (item_of(file.fields.item_row(row)) for row in json_rows(file.file))


def _ratings(file: FileToRead) -> Iterator[RatingRow]:
    return filter(None, (_rating(row, file) for row in json_rows(file.file)))


def _rating(row: Row, file: FileToRead) -> RatingRow | None:
    """The rating on a line, None if the line has an empty list of labels: nobody labelled it.

    Its one label stands under `label` or `labels`; answers, if there are any, under the questions'
    names, and the rater under `rater` or `username`, unless the file's fields are mapped.
    """
    fields, item = file.fields, item_of(file.fields.item_row(row))
    others = [other for name, other in _OTHER_NAMES.items() if name not in fields.places]
    places = {name: name for name in (*file.question_keys, *_FIELDS, *others)}
    line = fields.row_of(row, places)
    label_field = line.required_field("label", "labels")
    labels = line.texts(label_field, limit=MAX_NAME)
    if not labels:
        return None
    if len(labels) > 1:
        raise line.error(f"has {len(labels)} labels; a rating must have one", label_field)
    label = fields.label(labels[0])
    return RatingRow(
        source=row.source,
        item=item,
        item_id=item.id,
        rater=fields.rater or _rater(line),
        label=label,
        answers=answers_to(
            line._replace(values={**line.values, "label": label}), file.question_keys
        ),
        seconds=line.optional_number("seconds", MAX_SECONDS),
        rated_at=line.optional_moment("created_at"),
    )


def _rater(line: Row) -> str:
    names = ("rater", "username")
    if line.field_of(*names) is None:
        raise line.error("is missing: the file does not name the rater; use --rater NAME", names[0])
    return line.name(*names)


FORMATS: Final = (
    ImportFormat(
        name="doccano",
        title="doccano",
        place=4,
        mapped=_FIELDS,
        readers={"items": _items, "ratings": _ratings},
    ),
)
