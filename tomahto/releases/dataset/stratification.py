"""Give every split the labels of the whole, as far as documents that stay whole allow it."""

from collections import Counter
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass

_MOST_PASSES = 100
_LEAST_GAIN = 1e-9  # so that rounding cannot move a group to and fro


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that stay together, and the labels of their items."""

    documents: tuple[str, ...]
    labels: Mapping[str, int]

    @property
    def items(self) -> int:
        return sum(self.labels.values())


def stratify(
    assigned: MutableMapping[str, str],
    groups: Sequence[Group],
    labels: Mapping[str, Mapping[str, int]],
    shares: Mapping[str, float],
    largest: int,
) -> None:
    """Move groups in turn, each to where it brings the labels of the splits nearest to their
    shares, until none moves.

    Nearness is χ²: the sum over splits and labels of (items - expected)² / expected. `assigned`
    has a split for every document and is changed in place; only `groups` move. `labels` has the
    number of items of each document by label. No move empties a split, or takes one further than
    `largest` items from its target if it was not before. Order and ties follow `groups` and the
    names of splits, so the outcome depends on nothing else.
    """
    table = _Table(assigned, labels, shares, largest)
    for _ in range(_MOST_PASSES):
        moves = [group for group in groups if table.improve(group, assigned)]
        if not moves:
            return


class _Table:
    """Items by split and label, and how many would be expected."""

    def __init__(
        self,
        assigned: Mapping[str, str],
        labels: Mapping[str, Mapping[str, int]],
        shares: Mapping[str, float],
        largest: int,
    ) -> None:
        self._largest = largest
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in shares}
        whole: Counter[str] = Counter()
        for document, split in assigned.items():
            self._counts[split].update(labels[document])
            whole.update(labels[document])
        self._items = {name: counts.total() for name, counts in self._counts.items()}
        total = sum(shares.values())
        self._shares = {name: share / total for name, share in sorted(shares.items())}
        self._whole = whole

    def improve(self, group: Group, assigned: MutableMapping[str, str]) -> bool:
        """Move the group to the split where χ² gains most; whether there is one."""
        here = assigned[group.documents[0]]
        loss = self._change(here, group, -1)
        gains = {
            name: -(loss + self._change(name, group, 1))
            for name in self._shares
            if name != here and self._may_move(group.items, here, name)
        }
        best = max(gains, key=lambda name: gains[name], default=here)
        if gains.get(best, 0.0) <= _LEAST_GAIN:
            return False
        self._move(group, here, best)
        assigned.update(dict.fromkeys(group.documents, best))
        return True

    def _change(self, split: str, group: Group, sign: int) -> float:
        """What χ² changes by if the split gets (or, below 0, loses) the group."""
        counts, share = self._counts[split], self._shares[split]
        change = 0.0
        for label, items in group.labels.items():
            expected = share * self._whole[label]
            before = counts[label] - expected
            change += ((before + sign * items) ** 2 - before**2) / expected
        return change

    def _may_move(self, items: int, here: str, there: str) -> bool:
        return (
            self._items[here] > items
            and self._is_near_target(here, -items)
            and self._is_near_target(there, items)
        )

    def _is_near_target(self, split: str, change: int) -> bool:
        before = self._items[split] - self._shares[split] * self._whole.total()
        return abs(before + change) <= max(self._largest, abs(before))

    def _move(self, group: Group, here: str, there: str) -> None:
        for split, sign in ((here, -1), (there, 1)):
            self._items[split] += sign * group.items
            for label, items in group.labels.items():
                self._counts[split][label] += sign * items
