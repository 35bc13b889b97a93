"""Items: a question, its references and one candidate, and the answers that rows give to them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from tomahto.interchange.campaigns.questions import source_split
from tomahto.interchange.reading.records import (
    MAX_CONTEXT,
    MAX_INTENDED,
    MAX_NAME,
    MAX_TEXT,
    MAX_TYPE,
    GivenAnswer,
    ItemRow,
)
from tomahto.interchange.reading.row import Row, json_type
from tomahto.interchange.reading.rows import (
    Cell,
    choices_or_flag_cell,
    empty_text_cell,
    list_cell,
    number_cell,
    text_cell,
)
from tomahto.interchange.table import RecordKind


def answer_cells(question_keys: Sequence[str]) -> Mapping[str, Cell]:
    """The notation of answers in CSV: true, yes, 1 and false, no, 0 in any case, a JSON array of
    texts, else text."""
    # the label is text also where it is what a question asks for
    return {**dict.fromkeys(question_keys, choices_or_flag_cell), "label": text_cell}


def given_answer(row: Row, question_keys: Sequence[str], label_field: str) -> GivenAnswer | None:
    """The row's answers, None if it answers nothing; its label stands under `label_field`."""
    label = row.optional_text(label_field, limit=MAX_NAME) or None
    answers = answers_to(row, question_keys)
    if label is None and all(answer is None for answer in answers.values()):
        return None
    return GivenAnswer(label, answers)


def answers_to(row: Row, question_keys: Sequence[str]) -> dict[str, bool | str | None]:
    """The row's values under the names of the questions, as read."""
    return {key: _answer(row, key) for key in question_keys if key in row.values}


def _answer(row: Row, key: str) -> bool | str | None:
    """Several choices as the protocol joins them, whether they come as a list or joined."""
    value = row.values[key]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list):
        return "+".join(row.texts(key, limit=MAX_NAME)) or None
    if not isinstance(value, str):
        raise row.error(f"must be true, false, text, a list or null, not {json_type(value)}", key)
    return row.text_or_empty(key)


ITEM_REFERENCE_NAMES: Final = ("references", "reference")
_SYSTEM_NAMES: Final = ("systems", "system")
_UNRATED: Final = "unrated_references"
_PURPOSES: Final = ("live", "calibration", "control")

ITEM_CELLS: Final[dict[str, Cell]] = {
    **dict.fromkeys((*ITEM_REFERENCE_NAMES, *_SYSTEM_NAMES, _UNRATED), list_cell),
    "candidate": empty_text_cell,
    "reference_index": number_cell,
}


def item_of(row: Row) -> ItemRow:
    """The item that a row of JSON lines or CSV describes in full."""
    references = dict.fromkeys(row.texts(*ITEM_REFERENCE_NAMES))
    if not references:
        raise row.error("is empty: an item must have a reference", "references")
    return ItemRow(
        source=row.source,
        id=row.optional_name("id", "item_id"),
        question_key=row.optional_name("question_id", "qid"),
        document=row.optional_name("document"),
        question=row.text("question"),
        context=row.optional_text("context", limit=MAX_CONTEXT),
        references=tuple(references),
        candidate=row.text_or_empty("candidate"),
        systems=tuple(row.names(*_SYSTEM_NAMES)) if row.field_of(*_SYSTEM_NAMES) else (),
        reference_index=row.optional_position("reference_index"),
        question_type=row.optional_name("question_type", limit=MAX_TYPE) or "",
        split=source_split(row),
        intended=row.optional_name("intended", limit=MAX_INTENDED) or "",
        unrated_references=tuple(row.texts(_UNRATED)) if row.field_of(_UNRATED) else (),
    )


def _item(row: Row, question_keys: Sequence[str]) -> ItemRow:
    """The item with what it is there for and, unless it is live, what is expected of it."""
    item = item_of(row)
    purpose = row.optional_text("purpose", limit=MAX_NAME) or "live"
    if purpose not in _PURPOSES:
        raise row.error(f"{purpose!r:.40} is not one of {', '.join(_PURPOSES)}", "purpose")
    if purpose == "live":
        if row.optional_text("expected"):
            raise row.error("is for calibration and control items; this one is live", "expected")
        return item
    label_field = row.field_of("expected", "label") or "expected"
    expected = given_answer(row, question_keys, label_field)
    if expected is None:
        raise row.error(f"is missing: a {purpose} item must have an expected answer", "expected")
    explanation = row.optional_text("explanation", limit=MAX_TEXT)
    return replace(item, purpose=purpose, expected=expected, explanation=explanation)


_ITEMS: Final = RecordKind(
    name="items",
    record=_item,
    line_fields=frozenset({"question", "candidate"}),
    columns=(("question",), ITEM_REFERENCE_NAMES, ("candidate",)),
    cells=lambda keys: {**answer_cells(keys), **ITEM_CELLS},
)
read_items: Final = _ITEMS.read
"""JSON lines and CSV have the fields id, question_id (or qid), document, question, context,
references (or reference), candidate, systems (or system), reference_index, question_type, split (or
source_split), intended, unrated_references, purpose (live, calibration or control), expected and
explanation, of which question, references and candidate must be there.

A calibration or control item has an expected answer: a label under `expected`, or, as in files of
ratings, a label and answers under the protocol's `question_keys`. A live item has none; its label
and answers, if the file has any, are ratings and not read here.

An AE file has a line per rating: its items repeat. In Label Studio's tasks and doccano's lines,
which cannot be told from others, the fields are where `fields` says.
"""
