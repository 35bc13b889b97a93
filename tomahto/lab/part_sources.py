"""Sources of labels that may label a part of the items: raters, adjudicators, and what generated
texts were meant to be (CAP App. E)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

SYNTHETIC = "synthetic"
"""The source that says what generated texts were meant to be."""
ADJUDICATORS = "adjudicators"
"""The source of what adjudicators decided, who may be asked about ties alone."""
RATERS = 12
"""So many raters are sources of their own, those with the most labels: more fill no table well."""

PartSources = dict[str, list[str | None]]
"""By source a label of each item, None where it gives none."""


def part_sources(
    ids: Sequence[str],
    meant: Mapping[str, str],
    adjudicated: Mapping[str, str | None],
    ratings: Iterable[tuple[str, str, str]],
) -> PartSources:
    """From the ids of items, what each was meant to be and what adjudicators decided, by id, and
    ratings as (item, rater, label). A source is there if it labels one of the items."""
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    for item, rater, label in ratings:
        labels[rater][item] = label
    by_rater = {rater: [given.get(item) for item in ids] for rater, given in labels.items()}
    most = sorted(by_rater, key=lambda rater: (-_labelled(by_rater[rater]), rater))[:RATERS]
    found = {
        SYNTHETIC: [meant.get(item) or None for item in ids],
        ADJUDICATORS: [adjudicated.get(item) for item in ids],
    }
    found |= {rater: by_rater[rater] for rater in sorted(most)}
    return {source: each for source, each in found.items() if _labelled(each)}


def _labelled(labels: Sequence[str | None]) -> int:
    return len(labels) - labels.count(None)
