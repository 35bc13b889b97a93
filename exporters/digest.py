"""The digest of a release: the same for the same content, whatever wrote or stored it."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from exporters.dataset import Dataset, ReleasedItem
from exporters.records import RatingRecord

_FORMAT = "tomahto release content 1"
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def content_digest(dataset: Dataset) -> str:
    """SHA-256, as 64 hexadecimal digits, of the content as lines of canonical JSON.

    The first line holds the terms, then follows a line for each item by id, then a line for each
    rating by item id and rater. Each line is UTF-8 without blanks, its keys sorted, and ends in
    a line feed. Not part of it: names, version and time of the release, file formats, and what
    only the platform that took a rating can know of it (guideline version, suggestion shown), so
    that a release imported elsewhere and released again keeps its digest.
    """
    digest = hashlib.sha256()
    for line in _lines(dataset):
        digest.update(_ENCODER.encode(line).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _lines(dataset: Dataset) -> Iterator[dict[str, Any]]:
    yield _terms(dataset)
    for item in dataset.items:
        yield _item(item)
    for rating in dataset.ratings:
        yield _rating(rating, dataset.answer_columns)


def _terms(dataset: Dataset) -> dict[str, Any]:
    terms = dataset.terms
    return {
        "format": _FORMAT,
        "protocol": terms.protocol,
        "labels": list(terms.scheme.labels),
        "ranks": [float(rank) for rank in terms.scheme.ranks],
        "level": terms.scheme.level,
        "questions": list(terms.question_keys),
        "split_by": terms.spec.by,
        "shares": {name: float(share) for name, share in terms.spec.shares.items()},
        "seed": terms.seed,
    }


def _item(item: ReleasedItem) -> dict[str, Any]:
    record = item.record
    return {
        "id": record.id,
        "document": record.document,
        "question_id": record.question_id,
        "question_type": record.question_type,
        "question": record.question,
        "context": record.context,
        "references": record.references,
        "reference_index": record.reference_index,
        "candidate": record.candidate,
        "systems": record.systems,
        "split": item.split,
        "label": item.label.label,
        "votes": item.label.votes,
    }


def _rating(rating: RatingRecord, keys: tuple[str, ...]) -> dict[str, Any]:
    return {
        "id": rating.item_id,
        "rater": rating.rater,
        "label": rating.label,
        "answers": {key: rating.answers[key] for key in keys if key in rating.answers},
        "counted": rating.counted,
        "seconds": None if rating.seconds is None else float(rating.seconds),
        "created_at": None if rating.rated_at is None else rating.rated_at.isoformat(),
    }
