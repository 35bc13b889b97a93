"""The ratings of a campaign as they stand, line by line: what `import_ratings` reads back.

A release is for others; this is for those who work in the campaign and want the ratings now. They
are read some items at a time, all at one moment. Lines are made column by column, as those of a
release are (`tomahto.releases.files.text_files`).
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from itertools import chain
from json.encoder import encode_basestring as quoted
from typing import Any, Final

from django.db import connection
from django.db.models import OuterRef, QuerySet, TextField
from django.db.models.functions import Cast

from tasks.models import Campaign, Item, ItemSystem, Outcome, Rating, SuggestionView
from tasks.models.suggestion import length_of
from tasks.protocols.definition import AnnotationProtocol
from tasks.storing.database import allow_long_statements, batches, is_one_of, one_moment, there_is
from tasks.votes.items import live_items
from tasks.votes.ratings import current_ratings, with_standing
from tomahto.releases.files.text_files import json_text
from tomahto.votes.remarks import PRIVATE, PUBLIC

_Row = tuple[Any, ...]
_ITEMS_AT_ONCE = 2000
_KEYS_AT_ONCE = 100_000
_ITEM: Final = (
    *("pk", "key", "question__document__key", "question__key", "question__text"),
    *("question__context", "references", "candidate", "reference_index"),
    *("question__question_type", "question__split"),
)
_RATING: Final = (
    *("item_id", "rater__pseudonym", "rater__user", "outcome_id", "slot_id", "is_set_aside"),
    *("seconds", "time", "guideline__version", "suggestion_arm", "assignment_id"),
)
_ABSENT: Final = {None: "", "": ""}  # fields that say nothing are left out


def rating_lines(campaign: Campaign, *, with_comments: bool = False) -> Iterator[str]:
    """Every current rating as a JSON line, surplus ones included, by item and in order of time.

    A line has the item's fields, `rater` (the pseudonym), `label`, the protocol's answers,
    `counted`, `set_aside` (true) where an admin has set it aside, and `seconds`, `created_at`,
    `guideline_version` and remarks where they are known; `suggestion_arm` where it is, with
    `suggestion_view` (how the view ended) and `suggestion_seconds` where a suggestion was shown;
    and at its end `imported`, whether a file named the rater, who has no account. Private remarks,
    such as comments, stay inside the platform unless asked for.
    """
    remarks = [remark.name for remark in (*PUBLIC, *(PRIVATE if with_comments else ()))]
    protocol = campaign.annotation_protocol
    with one_moment():
        # a statement ends no sooner than its rows are sent, to a client that may be slow
        allow_long_statements()
        answers = {
            outcome.pk: _answers(protocol, outcome)
            for outcome in Outcome.objects.filter(protocol=campaign.protocol)
        }
        queries = (_queries(campaign, keys, remarks) for keys in _rated_items(campaign))
        for ratings, items, systems, views in _read_ahead(queries):
            if ratings:
                openings = _openings(items, systems)
                yield from _lines(ratings, openings, _views(views), answers, remarks)


def _rated_items(campaign: Campaign) -> Iterator[list[int]]:
    """The keys of live items that have ratings, in order, some at a time."""
    ratings = Rating.objects.filter(item=OuterRef("pk"))
    items = live_items(campaign).filter(there_is(ratings)).order_by("pk")
    last = 0
    while keys := list(items.filter(pk__gt=last).values_list("pk", flat=True)[:_KEYS_AT_ONCE]):
        yield from batches(keys, _ITEMS_AT_ONCE)
        last = keys[-1]


def _read_ahead(queries: Iterable[Sequence[QuerySet[Any, Any]]]) -> Iterator[list[list[_Row]]]:
    """The rows of some queries at a time, as the driver gives them: SQLite has JSON as text.

    PostgreSQL is at work on those that come next while the caller is on these.
    """
    is_postgres = connection.vendor == "postgresql"
    with connection.connection.pipeline() if is_postgres else nullcontext():
        cursors: list[Any] = []
        for following in chain(queries, [()]):
            rows = [cursor.fetchall() for cursor in cursors]
            cursors = [_send(query) for query in following]
            if rows:
                yield rows


def _send(query: QuerySet[Any, Any]) -> Any:
    cursor = connection.cursor()
    cursor.execute(*query.query.sql_with_params())
    return cursor


def _queries(
    campaign: Campaign, items: Sequence[int], remarks: Sequence[str]
) -> Sequence[QuerySet[Any, Any]]:
    """For these live items: their ratings, themselves, their systems, and the views of suggestions.

    Times are asked for as text: drivers take longer to make one than all else of a line takes.
    """
    ratings = with_standing(current_ratings(campaign, items))
    if campaign.reader and (seen := campaign.reader.votes_seen_until):
        ratings = ratings.filter(created_at__lte=seen)  # not what has come since that was noted
    ratings = ratings.annotate(time=Cast("rated_at", TextField())).order_by("item_id", "id")
    shown = SuggestionView.objects.filter(is_one_of("assignment__item", items))
    times = (Cast(time, TextField()) for time in ("shown_at", "closed_at"))
    return (
        ratings.values_list(*_RATING, *remarks),
        Item.objects.filter(is_one_of("pk", items)).values_list(*_ITEM),
        ItemSystem.objects.filter(is_one_of("item", items)).values_list("item", "system__name"),
        shown.values_list("assignment", *times),
    )


def _lines(
    ratings: Sequence[_Row],
    openings: Mapping[int, str],
    views: Mapping[int, str],
    answers: Mapping[str, str],
    remarks: Sequence[str],
) -> Iterator[str]:
    items, raters, users, outcomes, slots, aside, *rest = zip(*ratings, strict=True)
    seconds, times, versions, arms, assignments, *texts = rest
    remark_fields = [_fields(name, column) for name, column in zip(remarks, texts, strict=True)]
    parts: list[Iterable[str]] = [
        map(openings.__getitem__, items),
        _fields("rater", raters),
        map(answers.__getitem__, outcomes),
        map(_standing, slots, aside),
        ["" if value is None else f',"seconds":{value!r}' for value in seconds],
        map(_time, times),
        _fields("guideline_version", versions, repr),
        *remark_fields[: len(PUBLIC)],
        _fields("suggestion_arm", arms),
        [views.get(assignment, "") for assignment in assignments],
        *remark_fields[len(PUBLIC) :],
        [',"imported":true}\n' if user is None else ',"imported":false}\n' for user in users],
    ]
    return map("".join, zip(*parts, strict=True))


def _openings(items: Sequence[_Row], systems: Iterable[_Row]) -> Mapping[int, str]:
    """The fields of each item, a JSON object that is still open: an item's ratings share it."""
    names: dict[int, list[str]] = defaultdict(list)
    for item, name in systems:
        names[item].append(name)
    columns = zip(*items, strict=True)
    pks, keys, documents, question_keys, questions, contexts, references, *rest = columns
    candidates, indexes, types, splits = rest
    parts: list[Iterable[str]] = [
        [f'{{"id":{quoted(key)}' for key in keys],
        _fields("document", documents),
        _fields("question_id", question_keys),
        _fields("question", questions),
        _fields("context", contexts),
        _fields("references", references, lambda text: json_text(json.loads(text))),
        [f',"candidate":{quoted(text)}' for text in candidates],
        _fields("reference_index", indexes, repr),
        _fields("question_type", types),
        _fields("split", splits),
        _fields("systems", [tuple(sorted(names[pk])) for pk in pks], json_text),
    ]
    return dict(zip(pks, map("".join, zip(*parts, strict=True)), strict=True))


def _fields(
    name: str, values: Sequence[Any], write: Callable[[Any], str] = quoted
) -> Iterator[str]:
    """The field with each of the values, after a comma. Values recur: each is written once."""
    distinct = set(values).difference(_ABSENT)
    fields = _ABSENT | {value: f',"{name}":{write(value)}' for value in distinct}
    return map(fields.__getitem__, values)


def _time(text: str | None) -> str:
    """A time in UTC, from the text that a database has, as `isoformat` writes it."""
    if text is None:
        return ""
    moment = text.partition("+")[0].replace(" ", "T")
    if "." in moment:
        moment = f"{moment:0<26}".removesuffix(".000000")
    return f',"created_at":"{moment}+00:00"'


def _standing(slot: int | None, is_set_aside: bool) -> str:
    if is_set_aside:
        return ',"counted":false,"set_aside":true'
    return ',"counted":true' if slot else ',"counted":false'


def _views(views: Iterable[_Row]) -> Mapping[int, str]:
    """The fields of the view of a suggestion by assignment."""
    fields = {}
    for assignment, *times in views:
        ending, seconds = length_of(*(text and datetime.fromisoformat(text) for text in times))
        length = "" if seconds is None else f',"suggestion_seconds":{seconds!r}'
        fields[assignment] = f',"suggestion_view":"{ending}"{length}'
    return fields


def _answers(protocol: AnnotationProtocol, outcome: Outcome) -> str:
    yes_no = {question.key for question in protocol.questions if question.is_yes_no}
    given = {
        key: value == "yes" if key in yes_no else value for key, value in outcome.answers.items()
    }
    return f",{json_text({'label': outcome.label, **given})[1:-1]}"
