"""Which format a file has: said by the user, or told by its name and its first row."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from tomahto.interchange.description import ImportFormat
from tomahto.interchange.reading.input_file import LINES_SUFFIXES, InputFile
from tomahto.interchange.reading.strict_json import JsonError, decode_line

_LINES: Final = "jsonl"


def choose_format(
    file: InputFile, given: str | None, formats: Sequence[ImportFormat], marks: frozenset[str]
) -> ImportFormat:
    """The format given, or the one that the file's ending or beginning tells; JSON lines are
    recognised by `marks` as well.

    Raises InputError, naming the choices, for a format that is not among them or cannot be told.
    """
    chosen = _guess(file, formats, marks) if given is None else given
    for each in formats:
        if each.name == chosen:
            return each
    choices = ", ".join(each.name for each in formats)
    if chosen is None:
        raise file.error(f"has no known extension; give the format: {choices}")
    raise file.error(f"format {chosen!r:.40} is not one of {choices}")


def _guess(file: InputFile, formats: Sequence[ImportFormat], marks: frozenset[str]) -> str | None:
    head = file.head().lstrip()
    suffix = PurePath(file.name).suffix.lower()
    begun = (each.name for each in formats if each.beginning and each.beginning.match(head))
    if suffix not in LINES_SUFFIXES and (name := next(begun, None)) is not None:
        return name
    by_name = (each.name for each in formats if suffix in each.endings)
    if (name := next(by_name, None)) is not None:
        return name
    first, _, rest = head.partition("\n")
    fields = _fields(first)
    marked = [each for each in formats if each.marks and each.marks <= fields]
    if marked:
        return max(marked, key=lambda each: len(each.marks)).name
    is_lines = suffix in LINES_SUFFIXES or (first.startswith("{") and rest.lstrip().startswith("{"))
    if is_lines or (marks and marks <= fields):
        return _LINES
    starting = (each.name for each in formats if each.starts and first.startswith(each.starts))
    return next(starting, None)


def _fields(line: str) -> frozenset[str]:
    try:
        row = decode_line(line)
    except JsonError:
        return frozenset()
    return frozenset(row) if isinstance(row, dict) else frozenset()
