"""Tasks with annotations for Label Studio (documentation of 1.x: "Label Studio JSON format of
annotated tasks", "Choices", "TextArea").

A task has `data` and `annotations`; an annotation has a `result` for each control that was used,
each with `from_name`, `to_name`, `type` and `value`. Without `ground_truth` an imported annotation
would be taken for the truth. `completed_by` must name a user of the instance, or the import is
refused, so the rater's pseudonym is in a control of its own, `rater`, which exports give back.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, repeat
from typing import Any

from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.files.json_lines import json_text
from tomahto.releases.formats.format_file import FormatFile
from tomahto.releases.formats.label_studio_config import (
    CANDIDATE,
    CHOICES,
    TEXT,
    controls,
    labelling_config,
)
from tomahto.releases.formats.rated_items import RatedItem, item_fields, rated_items
from tomahto.releases.records.records import RatingRecord

TASKS = "label_studio/tasks.json"
CONFIG = "label_studio/config.xml"
_AT_ONCE = 1_000  # tasks


def label_studio_files(dataset: Dataset) -> Iterator[FormatFile]:
    """The tasks of all splits, which the data of a task name, and the configuration they fit.

    Surplus ratings have no place in this format.
    """
    yield FormatFile(TASKS, _tasks(dataset))
    yield FormatFile(CONFIG, iter([[labelling_config(dataset.terms)]]))


def _tasks(dataset: Dataset) -> Iterator[Iterable[str]]:
    marks = chain(("[\n",), repeat(",\n"))
    tasks = (
        f"{mark}{json_text(_task(rated, dataset.terms))}"
        for rated, mark in zip(rated_items(dataset), marks, strict=False)
    )
    while group := list(islice(tasks, _AT_ONCE)):
        yield group
    yield ["\n]\n"]


def _task(rated: RatedItem, terms: Terms) -> Mapping[str, Any]:
    item = rated.item
    shown = "\n".join(item.record.references)
    return {
        "data": {
            **item_fields(item.record),
            "shown_references": shown,
            "splits": list(item.splits),
        },
        "annotations": [_annotation(rating, terms) for rating in rated.ratings],
    }


def _annotation(rating: RatingRecord, terms: Terms) -> Mapping[str, Any]:
    given = {**rating.answers, "label": rating.label}
    results = [
        _result(control.name, CHOICES, control.chosen(given[control.name]))
        if control.choices
        else _result(control.name, TEXT, [given[control.name]])
        for control in controls(terms)
        if control.name in given
    ]
    return {
        "result": [*results, _result("rater", TEXT, [rating.rater])],
        "was_cancelled": False,
        "ground_truth": False,
        "lead_time": rating.seconds,
        "created_at": rating.rated_at and rating.rated_at.isoformat(),
    }


def _result(name: str, kind: str, values: list[str]) -> Mapping[str, Any]:
    """The values stand under the name of the control's type, those of a text area under `text`."""
    field = "text" if kind == TEXT else kind
    return {
        "id": name,
        "from_name": name,
        "to_name": CANDIDATE,
        "type": kind,
        "value": {field: values},
    }
