"""The answer to an item as a row gives it: a label, the protocol's own answers, or both."""

from collections.abc import Mapping, Sequence

from tomahto.interchange.reading.limits import MAX_NAME
from tomahto.interchange.reading.records import GivenAnswer
from tomahto.interchange.reading.row import Row, kind
from tomahto.interchange.reading.rows import Cell, choices_or_flag_cell, text_cell


def answer_cells(question_keys: Sequence[str]) -> Mapping[str, Cell]:
    """How CSV holds answers: true, yes, 1 and false, no, 0 in any case, a JSON array of texts, else
    text."""
    # the label is text also where it is what a question asks for
    return {**dict.fromkeys(question_keys, choices_or_flag_cell), "label": text_cell}


def given_answer(row: Row, question_keys: Sequence[str], label_field: str) -> GivenAnswer | None:
    """What the row answers, None if it answers nothing; its label stands under `label_field`."""
    label = row.optional_text(label_field, limit=MAX_NAME) or None
    answers = answers_to(row, question_keys)
    if label is None and all(answer is None for answer in answers.values()):
        return None
    return GivenAnswer(label, answers)


def answers_to(row: Row, question_keys: Sequence[str]) -> dict[str, bool | str | None]:
    """What the row has under each of the questions' names, as read."""
    return {key: _answer(row, key) for key in question_keys if key in row.values}


def _answer(row: Row, key: str) -> bool | str | None:
    """Several choices as the protocol joins them, whether they come as a list or joined."""
    value = row.values[key]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list):
        return "+".join(row.texts(key, limit=MAX_NAME)) or None
    if not isinstance(value, str):
        raise row.error(f"must be true, false, text, a list or null, not {kind(value)}", key)
    return row.text_or_empty(key)
