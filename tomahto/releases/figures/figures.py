"""The figures of a release and the files that have them: agreement, statistics, splits, and what
Dawid and Skene's model says of classes and raters.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isclose
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.dataset.labels import DECIMALS, decimals_of
from tomahto.releases.dataset.split_report import SPLITS, split_report
from tomahto.releases.figures.statistics import release_statistics
from tomahto.releases.records.intake import Adjudications
from tomahto.releases.records.ratings import Ratings
from tomahto.reliability.report import agreement_report
from tomahto.types import Floats
from tomahto.votes.answer_patterns import AnswerColumns, AnswerPatterns, Ballots
from tomahto.votes.dawid_skene import DawidSkene
from tomahto.votes.patterns import PairTable, VotePatterns, pair_tables_from_votes
from tomahto.votes.scheme import question_parts

AGREEMENT, STATISTICS = "agreement.json", "statistics.json"


class Figures(NamedTuple):
    """Each is the content of the file so called."""

    agreement: Mapping[str, Any]
    statistics: Mapping[str, Any]
    splits: Mapping[str, Any]
    dawid_skene: Mapping[str, Any]

    @property
    def files(self) -> Mapping[str, Mapping[str, Any]]:
        """The figures by the paths of their files."""
        return dict(zip(FIGURE_FILES, self, strict=True))


DAWID_SKENE = "dawid_skene.json"

FIGURE_FILES = (AGREEMENT, STATISTICS, SPLITS, DAWID_SKENE)


def figures_of(dataset: Dataset) -> Figures:
    return Figures(
        release_agreement(dataset),
        release_statistics(dataset),
        split_report(dataset),
        dawid_skene_json(dataset.estimate),
    )


def release_agreement(dataset: Dataset) -> dict[str, Any]:
    """`{"whole": …, "splits": {split: …}}`, each as the command `agreement --json` prints it.

    Where there are adjudications, `adjudication` is the same of the adjudicators' decisions.
    """
    terms = dataset.terms
    numbers: dict[str, int] = {}
    questions = np.fromiter(
        (numbers.setdefault(item.question_id, len(numbers)) for item in dataset.items.records),
        np.int32,
        len(dataset.items),
    )
    agreement = {
        "whole": _of_ratings(terms, dataset.ratings, questions),
        "splits": {
            split: _of_ratings(terms, dataset.ratings_by_split[split], questions)
            for split in dataset.splits
        },
    }
    if dataset.adjudications:
        decided = {each.item_id for each in dataset.adjudications}
        of_items = {
            item.id: item.question_id for item in dataset.items.records if item.id in decided
        }
        agreement["adjudication"] = _of_adjudications(terms, dataset.adjudications, of_items)
    return agreement


def _of_ratings(terms: Terms, ratings: Ratings, questions: NDArray[np.int32]) -> dict[str, Any]:
    counted = ratings.where(ratings.rows["is_counted"])
    columns = AnswerColumns(terms.scheme, question_parts(terms.question_schemes))
    # each kind of rating, a label with its answers, counts alike wherever it occurs
    sets = len(counted.answer_sets)
    said = counted.rows["label"].astype(np.int64) * sets + counted.rows["answers"]
    kinds, kind_of = np.unique(said, return_inverse=True)
    outcomes = [(counted.labels[kind // sets], counted.answer_sets[kind % sets]) for kind in kinds]
    items = counted.rows["item"]
    ballots = Ballots(
        items,
        questions[items],
        counted.rows["rater"],
        kind_of,
        [columns.counts_of(*outcome) for outcome in outcomes],
        [label for label, _answers in outcomes],
    )
    pairs = ballots.pair_tables(dict(enumerate(counted.raters)))
    return _report(terms, ballots.patterns(columns), pairs)


def _of_adjudications(
    terms: Terms, adjudications: Adjudications, questions: Mapping[str, str]
) -> dict[str, Any]:
    by_item = groupby(adjudications, key=lambda each: each.item_id)
    votes = {item: {each.adjudicator: each.label for each in group} for item, group in by_item}
    patterns = VotePatterns.from_votes_of_questions(
        terms.scheme, ((questions[item], each.values()) for item, each in votes.items())
    )
    pairs = pair_tables_from_votes(terms.scheme, votes.values())
    return _report(terms, AnswerPatterns(patterns, questions={}), pairs)


def _report(terms: Terms, patterns: AnswerPatterns, pairs: Sequence[PairTable]) -> dict[str, Any]:
    is_first = terms.figures_version == 1
    if is_first:
        patterns = patterns.without_questions()
    report = agreement_report(
        terms.protocol, patterns, pairs, seed=terms.seed, is_widened=not is_first
    )
    return report.as_json()


def dawid_skene_json(estimate: DawidSkene) -> dict[str, Any]:
    """The estimate from the counted ratings, its probabilities rounded to the decimals that hold.

    `priors` is how frequent each label is; a rater's `confusion` says, for items that are of the
    label named first, how probable the rater gives the label named second, and `accuracy` how
    probable the rater labels a random item as what it is. The matrix rests on `ratings` ratings.
    """
    return {
        "model": "Dawid and Skene (1979), EM from the shares of votes",
        "labels": list(estimate.label_names),
        "items": len(estimate.posteriors),
        "ratings": int(estimate.ratings.sum()),
        "smoothing": estimate.smoothing,
        "iterations": estimate.iterations,
        "converged": estimate.is_converged,
        "decimals": decimals_of(estimate),
        "priors": _by_label(estimate, estimate.priors),
        "raters": {
            name: _rater(estimate, place) for place, name in enumerate(estimate.rater_names)
        },
    }


def _rater(estimate: DawidSkene, place: int) -> dict[str, Any]:
    matrix = estimate.confusions[place]
    return {
        "ratings": int(estimate.ratings[place]),
        "accuracy": round(estimate.accuracy_of(place), decimals_of(estimate)),
        "confusion": {
            label: _by_label(estimate, row)
            for label, row in zip(estimate.label_names, matrix, strict=True)
        },
    }


def _by_label(estimate: DawidSkene, values: Floats) -> dict[str, float]:
    return {
        label: round(value, decimals_of(estimate))
        for label, value in zip(estimate.label_names, values.tolist(), strict=True)
    }


LAST_DECIMAL = 1.5 * 10**-DECIMALS  # how far numbers rounded to DECIMALS can be rounded apart


def is_same(found: Any, expected: Any, *, tolerance: float = 1e-12) -> bool:
    """Whether two JSON values are equal, numbers up to `tolerance` or a billionth of them."""
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and found.keys() == expected.keys()
            and all(is_same(found[key], expected[key], tolerance=tolerance) for key in expected)
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(found, list | tuple)
            and len(found) == len(expected)
            and all(
                is_same(one, other, tolerance=tolerance)
                for one, other in zip(found, expected, strict=True)
            )
        )
    if isinstance(expected, float) and type(found) in (int, float):
        return isclose(found, expected, rel_tol=1e-9, abs_tol=tolerance)
    return type(found) is type(expected) and bool(found == expected)
