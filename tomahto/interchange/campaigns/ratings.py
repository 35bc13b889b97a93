"""Judgements from elsewhere: ratings, adjudicators' decisions, scores of other matchers."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tomahto.interchange.campaigns.items import ITEM_CELLS, answer_cells, given_answer, item_of
from tomahto.interchange.reading.records import (
    MAX_NAME,
    MAX_SECONDS,
    AdjudicationRow,
    RatingRow,
    SkippedAnnotation,
    SuggestionRow,
)
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import Cell, FieldMap, flag_cell, number_cell
from tomahto.interchange.table import RecordKind
from tomahto.votes.remarks import REMARKS

_ID_NAMES: Final = ("id", "item_id")
_CELLS: Final[Mapping[str, Cell]] = {
    **ITEM_CELLS,
    "seconds": number_cell,
    "counted": flag_cell,
}


def read_ratings(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    question_keys: Sequence[str],
    name: str | None = None,
    fields: FieldMap = FieldMap(),  # noqa: B008 - frozen
) -> Iterator[RatingRow]:
    """Yield the ratings of a file in file order, reading on only as far as asked.

    `format` None takes it from the file (doccano's lines cannot be told from others). A row of
    JSON lines or CSV holds the fields of an item (see `read_items`) or only its id (or item_id);
    rater; label, answers under the protocol's `question_keys`, or both; and optionally seconds,
    created_at (ISO 8601, UTC unless it says otherwise), counted (default true) and the remarks
    (`tomahto.votes.remarks`). In CSV, true, yes, 1 and false, no, 0 are answers in any case, an
    empty cell a question that was not asked.

    A line of an AE file is one rating; the n-th rating of an item is by the rater ae-n. What Label
    Studio's annotations and doccano's labels say is read as `fields` has it.

    `name` is what errors call the file. Raises InputError at the first thing that is wrong.
    """
    rows = read_annotations(
        path, format=format, question_keys=question_keys, name=name, fields=fields
    )
    return (row for row in rows if isinstance(row, RatingRow))


def _rating(row: Row, question_keys: Sequence[str]) -> RatingRow:
    given = given_answer(row, question_keys, "label")
    if given is None:
        choices = f" or answers ({', '.join(question_keys)})" if question_keys else ""
        raise row.error(f"is missing: a rating must have a label{choices}", "label")
    has_item = row.field_of("question") is not None
    return RatingRow(
        source=row.source,
        item=item_of(row) if has_item else None,
        item_id=row.optional_name(*_ID_NAMES) if has_item else row.name(*_ID_NAMES),
        rater=row.name("rater"),
        label=given.label,
        answers=given.answers,
        seconds=row.optional_number("seconds", MAX_SECONDS),
        rated_at=row.optional_moment("created_at"),
        counted=row.optional_flag("counted"),
        **{remark.name: row.optional_text(remark.name) for remark in REMARKS},
    )


_RATINGS: Final[RecordKind[RatingRow | SkippedAnnotation]] = RecordKind(
    name="ratings",
    record=_rating,
    line_fields=frozenset({"rater"}),
    columns=(("rater",), ("question", *_ID_NAMES)),
    cells=lambda keys: {**answer_cells(keys), **_CELLS},
    has_labels=True,
)
read_annotations: Final = _RATINGS.read
"""As `read_ratings`, with the annotations that are passed over."""


def _adjudication(row: Row, question_keys: Sequence[str]) -> AdjudicationRow:
    given = given_answer(row, question_keys, "label")
    if given is None:
        raise row.error("is missing: a decision must have a label", "label")
    return AdjudicationRow(
        source=row.source,
        item_id=row.name(*_ID_NAMES),
        adjudicator=row.name("adjudicator"),
        decision=given,
        first_label=row.optional_text("first_label", limit=MAX_NAME) or None,
        reason=row.optional_text("reason"),
    )


_ADJUDICATIONS: Final = RecordKind(
    name="adjudications",
    record=_adjudication,
    line_fields=frozenset({"adjudicator"}),
    columns=(_ID_NAMES, ("adjudicator",)),
    cells=answer_cells,
)
read_adjudications: Final = _ADJUDICATIONS.read
"""A row has the id (or item_id) of an item; adjudicator; label, answers under the protocol's
`question_keys`, or both; and optionally first_label, the label given before the votes were seen,
and reason."""


def _suggestion(row: Row, _keys: object) -> SuggestionRow:
    has_item = row.field_of("question") is not None
    return SuggestionRow(
        source=row.source,
        item=item_of(row) if has_item else None,
        item_id=row.optional_name(*_ID_NAMES) if has_item else row.name(*_ID_NAMES),
        score=row.number("score"),
        accepted=row.optional_flag("accepted"),
        explanation=row.object("explanation").values if row.field_of("explanation") else None,
    )


_SUGGESTIONS: Final = RecordKind(
    name="suggestions",
    record=_suggestion,
    line_fields=frozenset({"score"}),
    columns=(("score",), ("question", *_ID_NAMES)),
    cells=lambda _keys: {**ITEM_CELLS, "score": number_cell, "accepted": flag_cell},
)
read_suggestions: Final = _SUGGESTIONS.read
"""A row has the id (or item_id) of an item, or the item's fields as in `read_items`; score, any
number; and optionally accepted (true or false) and explanation, an object."""
