"""The ratings of a campaign as they stand, line by line: what `import_ratings` reads back.

A release is for others; this is for those who work in the campaign and want the ratings now. One
query reads the ratings, so they are of one moment.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from exporters.json_lines import json_text
from tasks.models import Campaign, ItemSystem
from tasks.protocols.definition import AnnotationProtocol, Outcome
from tasks.queries.ratings import current_ratings

_CHUNK = 2000
_ITEM = {
    "id": "item__key",
    "document": "item__question__document__key",
    "question_id": "item__question__key",
    "question": "item__question__text",
    "context": "item__question__context",
    "references": "item__references",
    "candidate": "item__candidate",
    "reference_index": "item__reference_index",
    "question_type": "item__question__question_type",
    "split": "item__question__split",
}
_RATING = ("rater__pseudonym", "outcome_id", "slot_id", "seconds", "rated_at", "guideline__version")
_ABSENT = (None, "")  # fields that say nothing are left out


def rating_lines(campaign: Campaign, *, with_comments: bool = False) -> Iterator[str]:
    """Every current rating as a JSON line, surplus ones included, by item and in order of time.

    A line has the item's fields, `rater` (the pseudonym), `label`, the protocol's answers,
    `counted`, and `seconds`, `created_at`, `guideline_version` and `comment` where they are known.
    Comments stay inside the platform unless asked for.
    """
    protocol = campaign.annotation_protocol
    answers = {outcome.id: _answers(protocol, outcome) for outcome in protocol.outcomes}
    columns = ("item_id", *_ITEM.values(), *_RATING, *(["comment"] if with_comments else []))
    found = current_ratings(campaign).order_by("item_id", "id").values_list(*columns)
    rows = found.iterator(chunk_size=_CHUNK)
    while chunk := list(islice(rows, _CHUNK)):
        yield from _lines(chunk, answers)


def _lines(
    chunk: Sequence[tuple[Any, ...]], answers: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    systems = _systems(chunk)
    shown, start = -1, ""
    for row in chunk:
        item_id, own = row[0], row[1 + len(_ITEM) :]
        if item_id != shown:
            shown, start = item_id, _item(row, systems[item_id])
        rater, outcome, slot, seconds, rated_at, guideline, *comment = own
        known = {
            "seconds": seconds,
            "created_at": rated_at and rated_at.isoformat(),
            "guideline_version": guideline,
            "comment": comment[0] if comment else None,
        }
        rating = {"rater": rater, **answers[outcome], "counted": slot is not None} | {
            name: value for name, value in known.items() if value not in _ABSENT
        }
        yield f"{start},{json_text(rating)[1:]}\n"


def _item(row: Sequence[Any], systems: Sequence[str]) -> str:
    """The item's fields as a JSON object that is still open: its ratings share them."""
    values = zip(_ITEM, row[1:], strict=False)
    fields = {name: value for name, value in values if value not in _ABSENT or name == "candidate"}
    return json_text(fields | {"systems": sorted(systems)})[:-1]


def _systems(chunk: Sequence[tuple[Any, ...]]) -> Mapping[int, list[str]]:
    """The systems of each item of the chunk."""
    named: dict[int, list[str]] = defaultdict(list)
    links = ItemSystem.objects.filter(item__in={row[0] for row in chunk})
    for item, system in links.values_list("item_id", "system__name"):
        named[item].append(system)
    return named


def _answers(protocol: AnnotationProtocol, outcome: Outcome) -> Mapping[str, Any]:
    """Label and answers of an outcome as a file of ratings has them."""
    yes_no = {question.key for question in protocol.questions if question.is_yes_no}
    given = {
        key: value == "yes" if key in yes_no else value for key, value in outcome.answers.items()
    }
    return {"label": outcome.label, **given}
