"""The format for Label Studio: items and their counted ratings together. It is read again by
`tomahto.interchange.formats.label_studio`.

Label Studio (documentation of 1.x: "Label Studio JSON format of annotated tasks", "Choices",
"TextArea") has tasks with `data` and `annotations`; an annotation has a `result` for each control
that was used, each with `from_name`, `to_name`, `type` and `value`. Without `ground_truth` an
imported annotation would be taken for the truth. `completed_by` must name a user of the instance,
or the import is refused, so the rater's pseudonym is in a control of its own, `rater`, which
exports give back.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree  # nosec B405 - writes XML, reads none

import numpy as np

from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.files.text_files import FormatFile, json_text
from tomahto.releases.formats.item_fields import item_fields
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import RatingRecord


class RatedItem(NamedTuple):
    item: ReleasedItem
    ratings: Ratings  # the counted ones, by rater


def rated_items(dataset: Dataset) -> Iterator[RatedItem]:
    """Every item, by id."""
    counted = dataset.ratings.where(dataset.ratings.rows["is_counted"])
    bounds = np.searchsorted(counted.rows["item"], np.arange(len(dataset.items) + 1)).tolist()
    for item, start, end in zip(dataset.items, bounds, bounds[1:], strict=False):
        yield RatedItem(item, counted[start:end])


CANDIDATE = "shown_candidate"  # the object that all controls are about
CHOICES, TEXT = "choices", "textarea"  # types of results
VALUE_FIELDS: Final = {
    CHOICES: "choices",
    TEXT: "text",
}  # where a result of the type has its values
RATER: Final = "rater"  # the control that says whose annotation it is
_SHOWN = (
    ("Question", "shown_question", "$question"),
    ("Context", "shown_context", "$context"),
    ("References", "shown_references", "$shown_references"),
    ("Candidate", CANDIDATE, "$candidate"),
)


@dataclass(frozen=True, slots=True)
class Control:
    """A question, or the label. Without choices it is answered with a text."""

    name: str
    choices: tuple[str, ...]
    is_multiple: bool = False

    def chosen(self, answer: str) -> list[str]:
        """The choices that a canonical answer is made of."""
        return answer.split("+") if self.is_multiple else [answer]


def controls(terms: Terms) -> Iterator[Control]:
    """One for each question in the order asked, and one for the label, which is a question or
    follows from the answers."""
    schemes = {scheme.key: scheme for scheme in terms.question_schemes}
    for key in terms.question_keys:
        if key == "label":
            continue
        if key in schemes:
            yield Control(key, schemes[key].values, schemes[key].is_multiple)
        else:
            yield Control(key, ())
    yield Control("label", terms.scheme.labels)


def labelling_config(terms: Terms) -> str:
    """The XML. Any question may stay open: a configuration cannot say all that a protocol does of
    when it is asked. The label is required."""
    view = ElementTree.Element("View")
    for title, name, value in _SHOWN:
        ElementTree.SubElement(view, "Header", value=title)
        ElementTree.SubElement(view, "Text", name=name, value=value)
    for control in controls(terms):
        ElementTree.SubElement(view, "Header", value=control.name)
        _add(view, control)
    ElementTree.SubElement(view, "Header", value=RATER)
    _add(view, Control(RATER, ()))
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def _add(view: ElementTree.Element, control: Control) -> None:
    place = {"name": control.name, "toName": CANDIDATE}
    if not control.choices:
        ElementTree.SubElement(view, "TextArea", place, maxSubmissions="1")
        return
    choice = "multiple" if control.is_multiple else "single"
    required = {"required": "true"} if control.name == "label" else {}
    choices = ElementTree.SubElement(view, "Choices", place, choice=choice, **required)
    for value in control.choices:
        ElementTree.SubElement(choices, "Choice", value=value)


TASKS = "label_studio/tasks.json"
CONFIG = "label_studio/config.xml"
_TASKS_AT_ONCE = 1_000  # tasks


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
    while group := list(islice(tasks, _TASKS_AT_ONCE)):
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
        "result": [*results, _result(RATER, TEXT, [rating.rater])],
        "was_cancelled": False,
        "ground_truth": False,
        "lead_time": rating.seconds,
        "created_at": rating.rated_at and rating.rated_at.isoformat(),
    }


def _result(name: str, form: str, values: list[str]) -> Mapping[str, Any]:
    return {
        "id": name,
        "from_name": name,
        "to_name": CANDIDATE,
        "type": form,
        "value": {VALUE_FIELDS[form]: values},
    }
