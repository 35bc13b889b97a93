"""Acts on many items: the plan of which items one would change, and why it leaves others out."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from django.db.models import QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _

from tasks.models import (
    ActedItem,
    ActKind,
    BulkAct,
    Campaign,
    Item,
    ItemHandling,
    ItemPurpose,
    Membership,
)
from tasks.storing.database import batches

DISMISSING = (ActKind.DISMISS, ActKind.TAKE_BACK)
TAGGING = (ActKind.TAG, ActKind.UNTAG)


class LeftOut(TextChoices):
    """Why an act leaves an item out, as it is said of several."""

    NOT_THERE = "not-there", _("not in this campaign")
    NOT_LIVE = "not-live", _("that train or check raters")
    DISMISSED = "dismissed", _("dismissed")
    NOT_DISMISSED = "not-dismissed", _("not dismissed")
    HAS_TAG = "has-tag", _("already with this tag")
    LACKS_TAG = "lacks-tag", _("without this tag")
    SENT = "sent", _("already sent to the adjudicators")
    ENOUGH = "enough", _("that would have more than 100 ratings")
    NO_PLACE = "no-place", _("without a free place for a rating")
    GIVEN = "given", _("whose free places are already assigned")
    UNFINISHED = "unfinished", _("still being rated")
    BLIND = "blind", _("whose votes are withheld from you: show their votes first")
    FEW_VOTES = "few-votes", _("with fewer than two ratings and no decision")
    SPLIT = "split", _("with votes that differ and no decision")
    UNSETTLED = "unsettled", _("whose votes are withheld, too few, or differ")
    NOT_RATED = "not-rated", _("without a counted or surplus rating by this rater")
    IS_COPIED = "is-copied", _("already copied as control items")
    NOBODY = "nobody", _("that these raters already had, or that exceed their quotas")


_TELL_VOTES = (LeftOut.BLIND, LeftOut.FEW_VOTES, LeftOut.SPLIT)


def told_to_all(left_out: Mapping[LeftOut, int]) -> dict[str, int]:
    """Without what says of some items that their votes differ."""
    told = Counter[str]()
    for reason, number in left_out.items():
        told[LeftOut.UNSETTLED if reason in _TELL_VOTES else reason] += number
    return {str(reason): number for reason, number in told.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of an act; each act reads those that are its own.

    `raters` and `rater` are pseudonyms. Items are divided among the raters, or each of them gets
    every item.
    """

    tag: str = ""
    more: int = 1
    raters: tuple[str, ...] = ()
    is_divided: bool = False
    days: int = 14
    rater: str = ""
    reason: str = ""

    def as_json(self, *names: str) -> dict[str, Any]:
        told = asdict(self) | {"raters": list(self.raters)}
        return {name: told[name] for name in names}


class Share(NamedTuple):
    """The number of items that an act gives to one of the raters."""

    rater: str
    name: str
    items: int


class Known(NamedTuple):
    """The answer to an item, and how it is known."""

    outcome: str
    label: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The items that an act would change, and how many it leaves out for each reason.

    `told` is which act it is, with its options. Of an assignment, `places` are its pairs of item
    and rater, `shares` their numbers by rater, and `among` all items that it was planned for. Of
    control items, `answers` are those to the items, and `withheld` the finished items whose votes
    the member does not see; where ratings are set aside, all such items.
    """

    items: tuple[int, ...]
    left_out: Mapping[LeftOut, int] = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)
    shares: tuple[Share, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    among: tuple[int, ...] = ()
    answers: tuple[tuple[int, Known], ...] = ()
    withheld: tuple[int, ...] = ()

    @property
    def digest(self) -> str:
        """The same only for plans that do the same to the same items; of an assignment, for which
        places come and go while somebody looks, to those of the same items that have one."""
        left = {str(reason): number for reason, number in self.left_out.items()}
        looked_at = self.among or [self.items, left, self.answers]
        text = json.dumps([looked_at, self.told], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Undone:
    """The number of items that are as before the act, and of those that are not: work has been done
    on them."""

    items: int
    kept: int = 0


class Act(NamedTuple):
    """An act: `options` are the names of those it reads. `do` may return items that could not be
    changed, as others got there first."""

    options: tuple[str, ...]
    plan: Callable[[Membership, Sequence[int], Options], Plan]
    do: Callable[[BulkAct, Plan, Options], Collection[int] | None]
    undo: Callable[[BulkAct, Sequence[int]], Undone]


def sorted_out(items: Sequence[int], *rules: tuple[LeftOut, Collection[int]]) -> Plan:
    """The items that are in none of these collections; the first that an item is in says why it
    is left out."""
    kept, left = [], Counter[LeftOut]()
    for item in items:
        reason = next((reason for reason, those in rules if item in those), None)
        if reason is None:
            kept.append(item)
        else:
            left[reason] += 1
    return Plan(tuple(kept), left)


def those_of(rows: QuerySet[Any, Any], items: Sequence[int], name: str = "item") -> set[int]:
    """The items that one of these rows names, however many there are."""
    found: set[int] = set()
    for batch in batches(items):
        found.update(rows.filter(**{f"{name}__in": batch}).values_list(name, flat=True))
    return found


def not_live(items: Sequence[int]) -> set[int]:
    return those_of(Item.objects.exclude(purpose=ItemPurpose.LIVE), items, "pk")


def dismissed(items: Sequence[int]) -> set[int]:
    return those_of(ItemHandling.objects.filter(is_dismissed=True), items)


def standing(
    campaign: Campaign, items: Sequence[int], kinds: Sequence[ActKind], **options: Any
) -> set[int]:
    """The items whose latest act of these kinds, told the same, that is not undone is of the first
    kind."""
    told = {f"act__options__{name}": value for name, value in options.items()}
    acts = ActedItem.objects.filter(
        act__campaign=campaign, act__kind__in=kinds, act__undone_at=None, **told
    ).order_by("act")
    found: dict[int, str] = {}
    for batch in batches(items):
        found |= dict(acts.filter(item__in=batch).values_list("item", "act__kind"))
    return {item for item, kind in found.items() if kind == kinds[0]}
