"""The label of an item, chosen from what voters, adjudicators and Dawid and Skene's model say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tomahto.releases.records.ratings import Columns, Ratings
from tomahto.votes.dawid_skene import DawidSkene
from tomahto.votes.majority import break_tie, majority, vote_confidence
from tomahto.votes.scheme import LabelScheme

LabelChoice = Literal["majority", "adjudicated", "dawid-skene"]
LabelSource = Literal["majority", "tie", "adjudicated", "dawid-skene"]
LABEL_CHOICES: tuple[LabelChoice, ...] = get_args(LabelChoice)
LABEL_SOURCES: tuple[LabelSource, ...] = get_args(LabelSource)

DECIMALS = 6  # of published probabilities at most: other machines' rounding errors stay below
_UNIT = 10**DECIMALS
_GROUP = 10_000  # items that are gone through at once


@dataclass(frozen=True, slots=True)
class VoteOutcome:
    """The label of an item's counted ratings together; the same for all items with the same votes.

    `votes` has the ratings in the order of the scheme's labels, `first` the labels that got most
    of them, and `confidence` says how sure such a label is (tomahto.votes.majority).
    """

    votes: tuple[int, ...]
    first: tuple[str, ...]
    confidence: float

    @property
    def tie(self) -> bool:
        return len(self.first) > 1

    @property
    def tied(self) -> tuple[str, ...]:
        """The labels that share the first place; empty if one is alone there."""
        return self.first if self.tie else ()

    @property
    def ratings(self) -> int:
        return sum(self.votes)

    @classmethod
    def of(cls, scheme: LabelScheme, votes: tuple[int, ...]) -> "VoteOutcome":
        """The majority (Bulian et al. 2022, §3.5). Raises ValueError if there is no vote."""
        outcome = majority(scheme, votes)
        first = outcome.tied if outcome.winner is None else (outcome.winner,)
        place = scheme.index_of[first[0]]
        return cls(votes, first, vote_confidence(votes, place))


@dataclass(frozen=True, slots=True)
class ItemLabel:
    """The label of an item by the choice of the release, and all it could be chosen from.

    `majority` is the label with most votes, `dawid_skene` the most probable one under Dawid and
    Skene's model, each drawn by the seed where several are: `most_probable` is None then.
    `posterior` is how probable every label of the scheme is under the model, rounded to the
    decimals that hold. `adjudicated` is the label all adjudicators of the item share, if any.
    `source` says which of them `label` is.
    """

    label: str
    source: LabelSource
    outcome: VoteOutcome
    majority: str
    dawid_skene: str
    most_probable: str | None
    posterior: tuple[float, ...]
    adjudicated: str | None = None

    @property
    def settled(self) -> str | None:
        """The label, None where it was drawn in a tie: then nobody said it."""
        return None if self.source == "tie" else self.label

    @property
    def votes(self) -> tuple[int, ...]:
        return self.outcome.votes

    @property
    def tied(self) -> tuple[str, ...]:
        return self.outcome.tied

    @property
    def tie(self) -> bool:
        return self.outcome.tie

    @property
    def ratings(self) -> int:
        return self.outcome.ratings


_ROW = np.dtype(
    [
        ("outcome", "i4"),
        ("label", "i2"),
        ("source", "i1"),
        ("majority", "i2"),
        ("dawid_skene", "i2"),
        ("is_drawn", "?"),  # that label
        ("adjudicated", "i2"),  # or _NONE
    ]
)
_NONE = -1


@dataclass(frozen=True, eq=False, slots=True)
class ItemLabels(Columns[ItemLabel]):
    """Labels of N items in arrays of numbers, taken one by one as ItemLabel.

    A row of `rows` (N,) numbers its outcome by the place in `outcomes`, its source by that in
    LABEL_SOURCES and labels by that in `labels`. `units` (N, K) has the posteriors as whole
    numbers of 10^-DECIMALS.
    """

    labels: tuple[str, ...]
    outcomes: Sequence[VoteOutcome]
    rows: NDArray[np.void]
    units: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, is_kept: NDArray[np.bool_] | slice) -> "ItemLabels":
        return ItemLabels(self.labels, self.outcomes, self.rows[is_kept], self.units[is_kept])

    def records_in_turn(self) -> Iterator[ItemLabel]:
        return map(self._label, self.rows.tolist(), self.units.tolist())

    @property
    def ratings(self) -> NDArray[np.int64]:
        """The number of counted ratings of every item (N,)."""
        counts = np.array([outcome.ratings for outcome in self.outcomes], np.int64)
        ratings: NDArray[np.int64] = counts[self.rows["outcome"]]
        return ratings

    def each(self, field: Literal["label", "majority", "dawid_skene"]) -> list[str]:
        """This label of every item."""
        return [self.labels[place] for place in self.rows[field].tolist()]

    def each_adjudicated(self) -> list[str | None]:
        names = (*self.labels, None)  # the last stands for _NONE
        return [names[place] for place in self.rows["adjudicated"].tolist()]

    def each_source(self) -> list[LabelSource]:
        return [LABEL_SOURCES[place] for place in self.rows["source"].tolist()]

    def each_outcome(self) -> list[VoteOutcome]:
        return [self.outcomes[place] for place in self.rows["outcome"].tolist()]

    def each_posterior(self) -> list[tuple[float, ...]]:
        return list(map(tuple, (self.units / _UNIT).tolist()))

    def _label(self, row: tuple[int, ...], units: Sequence[int]) -> ItemLabel:
        outcome, label, source, majority, dawid_skene, is_drawn, adjudicated = row
        return ItemLabel(
            label=self.labels[label],
            source=LABEL_SOURCES[source],
            outcome=self.outcomes[outcome],
            majority=self.labels[majority],
            dawid_skene=self.labels[dawid_skene],
            most_probable=None if is_drawn else self.labels[dawid_skene],
            posterior=tuple([unit / _UNIT for unit in units]),
            adjudicated=None if adjudicated == _NONE else self.labels[adjudicated],
        )


def label_items(
    scheme: LabelScheme,
    choice: LabelChoice,
    ratings: Ratings,
    estimate: DawidSkene,
    adjudicated: Mapping[str, str | None],
    *,
    seed: int,
) -> ItemLabels:
    """The label of every item of the ratings, in their order; each must have a counted rating.

    What is drawn is drawn by the seed and the item's id alone. The estimate is of the same items.
    """
    votes, outcome_of = np.unique(ratings.counted_votes(), axis=0, return_inverse=True)
    outcomes = [VoteOutcome.of(scheme, tuple(row)) for row in votes.tolist()]
    place_of: dict[str | None, int] = {None: _NONE}
    place_of.update(scheme.index_of)
    source_of = {source: place for place, source in enumerate(LABEL_SOURCES)}

    def row(item_id: str, place: int, probable: tuple[str, ...]) -> tuple[int, ...]:
        voted = outcomes[place].first
        found = _ItemLabels(voted, probable, adjudicated.get(item_id))
        label, source = found.chosen(choice, seed, item_id)
        return (
            place,
            place_of[label],
            source_of[source],
            place_of[_drawn(voted, seed, item_id)],
            place_of[_drawn(probable, seed, item_id)],
            len(probable) > 1,
            place_of[found.adjudicated],
        )

    probable = most_probable_labels(scheme.labels, estimate)
    rows = map(row, ratings.item_ids, _in_groups(outcome_of.reshape(-1)), probable)
    found = np.fromiter(rows, _ROW, len(ratings.item_ids))
    return ItemLabels(scheme.labels, outcomes, found, _units(estimate))


def most_probable_labels(labels: Sequence[str], estimate: DawidSkene) -> Iterator[tuple[str, ...]]:
    """The most probable label of each item of the estimate, in turn; several where they are equal
    in the decimals that hold, or one apart in the last, by which rounding can part equal ones."""
    units, last = _units(estimate), 10 ** (DECIMALS - decimals_of(estimate))

    @cache
    def first_of(is_first: tuple[bool, ...]) -> tuple[str, ...]:
        return tuple(compress(labels, is_first))

    for start in range(0, len(units), _GROUP):
        group = units[start : start + _GROUP]
        are_first = group >= group.max(axis=1, keepdims=True) - last
        yield from map(first_of, map(tuple, are_first.tolist()))


def _in_groups(numbers: NDArray[np.int64]) -> Iterator[int]:
    for start in range(0, len(numbers), _GROUP):
        yield from numbers[start : start + _GROUP].tolist()


class _ItemLabels(NamedTuple):
    """The labels with most votes, the most probable ones, and the adjudicated one."""

    voted: tuple[str, ...]
    probable: tuple[str, ...]
    adjudicated: str | None

    def chosen(self, choice: LabelChoice, seed: int, item_id: str) -> tuple[str, LabelSource]:
        if choice == "adjudicated" and self.adjudicated is not None:
            return self.adjudicated, "adjudicated"
        first = self.probable if choice == "dawid-skene" else self.voted
        if len(first) > 1:
            return _drawn(first, seed, item_id), "tie"
        return first[0], "dawid-skene" if choice == "dawid-skene" else "majority"


def _drawn(labels: tuple[str, ...], seed: int, item_id: str) -> str:
    return labels[0] if len(labels) == 1 else break_tie(labels, seed=seed, key=item_id)


def _units(estimate: DawidSkene) -> NDArray[np.int32]:
    """The posteriors (N, K) in whole numbers of 10^-DECIMALS, rounded to the decimals that hold."""
    decimals = decimals_of(estimate)
    held = np.rint(estimate.posteriors * 10**decimals).astype(np.int32)
    units: NDArray[np.int32] = held * np.int32(10 ** (DECIMALS - decimals))
    return units


def decimals_of(estimate: DawidSkene) -> int:
    """The number of published decimals of the probabilities: those that hold, within one of the
    last; at least one of an estimate that did not converge, and DECIMALS of 0.1.0's, which did not
    say how many hold."""
    distance = estimate.distance or 0.0
    held = (places for places in range(DECIMALS, 1, -1) if 2 * distance <= 10.0**-places)
    return next(held, 1)
