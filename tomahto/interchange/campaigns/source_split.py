"""The split that a source has a question in, as a row or a user names it."""

from dataclasses import replace
from typing import Final

from tomahto.interchange.reading.limits import MAX_SPLIT_NAME
from tomahto.interchange.reading.records import QuestionRecord
from tomahto.interchange.reading.row import Row
from tomahto.releases.dataset.split_spec import SplitError, check_split_name

_NAMES: Final = ("split", "source_split")  # the second is the column of our own releases


def source_split(row: Row) -> str:
    """The split of the row's question, "" if it names none."""
    name = row.name_of(*_NAMES)
    if name is None:
        return ""
    split = row.optional_text(name, limit=MAX_SPLIT_NAME)
    if split:
        try:
            check_split_name(split)
        except SplitError as error:
            raise row.error(str(error), name) from None
    return split


def in_split(question: QuestionRecord, split: str) -> QuestionRecord:
    """The question of a file that is all of one split. Raises InputError if it says another."""
    if question.split not in ("", split):
        message = f"is {question.split!r}, but the file is said to be {split!r}"
        raise question.source.error(message, "split")
    return replace(question, split=split)
