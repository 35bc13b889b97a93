"""The ratings of a campaign as they stand, line by line: what `import_ratings` reads back.

A release is for others; this is for those who work in the campaign and want the ratings now. One
query reads the ratings, so they are of one moment.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import Any

from tasks.models import Campaign, Item, ItemSystem, Outcome
from tasks.models.suggestion import length_of
from tasks.protocols.definition import AnnotationProtocol
from tasks.votes.ratings import current_ratings, with_standing
from tomahto.releases.files.text_files import json_text
from tomahto.votes.remarks import PRIVATE, PUBLIC

_CHUNK = 2000
_ITEM = {
    "id": "key",
    "document": "question__document__key",
    "question_id": "question__key",
    "question": "question__text",
    "context": "question__context",
    "references": "references",
    "candidate": "candidate",
    "reference_index": "reference_index",
    "question_type": "question__question_type",
    "split": "question__split",
}
_RATING = (
    "item_id",
    "rater__pseudonym",
    "rater__user",
    "outcome_id",
    "slot_id",
    "is_set_aside",
    "seconds",
    "rated_at",
    "guideline__version",
    "suggestion_arm",
    "assignment__suggestion_view",
    "assignment__suggestion_view__shown_at",
    "assignment__suggestion_view__closed_at",
)
_ABSENT = (None, "")  # fields that say nothing are left out


def rating_lines(campaign: Campaign, *, with_comments: bool = False) -> Iterator[str]:
    """Every current rating as a JSON line, surplus ones included, by item and in order of time.

    A line has the item's fields, `rater` (the pseudonym), `label`, the protocol's answers,
    `counted`, `set_aside` (true) where an admin has set it aside, and `seconds`, `created_at`,
    `guideline_version` and remarks where they are known; `suggestion_arm` where it is, with
    `suggestion_view` (how the view ended) and `suggestion_seconds` where a suggestion was shown;
    and at its end `imported`, whether a file named the rater, who has no account. Private remarks,
    such as comments, stay inside the platform unless asked for.
    """
    protocol = campaign.annotation_protocol
    answers = {
        outcome.pk: _answers(protocol, outcome)
        for outcome in Outcome.objects.filter(protocol=campaign.protocol)
    }
    private = [remark.name for remark in PRIVATE] if with_comments else []
    ratings = with_standing(current_ratings(campaign))
    columns = (*_RATING, *(remark.name for remark in PUBLIC), *private)
    found = ratings.order_by("item_id", "id").values(*columns)
    if campaign.reader and (seen := campaign.reader.votes_seen_until):
        found = found.filter(created_at__lte=seen)  # not what has come since that was noted
    rows = found.iterator(chunk_size=_CHUNK)
    while chunk := list(islice(rows, _CHUNK)):
        items = _items({row["item_id"] for row in chunk})
        for row in chunk:
            rating = _rating(row, answers[row["outcome_id"]])
            yield f"{items[row['item_id']]},{json_text(rating)[1:]}\n"


def _rating(row: Mapping[str, Any], answers: Mapping[str, Any]) -> dict[str, Any]:
    view, is_set_aside = "assignment__suggestion_view", row["is_set_aside"]
    length = length_of(row[f"{view}__shown_at"], row[f"{view}__closed_at"]) if row[view] else None
    known = {
        "seconds": row["seconds"],
        "created_at": row["rated_at"] and row["rated_at"].isoformat(),
        "guideline_version": row["guideline__version"],
        **{remark.name: row[remark.name] for remark in PUBLIC},
        "suggestion_arm": row["suggestion_arm"],
        "suggestion_view": length and length.ending,
        "suggestion_seconds": length and length.seconds,
        **{remark.name: row.get(remark.name) for remark in PRIVATE},
    }
    return {
        "rater": row["rater__pseudonym"],
        **answers,
        "counted": bool(row["slot_id"]) and not is_set_aside,
        **({"set_aside": True} if is_set_aside else {}),
        **{name: value for name, value in known.items() if value not in _ABSENT},
        "imported": row["rater__user"] is None,
    }


def _items(ids: Set[int]) -> Mapping[int, str]:
    """The fields of these items, each a JSON object that is still open: an item's ratings share it.

    Asked for by id: between two rated items of a large campaign may lie many that nobody rated.
    """
    systems: dict[int, list[str]] = defaultdict(list)
    links = ItemSystem.objects.filter(item__in=ids)
    for item, system in links.values_list("item_id", "system__name"):
        systems[item].append(system)
    found = Item.objects.filter(pk__in=ids).values_list("pk", *_ITEM.values())
    return {item: _item(values, systems[item]) for item, *values in found}


def _item(values: Sequence[Any], systems: Sequence[str]) -> str:
    given = zip(_ITEM, values, strict=True)
    fields = {name: value for name, value in given if value not in _ABSENT or name == "candidate"}
    return json_text(fields | {"systems": sorted(systems)})[:-1]


def _answers(protocol: AnnotationProtocol, outcome: Outcome) -> Mapping[str, Any]:
    yes_no = {question.key for question in protocol.questions if question.is_yes_no}
    given = {
        key: value == "yes" if key in yes_no else value for key, value in outcome.answers.items()
    }
    return {"label": outcome.label, **given}
