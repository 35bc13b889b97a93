"""Which format a file has: said by the user, or told by its name and its first row."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Final

from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.strict_json import JsonError, decode_line

Marks = Mapping[str, frozenset[str]]
"""The formats to choose from, each with the fields that mark a JSON lines row as being of it.

A format without marks is not one of JSON lines. Those with more particular marks come first.
"""

LINES_SUFFIXES: Final = (".jsonl", ".ndjson")


def choose_format(file: InputFile, given: str | None, marks: Marks) -> str:
    """`given`, or the format that the file's extension or first line tells.

    Raises InputError, naming the choices, for a format that is not among them or cannot be told.
    """
    chosen = _guess(file, marks) if given is None else given
    if chosen is not None and chosen in marks:
        return chosen
    choices = ", ".join(marks)
    if chosen is None:
        raise file.error(f"has no telling extension; say the format: {choices}")
    raise file.error(f"format {chosen!r:.40} is not one of {choices}")


def _guess(file: InputFile, marks: Marks) -> str | None:
    suffix = PurePath(file.name).suffix.lower()
    if suffix == ".csv":
        return "csv"
    if suffix == ".json" and "squad" in marks:
        return "squad"
    first, _, rest = file.head().lstrip().partition("\n")
    if first.startswith("[") and suffix not in LINES_SUFFIXES and "label-studio" in marks:
        return "label-studio"
    by_row = _guess_by_row(first, marks)
    if by_row is not None:
        return by_row
    if suffix in LINES_SUFFIXES or (first.startswith("{") and rest.lstrip().startswith("{")):
        return "jsonl"
    return "squad" if first.startswith("{") and "squad" in marks else None


def _guess_by_row(line: str, marks: Marks) -> str | None:
    try:
        row = decode_line(line)
    except JsonError:
        return None
    fields = frozenset(row) if isinstance(row, dict) else frozenset[str]()
    return next((name for name, needed in marks.items() if needed and needed <= fields), None)
