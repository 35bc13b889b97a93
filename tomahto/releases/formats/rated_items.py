"""Items with their counted ratings, for formats that hold the two together."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import ItemRecord


class RatedItem(NamedTuple):
    item: ReleasedItem
    ratings: Ratings  # the counted ones, by rater


def rated_items(dataset: Dataset) -> Iterator[RatedItem]:
    """Every item, by id."""
    counted = dataset.ratings.where(dataset.ratings.rows["is_counted"])
    bounds = np.searchsorted(counted.rows["item"], np.arange(len(dataset.items) + 1)).tolist()
    for item, start, end in zip(dataset.items, bounds, bounds[1:], strict=False):
        yield RatedItem(item, counted[start:end])


def item_fields(item: ItemRecord) -> Mapping[str, Any]:
    """An item under the names by which our importers know its fields, its id as `item_id`: other
    tools have an `id` of their own."""
    unrated = item.unrated_references
    return {
        "item_id": item.id,
        "document": item.document,
        "question_id": item.question_id,
        "question_type": item.question_type,
        "question": item.question,
        "context": item.context,
        "references": list(item.references),
        "reference_index": item.reference_index,
        "candidate": item.candidate,
        "systems": list(item.systems),
        **({"unrated_references": list(unrated)} if unrated else {}),
    }
