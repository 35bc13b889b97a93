"""The public file format of answer equivalence data (Bulian et al. 2022): one line per rating."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from exporters.dataset import Dataset, ReleasedItem
from exporters.folder import NewFolder
from exporters.records import RatingRecord
from exporters.table_files import ROW_GROUP, json_line

QUESTIONS = ("q1", "q2", "q3", "q4")


def write_ae_format(folder: NewFolder, dataset: Dataset) -> None:
    """Write `ae/SPLIT.jsonl`; surplus ratings have no place in this format."""
    for split, items in dataset.items_by_split.items():
        size = sum(item.label.ratings for item in items)
        with folder.open(f"ae/{split}.jsonl", size) as file:
            rows = ae_rows(dataset, split)
            while group := list(islice(rows, ROW_GROUP)):
                file.write("".join(map(json_line, group)).encode())


def ae_rows(dataset: Dataset, split: str) -> Iterator[dict[str, Any]]:
    """The counted ratings of a split. `score` is the mean equivalence of the item's ratings."""
    items = {item.record.id: item for item in dataset.items_by_split[split]}
    equivalent = dataset.terms.scheme.index_of["equivalent"]
    for rating in dataset.ratings_by_split[split]:
        if rating.counted:
            yield _row(items[rating.item_id], rating, equivalent)


def _row(item: ReleasedItem, rating: RatingRecord, equivalent: int) -> dict[str, Any]:
    record, label = item.record, item.label
    answers = {
        f"question_{number}": rating.answers.get(key, "undefined")
        for number, key in enumerate(QUESTIONS, start=1)
    }
    return {
        "qid": record.question_id,
        "context": record.context,
        "question": record.question,
        "reference": record.references[0],
        "candidate": record.candidate,
        "gold_index": record.reference_index,
        "score": label.votes[equivalent] / label.ratings,
        **answers,
    }
