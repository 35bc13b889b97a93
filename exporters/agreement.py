"""Agreement of a release as a whole and of each split, by the functions pages use too."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from exporters.dataset import Dataset, ReleasedItem, Terms
from exporters.records import RatingRecord
from measures.patterns import VotePatterns, pair_tables_from_votes
from measures.report import agreement_report


def release_agreement(dataset: Dataset) -> dict[str, Any]:
    """`{"whole": …, "splits": {split: …}}`, each as the command `agreement --json` prints it."""
    terms = dataset.terms
    return {
        "whole": _agreement(terms, dataset.items, dataset.ratings),
        "splits": {
            split: _agreement(terms, items, dataset.ratings_by_split[split])
            for split, items in dataset.items_by_split.items()
        },
    }


def _agreement(
    terms: Terms, items: Iterable[ReleasedItem], ratings: Iterable[RatingRecord]
) -> dict[str, Any]:
    patterns = VotePatterns(terms.scheme, Counter(item.label.votes for item in items))
    pairs = pair_tables_from_votes(terms.scheme, _votes_by_item(ratings))
    report = agreement_report(terms.protocol, patterns, pairs, seed=terms.seed)
    return report.as_json()


def _votes_by_item(ratings: Iterable[RatingRecord]) -> Iterator[Mapping[str, str]]:
    counted = (rating for rating in ratings if rating.counted)
    for _, votes in groupby(counted, key=lambda rating: rating.item_id):
        yield {rating.rater: rating.label for rating in votes}
