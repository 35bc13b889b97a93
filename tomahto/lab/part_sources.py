"""Sources of labels that may label a part of the items: raters, adjudicators, and what generated
texts were meant to be (CAP App. E)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tomahto.releases.dataset.labels import LABEL_CHOICES

SYNTHETIC = "synthetic"
"""The source that says what generated texts were meant to be."""
ADJUDICATORS = "adjudicators"
"""The source of what adjudicators decided, who may be asked about ties alone."""
_NAMES = frozenset({SYNTHETIC, ADJUDICATORS, *LABEL_CHOICES})
_RATER = "rater "
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
    ratings as (item, rater, label). A source is there if it labels one of the items. A rater who is
    called as another source is, as `synthetic`, is here `rater synthetic`."""
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    for item, rater, label in ratings:
        labels[_source_of(rater)][item] = label
    by_rater = {rater: [given.get(item) for item in ids] for rater, given in labels.items()}
    most = sorted(by_rater, key=lambda rater: (-_labelled(by_rater[rater]), rater))[:RATERS]
    found = {
        SYNTHETIC: [meant.get(item) or None for item in ids],
        ADJUDICATORS: [adjudicated.get(item) for item in ids],
    }
    found |= {rater: by_rater[rater] for rater in sorted(most)}
    return {source: each for source, each in found.items() if _labelled(each)}


def _source_of(rater: str) -> str:
    """What no other source, and no other rater, is called."""
    return f"{_RATER}{rater}" if rater in _NAMES or rater.startswith(_RATER) else rater


def _labelled(labels: Sequence[str | None]) -> int:
    return len(labels) - labels.count(None)
