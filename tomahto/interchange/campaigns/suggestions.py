"""Scores of items by other programs' matchers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tomahto.interchange.campaigns.items import ITEM_CELLS, item_of
from tomahto.interchange.description import FileToRead, Kind
from tomahto.interchange.reading.records import SuggestionRow
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import flag_cell, number_cell
from tomahto.interchange.table import read_records

_ID_NAMES: Final = ("id", "item_id")


def read_suggestions(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    name: str | None = None,
) -> Iterator[SuggestionRow]:
    """Yield the scores of a file in file order, reading on only as far as asked.

    `format` None takes it from the file. A row has the id (or item_id) of an item, or the item's
    fields as in `read_items`; score, any number; and optionally accepted (true or false) and
    explanation, an object. `name` is what errors call the file. Raises InputError at the first
    thing that is wrong.
    """
    return read_records(_SUGGESTIONS, FileToRead.at(path, name), format)


def _suggestion(row: Row, _keys: object) -> SuggestionRow:
    has_item = row.name_of("question") is not None
    return SuggestionRow(
        source=row.source,
        item=item_of(row) if has_item else None,
        item_id=row.optional_name(*_ID_NAMES) if has_item else row.required_name(*_ID_NAMES),
        score=row.required_number("score"),
        accepted=row.optional_flag("accepted"),
        explanation=row.object("explanation").values if row.name_of("explanation") else None,
    )


_SUGGESTIONS: Final = Kind(
    name="suggestions",
    record=_suggestion,
    marks=frozenset({"score"}),
    columns=(("score",), ("question", *_ID_NAMES)),
    cells=lambda _keys: {**ITEM_CELLS, "score": number_cell, "accepted": flag_cell},
)
