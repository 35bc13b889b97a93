"""Which document goes to which split, so that no document is on two sides.

Documents are kept whole, as in the dev and test sets of Bulian et al. (2022, §3.3).
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Mapping
from decimal import Decimal
from types import MappingProxyType

from exporters.errors import ReleaseError
from exporters.records import SplitSpec

_NAME = re.compile(r"[a-z0-9_]+")
_SHARE = re.compile(r"[0-9]+(\.[0-9]+)?")
_TOLERANCE = 0.01  # per cent; three thirds may be written 33.333
_NOTHING_KEPT: Mapping[str, str] = MappingProxyType({})


class SplitError(ReleaseError):
    """A split that is not well written, or that these documents cannot make."""


def parse_split_spec(text: str) -> SplitSpec:
    """Read `document:dev=30,test=70`; shares are of items, in per cent.

    Raises SplitError if anything but `document` is split by, a name is not made of a-z, 0-9 and
    _ or is `all`, a name repeats, or the shares are not positive or do not sum to 100.
    """
    by, colon, parts = text.partition(":")
    if not colon:
        raise SplitError(f"split {text!r} is not written like document:dev=30,test=70")
    shares: dict[str, float] = {}
    for part in parts.split(","):
        name, share = _parse_share(text, part)
        if name in shares:
            raise SplitError(f"split {text!r}: {name!r} is named twice")
        shares[name] = share
    spec = SplitSpec(by, shares)
    check_split_spec(spec)
    return spec


def _parse_share(text: str, part: str) -> tuple[str, float]:
    name, equals, share = part.partition("=")
    if not equals or not _SHARE.fullmatch(share):
        raise SplitError(f"split {text!r}: {part!r} is not written like NAME=PERCENT")
    return name, float(share)


def format_split_spec(spec: SplitSpec) -> str:
    """The text that `parse_split_spec` reads back as the same specification."""
    shares = (f"{name}={_format_share(share)}" for name, share in spec.shares.items())
    return f"{spec.by}:{','.join(shares)}"


def _format_share(share: float) -> str:
    return f"{Decimal(repr(float(share))):f}".removesuffix(".0")


def check_split_spec(spec: SplitSpec) -> None:
    """Raise SplitError unless the specification can be followed."""
    if spec.by != "document":
        raise SplitError(f"splits are made by document, not by {spec.by!r}")
    for name, share in spec.shares.items():
        # Dashes are left out because `datasets` refuses them in the name of a split.
        if not _NAME.fullmatch(name):
            raise SplitError(f"split name {name!r} may hold only a-z, 0-9 and _")
        if name == "all":
            raise SplitError("a split cannot be called 'all': `datasets` means every split by it")
        if not share > 0:
            raise SplitError(f"split {name!r} has the share {share}; a share is above 0")
    total = sum(spec.shares.values())
    if not abs(total - 100) <= _TOLERANCE:
        raise SplitError(f"the shares sum to {_format_share(total)}, not to 100")


def assign_documents(
    item_counts: Mapping[str, int],
    spec: SplitSpec,
    seed: int,
    kept: Mapping[str, str] = _NOTHING_KEPT,
) -> dict[str, str]:
    """Give every document its split.

    `item_counts` holds the number of items (at least 1) of each document. Documents are visited
    in the order of the SHA-256 of seed and name; each goes to the split that lacks most items.
    So the result depends on neither the order of the documents nor the machine. No split stays
    empty, and each ends within the items of the largest document of its target.

    Documents in `kept` stay where an earlier release put them, so that added data moves nothing;
    the bound is then not promised, since kept documents may be off target by themselves.

    Raises SplitError if the documents are too few for the splits, too large for the targets, or
    kept in a split that the specification does not name.
    """
    check_split_spec(spec)
    assigned = _kept_documents(item_counts, spec, kept)
    free = sorted(
        (document for document in item_counts if document not in assigned),
        key=lambda document: (_visit(seed, document), document),
    )
    balance = _Balance(spec, item_counts, assigned)
    balance.check_enough(len(free))
    for position, document in enumerate(free):
        split = balance.neediest(documents_left=len(free) - position)
        balance.add(split, item_counts[document])
        assigned[document] = split
    if len(free) == len(assigned):
        balance.check_targets()
    return assigned


def _kept_documents(
    documents: Collection[str], spec: SplitSpec, kept: Mapping[str, str]
) -> dict[str, str]:
    stay = {document: kept[document] for document in documents if document in kept}
    for document, split in stay.items():
        if split not in spec.shares:
            names = ", ".join(spec.shares)
            raise SplitError(
                f"document {document!r} was in split {split!r} before, which is none of {names}"
            )
    return stay


def _visit(seed: int, document: str) -> bytes:
    # A name that is not Unicode is refused later, where the item can be named.
    return hashlib.sha256(f"{seed}\0{document}".encode(errors="surrogatepass")).digest()


class _Balance:
    """How many items each split has, and how many it should have."""

    def __init__(
        self, spec: SplitSpec, item_counts: Mapping[str, int], assigned: Mapping[str, str]
    ) -> None:
        self._documents = len(item_counts)
        self._largest = max(item_counts.values(), default=0)
        self._spec = spec
        items, total = sum(item_counts.values()), sum(spec.shares.values())
        self._targets = {name: items * share / total for name, share in spec.shares.items()}
        self._items: Counter[str] = Counter()
        for document, split in assigned.items():
            self.add(split, item_counts[document])

    def add(self, split: str, items: int) -> None:
        self._items[split] += items

    def neediest(self, documents_left: int) -> str:
        """The split that lacks most items; the last documents are for splits without any."""
        empty = self._empty()
        names = empty if documents_left == len(empty) else sorted(self._targets)
        return max(names, key=lambda name: self._targets[name] - self._items[name])

    def _empty(self) -> list[str]:
        return sorted(name for name in self._targets if not self._items[name])

    def check_enough(self, free: int) -> None:
        empty = self._empty()
        if free >= len(empty):
            return
        raise SplitError(
            f"{format_split_spec(self._spec)} cannot be made of {self._documents} documents: "
            f"{free} can still be placed, but {', '.join(empty)} would need one each"
        )

    def check_targets(self) -> None:
        for name, target in self._targets.items():
            if abs(self._items[name] - target) > self._largest:
                raise SplitError(
                    f"{format_split_spec(self._spec)} cannot be made of {self._documents} "
                    f"documents: {name} would have {self._items[name]} items for a target of "
                    f"{target:.1f}, off by more than the largest document ({self._largest} "
                    "items); use fewer splits, more equal shares or more documents"
                )
