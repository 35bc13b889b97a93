"""Agreement of a release as a whole and of each split, by the functions pages use too."""

from itertools import groupby
from typing import Any

import numpy as np

from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.records.adjudications import Adjudications
from tomahto.releases.records.ratings import Ratings
from tomahto.reliability.report import agreement_report
from tomahto.votes.answer_patterns import AnswerColumns, AnswerPatterns
from tomahto.votes.codes import END, pair_tables_from_codes
from tomahto.votes.patterns import VotePatterns, pair_tables_from_votes
from tomahto.votes.questions import question_parts


def release_agreement(dataset: Dataset) -> dict[str, Any]:
    """`{"whole": …, "splits": {split: …}}`, each as the command `agreement --json` prints it.

    Where there are adjudications, `adjudication` is the same of the adjudicators' decisions.
    """
    terms = dataset.terms
    agreement = {
        "whole": _of_ratings(terms, dataset.ratings),
        "splits": {
            split: _of_ratings(terms, dataset.ratings_by_split[split]) for split in dataset.splits
        },
    }
    if dataset.adjudications:
        agreement["adjudication"] = _of_adjudications(terms, dataset.adjudications)
    return agreement


def _of_ratings(terms: Terms, ratings: Ratings) -> dict[str, Any]:
    counted = ratings.where(ratings.rows["is_counted"])
    codes = counted.rows["rater"].astype(np.int64) * len(counted.labels) + counted.rows["label"]
    first_of_item = np.flatnonzero(np.diff(counted.rows["item"], prepend=-1))
    pairs = pair_tables_from_codes(
        np.insert(codes, first_of_item, END), dict(enumerate(counted.raters)), counted.labels
    )
    patterns = _answer_patterns(terms, counted)
    return agreement_report(terms.protocol, patterns, pairs, seed=terms.seed).as_json()


def _answer_patterns(terms: Terms, counted: Ratings) -> AnswerPatterns:
    """Each kind of rating, a label with its answers, counts alike wherever it occurs."""
    columns = AnswerColumns(terms.scheme, question_parts(terms.question_schemes))
    if not counted:
        return columns.fold({})
    sets = len(counted.answer_sets)
    said = counted.rows["label"].astype(np.int64) * sets + counted.rows["answers"]
    kinds, kind_of = np.unique(said, return_inverse=True)
    counts = [
        columns.counts_of(counted.labels[kind // sets], counted.answer_sets[kind % sets])
        for kind in kinds.tolist()
    ]
    _items, item_of = np.unique(counted.rows["item"], return_inverse=True)
    votes = [np.bincount(item_of, weights=of_kind[kind_of]) for of_kind in np.array(counts).T]
    patterns, items = np.unique(np.stack(votes, axis=1), axis=0, return_counts=True)
    rows = (tuple(map(int, row)) for row in patterns.tolist())
    return columns.fold(dict(zip(rows, items.tolist(), strict=True)))


def _of_adjudications(terms: Terms, adjudications: Adjudications) -> dict[str, Any]:
    by_item = groupby(adjudications, key=lambda each: each.item_id)
    votes = [{each.adjudicator: each.label for each in group} for _, group in by_item]
    patterns = VotePatterns.from_votes(terms.scheme, (each.values() for each in votes))
    pairs = pair_tables_from_votes(terms.scheme, votes)
    whole = AnswerPatterns(patterns, questions={})
    return agreement_report(terms.protocol, whole, pairs, seed=terms.seed).as_json()
