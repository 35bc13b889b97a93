"""What adjudicators decided, and the label that follows where they agree."""

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import groupby

from tomahto.releases.records.checks import check_adjudication
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.records.records import AdjudicationRecord

Adjudications = tuple[AdjudicationRecord, ...]  # sorted by item id and adjudicator


def take_in_adjudications(
    records: Iterable[AdjudicationRecord], labels: Sequence[str], item_ids: Set[str]
) -> Adjudications:
    """The records in order.

    Raises ReleaseError if a label is unknown, an item is not there, or an adjudicator decided on
    one twice.
    """
    adjudications = tuple(sorted(records, key=lambda each: (each.item_id, each.adjudicator)))
    previous = None
    for each in adjudications:
        who = (each.item_id, each.adjudicator)
        if who == previous:
            raise ReleaseError(f"item {who[0]!r} has two decisions of adjudicator {who[1]!r}")
        if each.item_id not in item_ids:
            raise ReleaseError(
                f"adjudicator {who[1]!r} decided on item {who[0]!r}, which is not there"
            )
        check_adjudication(each, labels)
        previous = who
    return adjudications


def adjudicated_labels(adjudications: Adjudications) -> Mapping[str, str | None]:
    """The label of every adjudicated item by its id; None where its adjudicators differ."""
    return {
        item_id: _shared([each.label for each in group])
        for item_id, group in groupby(adjudications, key=lambda each: each.item_id)
    }


def _shared(labels: Sequence[str]) -> str | None:
    return labels[0] if len(set(labels)) == 1 else None
