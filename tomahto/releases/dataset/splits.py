"""The assignment of documents to splits, so that no document is on two sides.

Documents are kept whole, as in the dev and test sets of Bulian et al. (2022, §3.3), and so are
groups of documents that share a near-duplicate question. Stratified splits get the labels of the
whole, as far as documents that stay whole allow it.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tomahto.releases.dataset.choices import SplitError, check_split_spec, format_split_spec
from tomahto.releases.records.records import SplitSpec

_NOTHING_KEPT: Mapping[str, str] = MappingProxyType({})


def assign_documents(
    labels: Mapping[str, Mapping[str, int]],
    spec: SplitSpec,
    seed: int,
    kept: Mapping[str, str] = _NOTHING_KEPT,
    together: Iterable[Collection[str]] = (),
) -> dict[str, str]:
    """Give every document its split.

    `labels` holds the number of items of each document by label; one without items (nothing in it
    was rated, but systems answered its questions) decides nothing about the others.
    `together` are groups of documents that stay on one side; a document in none is its own group.
    Groups are visited in the order of the SHA-256 of seed and name (the lowest of their
    documents); each goes to the split that lacks most items. So the result depends on neither the
    order of the documents nor the machine. No split stays empty, and each ends within the items
    of the largest group of its target. If the specification is stratified, groups then move, under
    the same promises, to bring the labels of the splits nearer to those of the whole.

    Documents in `kept` stay where an earlier release put them, so that added data moves nothing,
    and the others of their group join them; where kept documents of one group are on several
    sides, the others join the side with most items of it (of equal ones the first by name). The
    bound is then not promised, since kept documents may be off target by themselves. Groups without
    items are divided last, by their number of documents.

    Raises SplitError if the groups are too few for the splits, too large for the targets, or
    a document is kept in a split that the specification does not name.
    """
    check_split_spec(spec)
    assigned = _kept_documents(labels, spec, kept)
    groups = _groups(labels, together, seed)
    for group in groups:
        _join_kept(group, assigned, labels)
    placeless = [group for group in groups if group.documents[0] not in assigned]
    free = [group for group in placeless if group.items]
    rated = [group for group in groups if group.items]
    balance = _Balance(spec, rated, assigned, labels)
    balance.check_enough(len(free))
    for position, group in enumerate(free):
        split = balance.neediest(groups_left=len(free) - position)
        balance.add(split, group.items)
        assigned.update(dict.fromkeys(group.documents, split))
    if len(free) == len(rated):
        balance.check_targets()
    if spec.stratified:
        stratify(assigned, free, labels, spec.shares, balance.largest)
    _divide([group for group in placeless if not group.items], spec, assigned)
    return assigned


def _kept_documents(
    documents: Collection[str], spec: SplitSpec, kept: Mapping[str, str]
) -> dict[str, str]:
    stay = {document: kept[document] for document in documents if document in kept}
    for document, split in stay.items():
        if split not in spec.shares:
            names = ", ".join(spec.shares)
            raise SplitError(
                f"document {document!r} was in split {split!r} before, which is not one of {names}"
            )
    return stay


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that stay together, and the labels of their items."""

    documents: tuple[str, ...]
    labels: Mapping[str, int]

    @property
    def items(self) -> int:
        return sum(self.labels.values())


def _groups(
    labels: Mapping[str, Mapping[str, int]], together: Iterable[Collection[str]], seed: int
) -> list[Group]:
    """All groups, those of single documents too, in the order in which they are visited."""
    groups = [sorted(group) for group in together]
    grouped = {document for group in groups for document in group}
    groups += [[document] for document in labels if document not in grouped]
    visits = sorted((min((_visit(seed, name), name) for name in group), group) for group in groups)
    return [
        Group(tuple(group), sum((Counter(labels[name]) for name in group), Counter[str]()))
        for _, group in visits
    ]


def _divide(groups: Collection[Group], spec: SplitSpec, assigned: dict[str, str]) -> None:
    """Groups without items, each to the split that is furthest below its share of documents."""
    documents, total = Counter[str](), sum(spec.shares.values())
    for group in groups:
        placed = documents.total() + len(group.documents)
        split = max(
            sorted(spec.shares),
            key=lambda name: placed * spec.shares[name] / total - documents[name],
        )
        documents[split] += len(group.documents)
        assigned.update(dict.fromkeys(group.documents, split))


def _visit(seed: int, document: str) -> bytes:
    # A name that is not Unicode is refused later, where the item can be named.
    return hashlib.sha256(f"{seed}\0{document}".encode(errors="surrogatepass")).digest()


def _join_kept(
    group: Group, assigned: dict[str, str], labels: Mapping[str, Mapping[str, int]]
) -> None:
    sides: Counter[str] = Counter()
    for document in group.documents:
        if document in assigned:
            sides[assigned[document]] += sum(labels[document].values())
    if sides:
        side = min(sides, key=lambda name: (-sides[name], name))
        for document in group.documents:
            assigned.setdefault(document, side)


class _Balance:
    """The number of items that each split has, and the number it should have."""

    def __init__(
        self,
        spec: SplitSpec,
        groups: Collection[Group],
        assigned: Mapping[str, str],
        labels: Mapping[str, Mapping[str, int]],
    ) -> None:
        self.largest = max((group.items for group in groups), default=0)
        self._documents = sum(len(group.documents) for group in groups)
        self._groups = len(groups)
        self._spec = spec
        items, total = sum(group.items for group in groups), sum(spec.shares.values())
        self._targets = {name: items * share / total for name, share in spec.shares.items()}
        self._items: Counter[str] = Counter()
        for document, split in assigned.items():
            self.add(split, sum(labels[document].values()))

    def add(self, split: str, items: int) -> None:
        self._items[split] += items

    def neediest(self, groups_left: int) -> str:
        """The split that lacks most items; the last groups are for splits without any."""
        empty = self._empty()
        names = empty if groups_left == len(empty) else sorted(self._targets)
        return max(names, key=lambda name: self._targets[name] - self._items[name])

    def _empty(self) -> list[str]:
        return sorted(name for name in self._targets if not self._items[name])

    def check_enough(self, free: int) -> None:
        empty = self._empty()
        if free >= len(empty):
            return
        raise SplitError(
            f"{self._attempt()}: "
            f"{free} can still be placed, but {', '.join(empty)} would need one each"
        )

    def check_targets(self) -> None:
        unit = "document" if self._groups == self._documents else "group"
        for name, target in self._targets.items():
            if abs(self._items[name] - target) > self.largest:
                raise SplitError(
                    f"{self._attempt()}: {name} would have {self._items[name]} items for a target "
                    f"of {target:.1f}, off by more than the largest {unit} "
                    f"({self.largest} items); use fewer splits, more equal shares or more documents"
                )

    def _attempt(self) -> str:
        groups = f" in {self._groups} groups, since near-duplicate questions stay together"
        return (
            f"{format_split_spec(self._spec)} cannot be made of {self._documents} documents"
            f"{'' if self._groups == self._documents else groups}"
        )


_MOST_PASSES = 100
_LEAST_GAIN = 1e-9  # so that rounding cannot move a group to and fro


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
        for split, sign in ((here, -1), (best, 1)):
            self._items[split] += sign * group.items
            for label, items in group.labels.items():
                self._counts[split][label] += sign * items
        assigned.update(dict.fromkeys(group.documents, best))
        return True

    def _change(self, split: str, group: Group, sign: int) -> float:
        """The change of χ² if the split gets (or, below 0, loses) the group."""
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
