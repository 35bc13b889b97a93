"""The format for doccano: items and their counted ratings together. It is read again by
`tomahto.interchange.formats.doccano`.

doccano (1.x: tutorial, "Import Data") wants JSONL with the columns `text` (not empty) and `label`
(a list of texts), keeps every other column as metadata, and gives it back when it exports. It calls
its own examples `id`, so the item's id is in `item_id`. Nothing in it says who labelled: it exports
a file for each annotator. So there is a line for each counted rating, with the rater beside it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.files.text_files import FormatFile, json_text
from tomahto.releases.formats.item_fields import item_fields
from tomahto.releases.records.records import ItemRecord, RatingRecord

_RATINGS_AT_ONCE = 2_000  # ratings; each says its passage twice


def doccano_files(dataset: Dataset) -> Iterator[FormatFile]:
    """`doccano/SPLIT.jsonl`; surplus ratings have no place in this format."""
    for split, items in dataset.items_by_split.items():
        size = int(items.labels.ratings.sum())
        yield FormatFile(f"doccano/{split}.jsonl", _doccano_lines(dataset, split), size)


def _doccano_lines(dataset: Dataset, split: str) -> Iterator[Iterable[str]]:
    ratings, questions = dataset.ratings_by_split[split], dataset.terms.answer_columns
    for group in ratings.where(ratings.rows["is_counted"]).groups(_RATINGS_AT_ONCE):
        places = group.rows["item"].tolist()
        starts = {
            place: _doccano_start(dataset.items.records[place]) for place in sorted(set(places))
        }
        yield (
            f"{starts[place]},{_doccano_end(rating, questions)}\n"
            for place, rating in zip(places, group, strict=True)
        )


def _doccano_start(item: ItemRecord) -> str:
    return json_text({"text": _shown_text(item), **item_fields(item)}).removesuffix("}")


def _shown_text(item: ItemRecord) -> str:
    lines = [f"Question: {item.question}"]
    lines += [f"Reference: {reference}" for reference in item.references]
    lines.append(f"Candidate: {item.candidate}")
    return "\n".join([*lines, "", item.context] if item.context else lines)


def _doccano_end(rating: RatingRecord, questions: Iterable[str]) -> str:
    fields: Mapping[str, Any] = {
        "label": [rating.label],
        "rater": rating.rater,
        **{key: rating.answers.get(key) for key in questions},
        "seconds": rating.seconds,
        "created_at": rating.rated_at and rating.rated_at.isoformat(),
    }
    return json_text(fields).removeprefix("{")
