"""Ratings from doccano's JSONL of text classification (1.x: tutorial, "Export Data"), and as a
release writes it."""

from collections.abc import Sequence
from typing import Final

from tomahto.interchange.campaigns.answers import answers_to
from tomahto.interchange.reading.field_map import FieldMap
from tomahto.interchange.reading.limits import MAX_NAME, MAX_SECONDS
from tomahto.interchange.reading.records import ItemRow, RatingRow
from tomahto.interchange.reading.row import Row

DOCCANO_FIELDS: Final = ("label", "rater", "seconds", "created_at")
_OTHER_NAMES: Final = {"label": "labels", "rater": "username"}  # where the first is not mapped


def doccano_rating(
    row: Row, item: ItemRow, question_keys: Sequence[str], fields: FieldMap
) -> RatingRow | None:
    """The rating on a line, None if the line has an empty list of labels: nobody labelled it.

    Its one label stands under `label` or `labels`; answers, if there are any, under the questions'
    names, and the rater under `rater` or `username`, unless `fields` says otherwise.
    """
    line = fields.row_of(row, _places(question_keys, fields))
    label_field = line.required("label", "labels")
    labels = line.texts(label_field, limit=MAX_NAME)
    if not labels:
        return None
    if len(labels) > 1:
        raise line.error(f"has {len(labels)} labels; a rating has one", label_field)
    label = fields.label(labels[0])
    return RatingRow(
        source=row.source,
        item=item,
        item_id=item.id,
        rater=fields.rater or _rater(line),
        label=label,
        answers=answers_to(line._replace(values={**line.values, "label": label}), question_keys),
        seconds=line.number("seconds", MAX_SECONDS),
        created_at=line.moment("created_at"),
    )


def _places(question_keys: Sequence[str], fields: FieldMap) -> dict[str, str]:
    others = [other for name, other in _OTHER_NAMES.items() if name not in fields.places]
    return {name: name for name in (*question_keys, *DOCCANO_FIELDS, *others)}


def _rater(line: Row) -> str:
    names = ("rater", "username")
    if line.name_of(*names) is None:
        raise line.error("is missing: the file does not say who labelled; --rater NAME", names[0])
    return line.text(*names, limit=MAX_NAME)
