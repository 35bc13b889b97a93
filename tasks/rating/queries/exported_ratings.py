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
    "rater__pseudonym",
    "rater__user",
    "outcome_id",
    "slot_id",
    "is_set_aside",
    "seconds",
    "rated_at",
    "guideline__version",
    "wording",
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
    `guideline_version` and `comment` where they are known, `wording` where the form was not in the
    published words; `suggestion_arm` where it is, with `suggestion_view` (how the view ended) and
    `suggestion_seconds` where a suggestion was shown; and at its end `imported`, whether a file
    named the rater, who has no account. Comments stay inside the platform unless asked for.
    """
    protocol = campaign.annotation_protocol
    answers = {
        outcome.pk: _answers(protocol, outcome)
        for outcome in Outcome.objects.filter(protocol=campaign.protocol)
    }
    columns = ("item_id", *_RATING, *(["comment"] if with_comments else []))
    ratings = with_standing(current_ratings(campaign))
    found = ratings.order_by("item_id", "id").values_list(*columns)
    if campaign.reader and (seen := campaign.reader.votes_seen_until):
        found = found.filter(created_at__lte=seen)  # not what has come since that was noted
    rows = found.iterator(chunk_size=_CHUNK)
    while chunk := list(islice(rows, _CHUNK)):
        yield from _lines(chunk, _items({row[0] for row in chunk}), answers)


def _lines(
    chunk: Sequence[tuple[Any, ...]],
    items: Mapping[int, str],
    answers: Mapping[str, Mapping[str, Any]],
) -> Iterator[str]:
    for item_id, rater, user, outcome, slot, aside, seconds, rated_at, guideline, *more in chunk:
        wording, arm, view, shown_at, closed_at, *comment = more
        length = length_of(shown_at, closed_at) if view else None
        known = {
            "seconds": seconds,
            "created_at": rated_at and rated_at.isoformat(),
            "guideline_version": guideline,
            "wording": wording,
            "suggestion_arm": arm,
            "suggestion_view": length and length.ending,
            "suggestion_seconds": length and length.seconds,
            "comment": comment[0] if comment else None,
        }
        counted = {"counted": bool(slot) and not aside, **({"set_aside": True} if aside else {})}
        rating = {"rater": rater, **answers[outcome], **counted} | {
            name: value for name, value in known.items() if value not in _ABSENT
        }
        rating["imported"] = user is None
        yield f"{items[item_id]},{json_text(rating)[1:]}\n"


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
