"""The formats of CAP's two datasets, with their fields as the paper names them. They are read again
by `tomahto.interchange.formats.cap`.

CAP-Correctness holds [question, gold answer, candidate answer, correctness label] (CAP §5.1 and
App. B.3), CAP-Statements [question, answer, statement] (§5.1), as the JSON objects of App. B.5.1.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.files.tables import ROW_GROUP
from tomahto.releases.files.text_files import FormatFile, json_text
from tomahto.releases.records.records import ItemRecord
from tomahto.text.normalisation import joined_names

GOLD_ANSWER: Final = "gold_answer"
OTHER_GOLD_ANSWERS: Final = "other_gold_answers"
CANDIDATE_ANSWER: Final = "candidate_answer"
CORRECTNESS_LABEL: Final = "correctness_label"
SYNTHETIC_LABEL: Final = "synthetic_label"


def cap_correctness_files(dataset: Dataset) -> Iterator[FormatFile]:
    """`cap_correctness/SPLIT.jsonl`, a line for each item.

    CAP knows one gold answer: the first reference. An item's label is of all its references, so the
    others follow in `other_gold_answers`. `id` is that of the item, `system` whose answer it is as
    `systems_answering` says, several by `joined_names`. Where candidates were written for a class,
    it is their `synthetic_label`, empty for the others. `label_source` is what the label is, `tie`
    where it was drawn by lot.
    """
    systems = systems_answering(dataset.items.records)

    def line(item: ReleasedItem) -> Mapping[str, Any]:
        return {**_correctness(item), "system": joined_names(systems[item.record.id])}

    return _cap_files(dataset, "cap_correctness", _with_source(line), _synthetic)


def cap_statements_files(dataset: Dataset) -> Iterator[FormatFile]:
    """`cap_statements/SPLIT.jsonl`, a line for each statement that was validated.

    Beside the triple are the item's id, the question's type (Tab. 8; empty where none was given)
    and the label of the validation (Tab. 10): only those labelled `correct` are examples to learn
    from. Where statements were generated, their `subject` is there too (Fig. 7); `label_source` as
    above.
    """
    return _cap_files(dataset, "cap_statements", _with_source(_statement), _subject)


def cap_correctness_files_0_1_0(dataset: Dataset) -> Iterator[FormatFile]:
    """As that version wrote them: without `label_source`, and a `system` only of answers beside
    generated ones, names with a "+" as they are."""
    return _cap_files(dataset, "cap_correctness", _correctness, _synthetic_0_1_0)


def cap_statements_files_0_1_0(dataset: Dataset) -> Iterator[FormatFile]:
    """As that version wrote them: without `label_source`."""
    return _cap_files(dataset, "cap_statements", _statement, _subject)


def _correctness(item: ReleasedItem) -> Mapping[str, Any]:
    record = item.record
    return {
        "id": record.id,
        "question": record.question,
        GOLD_ANSWER: _first(record.references),
        OTHER_GOLD_ANSWERS: list(record.references[1:]),
        CANDIDATE_ANSWER: record.candidate,
        CORRECTNESS_LABEL: item.label.label,
    }


def _statement(item: ReleasedItem) -> Mapping[str, Any]:
    record = item.record
    return {
        "id": record.id,
        "question": record.question,
        "answer": _first(record.references),
        "statement": record.candidate,
        "question_type": record.question_type,
        "label": item.label.label,
    }


def _synthetic(item: ReleasedItem) -> Mapping[str, Any]:
    return {SYNTHETIC_LABEL: item.record.intended}


def _synthetic_0_1_0(item: ReleasedItem) -> Mapping[str, Any]:
    intended, systems = item.record.intended, item.record.systems
    return {SYNTHETIC_LABEL: intended, "system": "" if intended else "+".join(systems)}


def _subject(item: ReleasedItem) -> Mapping[str, Any]:
    return {"subject": subject_of(item.record)}


def subject_of(record: ItemRecord) -> str:
    """Of a generated statement, which was intended to be SUBJECT/TYPE."""
    return record.intended.rpartition("/")[0]


def systems_answering(records: Collection[ItemRecord]) -> dict[str, tuple[str, ...]]:
    """By item's id the systems that answered so.

    One that was written for a class is an answer only of systems that have items which were not,
    and no other answer to its question: the others wrote it.
    """
    answering = {name for one in records if not one.intended for name in one.systems}
    answers = Counter((name, one.question_id) for one in records for name in one.systems)
    return {
        one.id: tuple(
            name
            for name in one.systems
            if not one.intended or (name in answering and answers[name, one.question_id] == 1)
        )
        for one in records
    }


def _first(references: Sequence[str]) -> str | None:
    return references[0] if references else None


_Fields = Callable[[ReleasedItem], Mapping[str, Any]]


def _with_source(fields: _Fields) -> _Fields:
    def line(item: ReleasedItem) -> Mapping[str, Any]:
        return {**fields(item), "label_source": item.label.source}

    return line


def _cap_files(
    dataset: Dataset, folder: str, fields: _Fields, generated: _Fields
) -> Iterator[FormatFile]:
    """`generated` are the fields that only a release with generated texts has."""

    def line(item: ReleasedItem) -> Mapping[str, Any]:
        return {**fields(item), **(generated(item) if dataset.has_intended else {})}

    for split, items in dataset.items_by_split.items():
        yield FormatFile(f"{folder}/{split}.jsonl", _cap_lines(items, line), len(items))


def _cap_lines(items: Sequence[ReleasedItem], fields: _Fields) -> Iterator[Iterable[str]]:
    for start in range(0, len(items), ROW_GROUP):
        yield (f"{json_text(fields(item))}\n" for item in items[start : start + ROW_GROUP])
