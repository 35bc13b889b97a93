"""Scores that a matcher elsewhere gave: suggestions like those of our own matchers."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from tasks.intake.queries import imported_version, newest_version
from tasks.intake.workflow.import_of import import_of
from tasks.intake.workflow.items import find_items, items_of_row
from tasks.models import Campaign, Item, Suggestion
from tasks.storing.acts import storable
from tasks.storing.database import batches
from tasks.storing.plan import Plan
from tasks.storing.refusals import Refusal
from tomahto.interchange.reading.records import SuggestionRow
from tomahto.matching.table import matchers_by_name
from tomahto.text.normalisation import plain_name

_AGAIN = "|import:"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class MatcherNameError(Refusal, ValueError):
    """Scores made elsewhere cannot be those of a matcher of this name."""

    status = 400

    def body(self, address_of: Callable[..., str]) -> Mapping[str, str]:
        return {**super().body(address_of), "field": "matcher"}


class ScaleError(ValueError):
    """There is no such scale; `field` says what is wrong with it, `high` or `threshold`."""

    def __init__(self, field: str, fault: str) -> None:
        super().__init__(fault)
        self.field = field


@dataclass(frozen=True, slots=True)
class Scale:
    """The ends of a scale of scores, and the score from which an answer is accepted; None: the
    middle.

    Raises ScaleError unless the threshold lies between two ends a finite distance apart.
    """

    low: float = 0.0
    high: float = 1.0
    threshold: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.high - self.low < math.inf:
            raise ScaleError("high", f"the range from {self.low:g} to {self.high:g} is empty")
        if not self.low <= self.accepts_from <= self.high:
            within = f"is not within {self.low:g} and {self.high:g}"
            raise ScaleError("threshold", f"a threshold of {self.accepts_from:g} {within}")

    def place(self, score: float) -> float:
        """The position of a score from 0 to 1, if it is within."""
        return (score - self.low) / (self.high - self.low)

    def accepts(self, score: float) -> bool:
        return score >= self.accepts_from

    @property
    def accepts_from(self) -> float:
        return (self.low + self.high) / 2 if self.threshold is None else self.threshold

    def judged(self, row: SuggestionRow) -> tuple[float, bool]:
        """The position of the score from 0 to 1, and whether it is accepted, which the row may say
        itself. Raises InputError for a score off the scale."""
        place = self.place(row.score)
        if not 0 <= place <= 1:
            fault = f"{row.score:g} is not within {self.low:g} and {self.high:g}; --range LOW,HIGH"
            raise row.source.error(fault, "score")
        return place, self.accepts(row.score) if row.accepted is None else row.accepted

    def version(self, sha256: str) -> str:
        """Of the scores that a file with this digest has on this scale."""
        return imported_version(sha256, self.low, self.high, self.accepts_from)


def scale_of(given: Mapping[str, Any]) -> Scale:
    """By its fields `low`, `high` and `threshold`, all of which may be missing or None."""
    low, high = given.get("low"), given.get("high")
    ends = 0.0 if low is None else low, 1.0 if high is None else high
    return Scale(*ends, given.get("threshold"))


@dataclass(frozen=True, slots=True)
class SuggestionIntake:
    """The result of a file of scores."""

    suggestions_created: int
    suggestions_existing: int


def import_suggestions(
    *,
    campaign: Campaign,
    matcher: str,
    version: str,
    rows: Iterable[SuggestionRow],
    scale: Scale = Scale(),
) -> SuggestionIntake:
    """Store scores of items that are there, from 0 to 1 whatever their scale.

    `version` tells one file of scores, on one scale, from another; those of the last one imported
    count, so that an earlier one that comes again is stored again. Raises MatcherNameError;
    InputError for a row whose item is unknown or has a score in the file already,
    or whose score is off the scale; and ImportRefused; nothing is stored then.
    """
    matcher = plain_name(matcher)
    if not _NAME.fullmatch(matcher):
        raise MatcherNameError(f"{matcher!r:.90}: a name may contain letters, digits and . _ -")
    if matcher in matchers_by_name():
        raise MatcherNameError(f"{matcher} is a built-in matcher: give the scores another name")

    def plan_suggestions(plan: Plan, rows: Iterable[SuggestionRow]) -> SuggestionIntake:
        numbered = _numbered(campaign, matcher, version)
        seen: set[int] = set()
        created = existing = 0
        for batch in batches(rows):
            items = _items(plan, batch)
            stored = Suggestion.objects.filter(matcher=matcher, version=numbered)
            known = {
                each.item_id
                for each in plan.find(stored, item_id={item.pk for item in items}).values()
            }
            new = []
            for row, item in zip(batch, items, strict=True):
                if item.pk in seen:
                    raise row.source.error(f"item {item.key!r} already has a score", "score")
                seen.add(item.pk)
                score, is_correct = scale.judged(row)
                if item.pk not in known:
                    made = Suggestion(item=item, matcher=matcher, version=numbered, score=score)
                    made.is_correct, made.explanation = is_correct, storable(row.explanation)
                    new.append(made)
            plan.add(new)
            created += len(new)
            existing += len(batch) - len(new)
        return SuggestionIntake(created, existing)

    return import_of(
        "suggestions",
        campaign=campaign,
        records=rows,
        plan=plan_suggestions,
        noted=["suggestions_created"],
        subject=("matcher", matcher),
    )


def _numbered(campaign: Campaign, matcher: str, version: str) -> str:
    """The version itself the first time, and as long as no other one comes after it; `|import:N`
    follows it the Nth time."""
    newest = newest_version(campaign, matcher)
    if newest is not None and newest.partition(_AGAIN)[0] == version:
        return newest
    of_campaign = Suggestion.objects.filter(item__campaign=campaign, matcher=matcher)
    same = Q(version=version) | Q(version__startswith=version + _AGAIN)
    times = of_campaign.filter(same).values("version").distinct().count()
    return f"{version}{_AGAIN}{times + 1}" if times else version


def _items(plan: Plan, batch: list[SuggestionRow]) -> list[Item]:
    keys = [_key(plan.campaign, row) for row in batch]
    items = find_items(plan, set(keys))
    for row, key in zip(batch, keys, strict=True):
        if key not in items:
            told = repr(row.item_id) if row.item_id else "with these texts"
            raise row.source.error(f"there is no item {told}", "id")
    return [items[key] for key in keys]


def _key(campaign: Campaign, row: SuggestionRow) -> str:
    """By its id, or else by its texts."""
    if row.item_id is not None or row.item is None:
        return row.item_id or ""
    items = items_of_row(campaign, row.item)
    if len(items) != 1:
        raise row.source.error("a score must have exactly one reference", "references")
    return items[0].key
