"""What an act on many items is, what it would do to which of them, and why it leaves others out."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from django.db.models import Model, QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _

from tasks.models import ActedItem, ActKind, BulkAct, Item, ItemHandling, ItemPurpose, Membership
from tasks.storing.batches import batches

DISMISSING = (ActKind.DISMISS, ActKind.TAKE_BACK)
TAGGING = (ActKind.TAG, ActKind.UNTAG)


class LeftOut(TextChoices):
    """Why an act leaves an item out, as it is said of several."""

    NOT_THERE = "not-there", _("not in this campaign")
    NOT_LIVE = "not-live", _("that train or check raters")
    DISMISSED = "dismissed", _("dismissed")
    NOT_DISMISSED = "not-dismissed", _("not dismissed")
    HAS_TAG = "has-tag", _("tagged so already")
    LACKS_TAG = "lacks-tag", _("without this tag")
    SENT = "sent", _("sent to the adjudicators before")
    DECIDED = "decided", _("decided")
    ENOUGH = "enough", _("with more than 100 ratings then")
    NO_PLACE = "no-place", _("without a free place for a rating: ask for more ratings first")
    TAKEN_UP = "taken-up", _("rated, skipped or begun by these people before")
    BLIND = "blind", _("with votes that you have not seen, so that you can still judge blind")
    UNFINISHED = "unfinished", _("still being rated")
    SPLIT = "split", _("with votes that differ, and no decision that settles them")
    FEW_VOTES = "few-votes", _("with fewer than two ratings, and no decision")
    IS_COPIED = "is-copied", _("among the control items already")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What an act is told beside the items; each act reads what is its own.

    `raters` are pseudonyms; items are divided among them, or else each of them gets every item.
    """

    tag: str = ""
    more: int = 1
    raters: tuple[str, ...] = ()
    is_divided: bool = False
    days: int = 14

    def as_json(self, *names: str) -> dict[str, Any]:
        given = asdict(self) | {"raters": list(self.raters)}
        return {name: given[name] for name in names}


@dataclass(frozen=True, slots=True)
class Plan:
    """What an act would do: the items that it changes, and how many it leaves out for each reason.

    `places` are the pairs of item and member of an assignment, `told` the options of the act.
    """

    items: tuple[int, ...]
    left_out: Mapping[LeftOut, int] = field(default_factory=dict)
    places: tuple[tuple[int, int], ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The same only for plans that do the same to the same items."""
        left = {str(reason): number for reason, number in self.left_out.items()}
        text = json.dumps([self.items, left, self.places, self.told], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Undone:
    """How many items are as before the act, and how many are not: work has been done on them."""

    items: int
    kept: int = 0


class Act(NamedTuple):
    """An act: `options` are the names of those it reads. `do` returns what undoing it needs."""

    options: tuple[str, ...]
    plan: Callable[[Membership, Sequence[int], Options], Plan]
    do: Callable[[BulkAct, Plan, Options], Mapping[str, Any]]
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


def acted_on_since(
    act: BulkAct, items: Sequence[int], kinds: Collection[ActKind], **options: Any
) -> set[int]:
    """Those to which a later act of these kinds, told the same, was done that is not undone."""
    told = {f"act__options__{name}": value for name, value in options.items()}
    later = ActedItem.objects.filter(
        act__campaign=act.campaign_id,
        act__kind__in=kinds,
        act__undone_at=None,
        act__pk__gt=act.pk,
        **told,
    )
    return those_of(later, items)


def remove(model: type[Model], items: Sequence[int], **conditions: Any) -> int:
    """Remove the rows that name these items; how many there were."""
    removed = 0
    for batch in batches(items):
        removed += model._default_manager.filter(item__in=batch, **conditions).delete()[0]
    return removed
