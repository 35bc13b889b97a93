"""Rows of the explorer, what they can be filtered by, and campaigns with rows to renew."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Prefetch

from tasks.models import (
    Campaign,
    Guideline,
    ItemPurpose,
    ItemScore,
    ItemState,
    ItemSummary,
    ItemSystem,
    ItemTag,
    Membership,
    Question,
    Rating,
    Role,
    StaleItem,
    System,
    Tag,
)
from tasks.models.explorer import NO_SHARE
from tasks.votes.blindness import Withheld, leaves_out_votes, withheld_of_items
from tasks.votes.item_votes import learned_from_votes
from tasks.votes.ratings import is_counted

COMPLETE = "complete"
"""Stands for the state of an item with all its ratings, to whom its votes are withheld."""
_QUESTIONS = Question.objects.defer("context", "references")
STATES = (*ItemState.values, COMPLETE)
"""The facts of an item that a list may show."""


class Vote(NamedTuple):
    """A rater's current rating of an item; not counted if it is surplus or set aside."""

    rater: str
    label: str
    is_counted: bool


class Score(NamedTuple):
    """A matcher's newest score, and on which side of the threshold it is."""

    score: float
    is_accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplorerRow:
    """An item of the list. `number` is what its address has, `key` what files call it.

    `withheld` is why votes are not shown, and with them label, share, decision and scores; None if
    they are. `label` is "" for a tie and without votes, `share` None without votes. `last_rated_at`
    is None without ratings.
    """

    number: int
    key: str
    document: str
    question_key: str
    question: str
    question_type: str
    split: str
    references: list[str]
    candidate: str
    systems: list[str]
    purpose: str
    created_at: datetime
    state: str
    wanted: int
    ratings: int
    withheld: Withheld | None
    votes: list[Vote]
    label: str
    is_tied: bool
    is_disputed: bool
    share: float | None
    decided: str
    open_flags: int
    flags: int
    skips: int
    tags: list[str]
    scores: Mapping[str, Score]
    last_rated_at: datetime | None


def rows_of(member: Membership, items: Sequence[int]) -> list[ExplorerRow]:
    """The rows of these items, in their order; in as many statements for one as for a hundred."""
    if not items:
        return []
    found = {
        summary.item_id: summary
        for summary in ItemSummary.objects.filter(pk__in=items).prefetch_related(
            # not a join: a planner that does not know the tables would begin it anywhere
            Prefetch("item__question", _QUESTIONS),
            "item__question__document",
        )
    }
    withheld = withheld_of_items(member, items)
    opened = [pk for pk in items if withheld.get(pk) is None]
    parts = _Parts(
        systems=_names(ItemSystem.objects, "system__name", items),
        tags=_names(ItemTag.objects, "tag__name", items),
        votes=_votes(opened),
        scores=_scores(member, opened),
    )
    return [_row(found[pk], withheld[pk], parts) for pk in items if pk in found and pk in withheld]


class _Parts(NamedTuple):
    """The values that belong to the items of a page, by their ids."""

    systems: Mapping[int, list[str]]
    tags: Mapping[int, list[str]]
    votes: Mapping[int, list[Vote]]
    scores: Mapping[int, Mapping[str, Score]]


def _names(manager: Any, name: str, items: Sequence[int]) -> Mapping[int, list[str]]:
    names: dict[int, list[str]] = defaultdict(list)
    for item, found in manager.filter(item__in=items).values_list("item_id", name):
        names[item].append(found)
    return {item: sorted(each) for item, each in names.items()}


def _votes(items: Sequence[int]) -> Mapping[int, list[Vote]]:
    votes: dict[int, list[Vote]] = defaultdict(list)
    rows = Rating.objects.filter(item__in=items, superseded_by=None).annotate(counts=is_counted())
    for item, rater, label, counts in rows.order_by("pk").values_list(
        "item_id", "rater__pseudonym", "outcome__label", "counts"
    ):
        votes[item].append(Vote(rater, label, counts))
    return votes


def _scores(member: Membership, items: Sequence[int]) -> Mapping[int, Mapping[str, Score]]:
    scores: dict[int, dict[str, Score]] = defaultdict(dict)
    withheld = withheld_matchers(member)
    rows = ItemScore.objects.filter(item__in=items).order_by("matcher")
    for item, matcher, score, is_correct in rows.values_list(
        "item_id", "matcher", "score", "is_correct"
    ):
        if matcher not in withheld:
            scores[item][matcher] = Score(score, is_correct)
    return scores


def withheld_matchers(member: Membership) -> Set[str]:
    """Those that learned from votes, while the member may still rate items that have any: of one
    item they say what those on another are."""
    if not leaves_out_votes(member):
        return frozenset()
    return {
        name for name in matchers_of(member.campaign) if learned_from_votes(name, member.campaign)
    }


def _row(summary: ItemSummary, withheld: Withheld | None, parts: _Parts) -> ExplorerRow:
    item, pk, is_open = summary.item, summary.item_id, withheld is None
    question = item.question
    has_votes = is_open and summary.share != NO_SHARE
    return ExplorerRow(
        number=pk,
        key=item.key,
        document=question.document.key,
        question_key=question.key,
        question=question.text,
        question_type=question.question_type,
        split=question.split,
        references=list(item.references),
        candidate=item.candidate,
        systems=parts.systems.get(pk, []),
        purpose=item.purpose,
        created_at=item.created_at,
        state=summary.state if is_open else _state_without_votes(summary),
        wanted=summary.wanted,
        ratings=summary.ratings,
        withheld=withheld,
        votes=parts.votes.get(pk, []) if is_open else [],
        label=summary.label if is_open else "",
        is_tied=is_open and summary.is_tied,
        is_disputed=is_open and summary.is_disputed,
        share=summary.share if has_votes else None,
        decided=summary.decided if is_open else "",
        open_flags=summary.open_flags,
        flags=summary.flags,
        skips=summary.skips,
        tags=parts.tags.get(pk, []),
        scores=parts.scores.get(pk, {}) if is_open else {},
        last_rated_at=summary.last_rated_at if summary.first_rated_at else None,
    )


def _state_without_votes(summary: ItemSummary) -> str:
    if summary.state == ItemState.DISMISSED:
        return ItemState.DISMISSED
    if summary.purpose != ItemPurpose.LIVE or not (summary.unfilled or summary.ratings):
        return ItemState.APART
    return ItemState.OPEN if summary.unfilled else COMPLETE


_FIRST_QUESTIONS = 1000
_MOST_NAMES = 50


def choices_of(campaign: Campaign) -> dict[str, list[str]]:
    """Raters by pseudonym, versions of the guidelines, systems, tags and matchers; of documents,
    types and splits those that the first thousand questions have."""
    systems = System.objects.filter(campaign=campaign).order_by("name")
    raters = Membership.objects.filter(campaign=campaign, role=Role.RATER).order_by("pseudonym")
    versions = Guideline.objects.filter(campaign=campaign).order_by("version")
    return {
        "guidelines": [str(version) for version in versions.values_list("version", flat=True)],
        "raters": list(raters.values_list("pseudonym", flat=True)),
        "systems": list(systems.values_list("name", flat=True)),
        "tags": list(
            Tag.objects.filter(campaign=campaign).order_by("name").values_list("name", flat=True)
        ),
        "matchers": matchers_of(campaign),
        **_of_questions(campaign),
    }


def matchers_of(campaign: Campaign) -> list[str]:
    """Those that have scored items, each found by one look at the index."""
    found: list[str] = []
    scores = ItemScore.objects.filter(campaign=campaign).order_by("matcher")
    while True:
        later = scores.filter(matcher__gt=found[-1]) if found else scores
        name = later.values_list("matcher", flat=True).first()
        if name is None:
            return found
        found.append(name)


def _of_questions(campaign: Campaign) -> dict[str, list[str]]:
    names = ("document__key", "question_type", "split")
    first = Question.objects.filter(campaign=campaign).order_by("pk").values_list(*names)
    columns = zip(*first[:_FIRST_QUESTIONS], strict=True)
    listed = [sorted(set(column) - {""})[:_MOST_NAMES] for column in columns] or [[], [], []]
    return dict(zip(("documents", "question_types", "splits"), listed, strict=True))


MOST_COUNTED = 100_000
"""Rows of the queue that are looked at to count the items in it."""


def is_anything_stale(campaign: Campaign) -> bool:
    return StaleItem.objects.filter(campaign=campaign).exists()


def stale_items(campaign: Campaign) -> int:
    """The number of items that wait; of a long queue those in its first rows."""
    queue = StaleItem.objects.filter(campaign=campaign).order_by("item")
    return len(set(queue.values_list("item_id", flat=True)[:MOST_COUNTED]))


def campaigns_with_stale_items() -> list[int]:
    """The ids of campaigns in which items wait, one look at the index for each."""
    found = Campaign.objects.order_by("pk").values_list("pk", flat=True)
    return [pk for pk in found if StaleItem.objects.filter(campaign=pk).exists()]
