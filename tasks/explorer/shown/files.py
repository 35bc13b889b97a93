"""Rows of the explorer as files: CSV and XLSX for spreadsheets, JSON lines for programs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any, Final

from tasks.explorer.queries.rows import ExplorerRow
from tomahto.releases.files.json_lines import json_text
from tomahto.text.spreadsheet_cell import safe_text
from tomahto.text.spreadsheet_csv import csv_records

Columns = Mapping[str, Callable[[ExplorerRow], Any]]

COLUMNS: Final[Columns] = {
    "number": lambda row: row.number,
    "id": lambda row: row.key,
    "document": lambda row: row.document,
    "question_id": lambda row: row.question_key,
    "question": lambda row: row.question,
    "question_type": lambda row: row.question_type,
    "split": lambda row: row.split,
    "references": lambda row: row.references,
    "candidate": lambda row: row.candidate,
    "systems": lambda row: row.systems,
    "purpose": lambda row: row.purpose,
    "state": lambda row: str(row.state),
    "wanted": lambda row: row.wanted,
    "ratings": lambda row: row.ratings,
    "withheld": lambda row: row.withheld,
    "votes": lambda row: [
        {"rater": vote.rater, "label": vote.label, "counted": vote.is_counted} for vote in row.votes
    ],
    "label": lambda row: row.label,
    "share": lambda row: row.share,
    "decided": lambda row: row.decided,
    "open_flags": lambda row: row.open_flags,
    "flags": lambda row: row.flags,
    "skips": lambda row: row.skips,
    "tags": lambda row: row.tags,
    "scores": lambda row: {
        matcher: {"score": score.score, "accepted": score.is_accepted}
        for matcher, score in row.scores.items()
    },
    "last_rated_at": lambda row: row.last_rated_at,
    "created_at": lambda row: row.created_at,
}
"""What a column of a file holds, by its name, in the usual order."""


def json_lines(rows: Iterable[ExplorerRow], columns: Sequence[str]) -> Iterator[str]:
    """A JSON object for each row, every column in it."""
    for row in rows:
        yield json_text({name: _as_json(COLUMNS[name](row)) for name in columns}) + "\n"


def csv_lines(rows: Iterable[ExplorerRow], columns: Sequence[str]) -> Iterator[str]:
    """A header, and a record for each row: no cell can be taken for a formula."""
    safe = (
        [safe_text(cell) if isinstance(cell, str) else cell for cell in cells]
        for cells in cells_of(rows, columns)
    )
    return csv_records(chain([columns], safe))


def cells_of(rows: Iterable[ExplorerRow], columns: Sequence[str]) -> Iterator[list[Any]]:
    """A list of cells for each row: numbers, texts, nothing for null; lists and objects as JSON."""
    for row in rows:
        yield [_as_cell(COLUMNS[name](row)) for name in columns]


def _as_cell(value: Any) -> str | int | float | None:
    match value:
        case bool():
            return "yes" if value else "no"
        case list() | dict():
            return json_text(value) if value else None
        case datetime():
            return value.isoformat()
        case None | str() | int() | float():
            return value
        case _:
            raise TypeError(f"no cell holds a {type(value).__name__}")


def _as_json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
