"""The labels of items: the votes for each, the one that most of them give, and totals of both."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from django.db.models import Count
from numpy.typing import NDArray

from tasks.models import Campaign
from tasks.votes.columns import columns_of
from tasks.votes.patterns import label_place, vote_patterns
from tasks.votes.ratings import counted_ratings
from tomahto.types import Integers
from tomahto.votes.majority import TIED, UNRATED, majority_totals
from tomahto.votes.scheme import LabelScheme


@dataclass(frozen=True, eq=False)
class VotesByItem:
    """The rated items by their ids (I,), ascending, and how many votes each has for every label of
    the scheme (I, K)."""

    scheme: LabelScheme
    items: Integers
    counts: Integers

    @cached_property
    def majority(self) -> Integers:
        """The place in the scheme of the majority label of each (I,), or TIED."""
        is_first = self.counts == self.counts.max(axis=1, keepdims=True)
        return np.where(is_first.sum(axis=1) == 1, is_first.argmax(axis=1), TIED)

    def majority_of(self, items: Integers) -> Integers:
        """As `majority`, of items by their ids (N,), or UNRATED."""
        return looked_up(self.items, self.majority, items, UNRATED)

    @property
    def counts_by_item(self) -> Mapping[int, list[int]]:
        return dict(zip(self.items.tolist(), self.counts.tolist(), strict=True))

    @property
    def majority_labels(self) -> Mapping[int, str | None]:
        """By the items' ids; None for a tie."""
        labels = (*self.scheme.labels, None)
        places = self.majority.tolist()
        return dict(zip(self.items.tolist(), map(labels.__getitem__, places), strict=True))


def votes_by_item(campaign: Campaign) -> VotesByItem:
    scheme = campaign.annotation_protocol.scheme
    votes = counted_ratings(campaign).values_list("item_id", label_place(scheme))
    rated, labels = columns_of(votes, int, int)
    items, rows = np.unique(rated, return_inverse=True)
    width = len(scheme.labels)
    counts = np.bincount(rows * width + labels, minlength=len(items) * width)
    return VotesByItem(scheme, items, counts.reshape(-1, width))


def looked_up(keys: Integers, values: NDArray[Any], wanted: Integers, other: float) -> NDArray[Any]:
    """The values (N,) of the wanted keys (N,), from keys (K,), ascending, and their values (K,);
    `other` where a key is not there."""
    places = np.searchsorted(keys, wanted)
    places[places == len(keys)] = 0
    if not len(keys):
        return np.full(len(wanted), other)
    return np.where(keys[places] == wanted, values[places], other)


def labels_by_question_type(campaign: Campaign) -> dict[str, dict[str, int]]:
    """The number of votes of each label, for every type of question there is (CAP Tab. 15)."""
    if not campaign.questions.exclude(question_type="").exists():
        return {}
    counts: dict[str, dict[str, int]] = {}
    labels = campaign.annotation_protocol.scheme.labels
    rows = (
        counted_ratings(campaign)
        .exclude(item__question__question_type="")
        .values_list("item__question__question_type", "outcome__label")
        .annotate(votes=Count("id"))
        .order_by()
    )
    for kind, label, votes in rows:
        counts.setdefault(kind, dict.fromkeys(labels, 0))[label] = votes
    return dict(sorted(counts.items()))


@dataclass(frozen=True, slots=True)
class LabelTotals:
    """The numbers of items with a correct majority label, an incorrect one, and none."""

    correct: int
    incorrect: int
    ties: int


def label_totals(campaign: Campaign) -> LabelTotals:
    totals, ties = majority_totals(vote_patterns(campaign))
    good = campaign.annotation_protocol.correct_labels
    correct = sum(number for label, number in totals.items() if label in good)
    return LabelTotals(correct, sum(totals.values()) - correct, ties)
