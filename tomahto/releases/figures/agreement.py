"""Agreement of a release as a whole and of each split, by the functions pages use too."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.records.adjudications import Adjudications
from tomahto.releases.records.ratings import Ratings
from tomahto.reliability.report import agreement_report
from tomahto.votes.answer_patterns import AnswerColumns, AnswerPatterns
from tomahto.votes.codes import END, pair_tables_from_codes
from tomahto.votes.patterns import PairTable, Pattern, VotePatterns, pair_tables_from_votes
from tomahto.votes.questions import question_parts


def release_agreement(dataset: Dataset) -> dict[str, Any]:
    """`{"whole": …, "splits": {split: …}}`, each as the command `agreement --json` prints it.

    Where there are adjudications, `adjudication` is the same of the adjudicators' decisions.
    """
    terms = dataset.terms
    questions = {item.id: item.question_id for item in dataset.items.records}
    agreement = {
        "whole": _of_ratings(terms, dataset.ratings, questions),
        "splits": {
            split: _of_ratings(terms, dataset.ratings_by_split[split], questions)
            for split in dataset.splits
        },
    }
    if dataset.adjudications:
        agreement["adjudication"] = _of_adjudications(terms, dataset.adjudications, questions)
    return agreement


def _of_ratings(terms: Terms, ratings: Ratings, questions: Mapping[str, str]) -> dict[str, Any]:
    counted = ratings.where(ratings.rows["is_counted"])
    codes = counted.rows["rater"].astype(np.int64) * len(counted.labels) + counted.rows["label"]
    first_of_item = np.flatnonzero(np.diff(counted.rows["item"], prepend=-1))
    pairs = pair_tables_from_codes(
        np.insert(codes, first_of_item, END), dict(enumerate(counted.raters)), counted.labels
    )
    patterns = _answer_patterns(terms, counted, questions)
    return _report(terms, patterns, pairs)


def _answer_patterns(
    terms: Terms, counted: Ratings, questions: Mapping[str, str]
) -> AnswerPatterns:
    """Each kind of rating, a label with its answers, counts alike wherever it occurs."""
    columns = AnswerColumns(terms.scheme, question_parts(terms.question_schemes))
    if not counted:
        return columns.fold_questions({})
    sets = len(counted.answer_sets)
    said = counted.rows["label"].astype(np.int64) * sets + counted.rows["answers"]
    kinds, kind_of = np.unique(said, return_inverse=True)
    counts = [
        columns.counts_of(counted.labels[kind // sets], counted.answer_sets[kind % sets])
        for kind in kinds.tolist()
    ]
    items, item_of = np.unique(counted.rows["item"], return_inverse=True)
    votes = [np.bincount(item_of, weights=of_kind[kind_of]) for of_kind in np.array(counts).T]
    rows, pattern_of = np.unique(np.stack(votes, axis=1), axis=0, return_inverse=True)
    patterns = [tuple(map(int, row)) for row in rows.tolist()]
    by_question: dict[str, list[Pattern]] = defaultdict(list)
    for item, place in zip(items.tolist(), pattern_of.tolist(), strict=True):
        by_question[questions[counted.item_ids[item]]].append(patterns[place])
    return columns.fold_questions(Counter(map(tuple, by_question.values())))


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
