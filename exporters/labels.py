"""The label of an item: the majority of its counted ratings, ties drawn by the seed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exporters.errors import ReleaseError
from exporters.records import RatingRecord
from measures.scheme import LabelScheme
from measures.votes import break_tie, majority


@dataclass(frozen=True, slots=True)
class ItemLabel:
    """What an item's ratings say together.

    `votes` counts the ratings in the order of the scheme's labels. `tied` holds the labels that
    shared the first place and among which `label` was drawn; it is empty if one label won.
    """

    label: str
    votes: tuple[int, ...]
    tied: tuple[str, ...] = ()

    @property
    def tie(self) -> bool:
        return bool(self.tied)

    @property
    def ratings(self) -> int:
        return sum(self.votes)


def label_item(scheme: LabelScheme, item_id: str, votes: Sequence[int], *, seed: int) -> ItemLabel:
    """The majority label (Bulian et al. 2022, §3.5), a tie decided by seed and item id alone."""
    outcome = majority(scheme, tuple(votes))
    if outcome.winner is not None:
        return ItemLabel(outcome.winner, tuple(votes))
    drawn = break_tie(outcome.tied, seed=seed, key=item_id)
    return ItemLabel(drawn, tuple(votes), outcome.tied)


def label_items(
    scheme: LabelScheme, ratings: Iterable[RatingRecord], *, seed: int
) -> dict[str, ItemLabel]:
    """The label of every item that has a counted rating, by item id; the others are absent.

    Raises ReleaseError if a rating's label is not one of the scheme's.
    """
    votes: dict[str, list[int]] = {}
    for rating in ratings:
        index = scheme.index_of.get(rating.label)
        if index is None:
            raise ReleaseError(
                f"item {rating.item_id!r}, rater {rating.rater!r}: label {rating.label!r} is "
                f"not one of {', '.join(scheme.labels)}"
            )
        if rating.counted:
            votes.setdefault(rating.item_id, [0] * len(scheme.labels))[index] += 1
    return {
        item_id: label_item(scheme, item_id, counts, seed=seed) for item_id, counts in votes.items()
    }
