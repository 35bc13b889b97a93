"""Text classification for doccano: JSONL with `text` and `label` (1.x: tutorial, "Import Data").

doccano wants the columns `text` (not empty) and `label` (a list of texts), keeps every other column
as metadata, and gives it back when it exports. It calls its own examples `id`, so the item's id is
in `item_id`. Nothing in it says who labelled: it exports a file for each annotator. So here is a
line for each counted rating, with the rater beside it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.files.json_lines import json_text
from tomahto.releases.formats.format_file import FormatFile
from tomahto.releases.formats.rated_items import item_fields
from tomahto.releases.records.records import ItemRecord, RatingRecord

_AT_ONCE = 2_000  # ratings; each says its passage twice


def doccano_files(dataset: Dataset) -> Iterator[FormatFile]:
    """`doccano/SPLIT.jsonl`; surplus ratings have no place in this format."""
    for split, items in dataset.items_by_split.items():
        size = sum(item.label.ratings for item in items)
        yield FormatFile(f"doccano/{split}.jsonl", _lines(dataset, split), size)


def _lines(dataset: Dataset, split: str) -> Iterator[Iterable[str]]:
    ratings, questions = dataset.ratings_by_split[split], dataset.terms.answer_columns
    for group in ratings.where(ratings.rows["is_counted"]).groups(_AT_ONCE):
        places = group.rows["item"].tolist()
        starts = {place: _start(dataset.items[place].record) for place in set(places)}
        yield (
            f"{starts[place]},{_end(rating, questions)}\n"
            for place, rating in zip(places, group, strict=True)
        )


def _start(item: ItemRecord) -> str:
    """What all ratings of the item have in common."""
    return json_text({"text": _shown(item), **item_fields(item)}).removesuffix("}")


def _shown(item: ItemRecord) -> str:
    """The item as the one text that doccano shows."""
    lines = [f"Question: {item.question}"]
    lines += [f"Reference: {reference}" for reference in item.references]
    lines.append(f"Candidate: {item.candidate}")
    return "\n".join([*lines, "", item.context] if item.context else lines)


def _end(rating: RatingRecord, questions: Iterable[str]) -> str:
    fields: Mapping[str, Any] = {
        "label": [rating.label],
        "rater": rating.rater,
        **{key: rating.answers.get(key) for key in questions},
        "seconds": rating.seconds,
        "created_at": rating.rated_at and rating.rated_at.isoformat(),
    }
    return json_text(fields).removeprefix("{")
