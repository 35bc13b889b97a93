"""The digest of a release: the same for the same content, whatever wrote or stored it."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields
from operator import attrgetter
from typing import Any

from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.dataset.released_items import ReleasedItems
from tomahto.releases.files.tables import ROW_GROUP, answer_values, rating_values
from tomahto.releases.files.text_files import Fragments, fragments, json_lines, json_text
from tomahto.releases.records.columns import (
    ANSWER_COLUMNS,
    COMMENT,
    OPTIONAL_ITEM_COLUMNS,
    Kind,
    item_columns,
)
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import AdjudicationRecord, AnswerRecord, ItemRecord, SplitSpec
from tomahto.votes.remarks import TYPED

_OF_RECORDS = frozenset(field.name for field in fields(ItemRecord))
_OPTIONAL = frozenset(column.name for column in OPTIONAL_ITEM_COLUMNS)
_FORMAT = "tomahto release content 1"
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def content_digest(dataset: Dataset) -> str:
    """SHA-256, as 64 hexadecimal digits, of the content as lines of canonical JSON.

    The first line holds the terms, then follows a line for each item by id, a line for each rating
    by item id and rater, a line for each adjudication by item id and adjudicator, and a line for
    each answer by question, system and text, with the columns of its table. Each line is UTF-8
    without blanks, its keys sorted, and ends in a line feed. The terms name the choice of label if
    it is not the majority, and the selection if something was to be left out; they say so if
    comments are released, and ratings then have theirs. Items say which split their source has
    them in, what a model was asked to write, and which references of their questions nothing else
    names, if that is known of any.

    Not part of it: names, version and time of the release, file formats, what follows from items
    and ratings (confidence, F1 and the estimates of Dawid and Skene, whose last digits depend on
    the machine), and what the platform that took a rating knows of how its rater was asked
    (guideline version, suggestion shown, wording) and of why it does not count (set aside), so that
    a release imported elsewhere and released again keeps its digest.
    """
    digest = hashlib.sha256()
    for lines in _lines(dataset):
        digest.update("".join(lines).encode())
    return digest.hexdigest()


def _lines(dataset: Dataset) -> Iterator[Iterable[str]]:
    yield [f"{_ENCODER.encode(_terms(dataset))}\n"]
    shown = {"source_split": any(item.source_split for item in dataset.items.records)}
    shown |= {name: name in dataset.optional_columns for name in _OPTIONAL}
    for items in dataset.items.groups(ROW_GROUP):
        yield json_lines(_items(items, shown))
    terms = dataset.terms
    said = dataset.optional_columns | ({COMMENT.name} if terms.has_comments else set())
    for ratings in dataset.ratings.groups(ROW_GROUP):
        yield json_lines(_ratings(ratings, terms, said))
    for each in dataset.adjudications:
        yield [f"{_ENCODER.encode(_adjudication(each))}\n"]
    told = {record.question_id for record in dataset.items.records if dataset.answers}
    for start in range(0, len(dataset.answers), ROW_GROUP):
        yield json_lines(_answers(dataset.answers[start : start + ROW_GROUP], told))


def _terms(dataset: Dataset) -> dict[str, Any]:
    terms = dataset.terms
    choice = {} if terms.choice == "majority" else {"label_choice": terms.choice}
    comments = {"comments": True} if terms.has_comments else {}
    return {
        "format": _FORMAT,
        "protocol": terms.protocol,
        "labels": list(terms.scheme.labels),
        "ranks": [float(rank) for rank in terms.scheme.ranks],
        "level": terms.scheme.level,
        "questions": list(terms.question_keys),
        "seed": terms.seed,
        **_split(terms.spec),
        **choice,
        **comments,
        **({"selection": terms.selection.as_json()} if terms.selection.filters else {}),
    }


def _split(spec: SplitSpec) -> dict[str, Any]:
    """The values that decide the splits. That leaks are reported decides nothing."""
    shares = {name: float(share) for name, share in spec.shares.items()}
    systems = {"systems": spec.systems, "omits_others": spec.omits_others}
    predefined = {"splits": sorted(spec.predefined), "omits_others": spec.omits_others}
    return {
        "split_by": spec.by,
        "shares": shares,
        **({"stratified": True} if spec.stratified else {}),
        **({"kept": list(spec.kept)} if spec.kept else {}),
        **(systems if spec.systems else {}),
        **(predefined if spec.predefined else {}),
    }


def _items(items: ReleasedItems, shown: Mapping[str, bool]) -> Mapping[str, Fragments]:
    """Keys sorted, as everywhere in the digest; `shown` are columns that may be left out."""
    records = list(items.records)
    columns = {
        column.name: fragments(column.kind, list(map(attrgetter(column.name), records)))
        for column in item_columns(_OPTIONAL)
        if column.name in _OF_RECORDS and shown.get(column.name, True)
    }
    columns |= {
        "label": fragments("label", items.labels.each("label")),
        "split": fragments("text", items.each_split()),
        "votes": [json_text(outcome.votes) for outcome in items.labels.each_outcome()],
    }
    return dict(sorted(columns.items()))


def _ratings(ratings: Ratings, terms: Terms, shown: Set[str]) -> Mapping[str, Fragments]:
    keys = terms.answer_columns
    kinds: Mapping[str, Kind] = {
        "counted": "flag",
        "created_at": "time",
        "id": "text",
        "label": "label",
        "rater": "text",
        "seconds": "number",
        **{remark.name: "text" for remark in TYPED if remark.name in shown},
    }
    answer_sets = [
        _ENCODER.encode({key: answers[key] for key in keys if key in answers})
        for answers in ratings.answer_sets
    ]
    columns = {
        "answers": [answer_sets[place] for place in ratings.rows["answers"].tolist()],
        **{name: fragments(kind, rating_values(ratings, name)) for name, kind in kinds.items()},
    }
    return dict(sorted(columns.items()))


def _answers(answers: Sequence[AnswerRecord], told: Set[str]) -> Mapping[str, Fragments]:
    kinds: dict[str, Kind] = {column.name: column.kind for column in ANSWER_COLUMNS}
    kinds["split"] = "text"
    splits = {"split": ["+".join(answer.splits) for answer in answers]}
    columns = {**answer_values(answers, told), **splits}
    return {name: fragments(kinds[name], columns[name]) for name in sorted(columns)}


def _adjudication(each: AdjudicationRecord) -> dict[str, Any]:
    return {
        "id": each.item_id,
        "adjudicator": each.adjudicator,
        "label": each.label,
        "first_label": each.first_label,
    }
