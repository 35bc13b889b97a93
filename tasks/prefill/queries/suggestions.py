"""Suggestions, for those who may see them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.db.models import Case, Value, When

from tasks.models import Campaign, Suggestion
from tasks.votes.columns import columns_of
from tomahto.types import Flags, Floats, Integers


@dataclass(frozen=True, eq=False)
class NewestSuggestions:
    """The items that a matcher has scored by their ids (I,), ascending, with its newest score of
    each (I,) and whether that calls it correct (I,)."""

    items: Integers
    scores: Floats
    is_correct: Flags


def newest_suggestions(campaign: Campaign) -> NewestSuggestions:
    is_correct = Case(When(is_correct=True, then=Value(1)), default=Value(0))
    rows = Suggestion.objects.filter(
        item__campaign=campaign, matcher=campaign.suggestion_matcher
    ).values_list("id", "item_id", "score", is_correct)
    ids, items, scores, correct = columns_of(rows, int, int, float, int)
    latest = np.argsort(-ids)
    scored, places = np.unique(items[latest], return_index=True)
    newest = latest[places]
    return NewestSuggestions(scored, scores[newest], correct[newest] == 1)


def suggestion_for(item_id: int, campaign: Campaign) -> Suggestion | None:
    return (
        Suggestion.objects.filter(item=item_id, matcher=campaign.suggestion_matcher)
        .order_by("-id")
        .first()
    )


def suggestions_of(campaign: Campaign, matcher: str | None = None) -> Iterator[Suggestion]:
    """Every suggestion with its item, question and systems, in the order they were stored."""
    found = (
        Suggestion.objects.filter(item__campaign=campaign)
        .select_related("item__question__document")
        .prefetch_related("item__item_systems__system")
        .order_by("id")
    )
    if matcher is not None:
        found = found.filter(matcher=matcher)
    return found.iterator(chunk_size=2000)
