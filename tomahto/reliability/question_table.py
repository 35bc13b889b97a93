"""Ratings as kinds of question, these without each of the raters, and alpha of either.

Krippendorff's alpha follows from how often each label occurs and how often two labels meet on an
item. A *row* has these numbers side by side (C = L + L (L - 1) / 2 of them): the ratings n_a of
every label, then for every two labels the sum of n_ua n_ub / (n_u - 1) over items u with n_u >= 2
ratings (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section D). Rows add up
over items and questions. Questions of which the items have the same labels equally often are one
kind: millions of questions are a few hundred kinds.
"""

from dataclasses import dataclass

import numpy as np

from tomahto.estimates.bootstrap import ratio
from tomahto.types import Floats, Integers
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme
from tomahto.votes.values_by_units import scaled, value_columns, why_alpha_is_undefined


@dataclass(frozen=True, eq=False)
class QuestionTable:
    """The questions with an item of two ratings or more, and what becomes of them without a rater.

    `total` (C,) is the row of all, `kinds` (K, C) those of the kinds of question, of which there
    are `times` (K,) each. Without rater `changed_raters[e]` the rows of `changed_times[e]`
    questions of kind `changed_kinds[e]` change by `changes[changed_by[e]]`; the last of the
    `changes` (D, C) is none. `n` is the number of items, `n_without` (R,) that without each rater.
    """

    total: Floats
    kinds: Floats
    times: Integers
    changes: Floats
    changed_raters: Integers
    changed_kinds: Integers
    changed_by: Integers
    changed_times: Integers
    n: int
    n_without: Integers


@dataclass(frozen=True, eq=False)
class Scale:
    """The distances of labels: `values` (V,) of the labels, and `value_of` (L,) the place of each
    label's value; `first` and `second` (P,) are all pairs of labels."""

    scheme: LabelScheme
    values: Floats
    value_of: Integers
    first: Integers
    second: Integers

    @classmethod
    def of(cls, scheme: LabelScheme) -> "Scale":
        """The distances of a scheme's labels at its level."""
        values, value_of = value_columns(scheme, scheme.level)
        return cls(scheme, scaled(values), value_of, *np.triu_indices(len(value_of), 1))

    def alphas(self, rows: Floats) -> Floats:
        """Alpha of every row (N,); NaN where it is undefined."""
        observed, expected, n = self.disagreements(rows)
        return 1 - ratio(observed.sum(axis=1) * (n - 1), expected.sum(axis=1))

    def alphas_without_pairs(self, rows: Floats) -> Floats:
        """Alpha of every row without the difference of each pair of labels (N, P)."""
        observed, expected, n = self.disagreements(rows)
        # sums of the others, not differences from the whole: what is 0 is then exactly so
        others = 1 - np.eye(len(self.first))
        return 1 - ratio(observed @ others * (n[:, np.newaxis] - 1), expected @ others)

    def disagreements(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """The parts of each pair of labels in n D_o / 2 and in n (n - 1) D_e / 2, (N, P) both,
        and n (N,)."""
        labels = len(self.value_of)
        ratings, meetings, distances = rows[:, :labels], rows[:, labels:], self.distances(rows)
        expected = ratings[:, self.first] * ratings[:, self.second] * distances
        return meetings * distances, expected, ratings.sum(axis=1)

    def distances(self, rows: Floats) -> Floats:
        """The difference d_ab of each pair of labels: (1, P), or (N, P) at the ordinal level."""
        if self.scheme.level == "nominal":
            return np.ones((1, len(self.first)))
        places = self.values[np.newaxis]
        if self.scheme.level == "ordinal":
            by_value = rows[:, : len(self.value_of)] @ np.eye(len(self.values))[self.value_of]
            places = by_value.cumsum(axis=1) - by_value / 2
        of_label = places[:, self.value_of]
        differences: Floats = of_label[:, self.first] - of_label[:, self.second]
        return differences**2

    def why_undefined(self, row: Floats, n: int) -> str | None:
        """Why the row of so many items has no alpha, or None if it has one."""
        values = len(np.unique(self.value_of[row[: len(self.value_of)] > 0]))
        return why_alpha_is_undefined(n, values, self.scheme.level)


def question_table(rows: RatingRows, questions: Integers) -> QuestionTable:
    """The table of ratings, with the question's number of every item (I,)."""
    labels = len(rows.label_names)
    sizes = np.bincount(rows.items)
    pairable = np.flatnonzero(sizes > 1)
    shared = sizes[rows.items] > 1
    items = np.searchsorted(pairable, rows.items[shared])
    raters, chosen = rows.raters[shared], rows.labels[shared]
    question_of = np.unique(questions[pairable], return_inverse=True)[1]
    item_kinds, counts = _kinds(items, chosen, np.eye(labels))
    kind_rows = item_rows(counts)
    question_kinds, kinds = _kinds(question_of, item_kinds, kind_rows)
    times = np.bincount(question_kinds, minlength=len(kinds))

    votes, vote_of = np.unique(item_kinds[items] * labels + chosen, return_inverse=True)
    voted, label = np.divmod(votes, labels)
    fewer = counts[voted]
    fewer[np.arange(len(votes)), label] -= 1
    pairs, pair_of = np.unique(
        raters * len(question_kinds) + question_of[items], return_inverse=True
    )
    pair_changes, changes = _kinds(pair_of, vote_of, item_rows(fewer) - kind_rows[voted])
    pair_raters, pair_questions = np.divmod(pairs, len(question_kinds))
    kinds_and_changes = question_kinds[pair_questions] * len(changes) + pair_changes
    width = len(kinds) * len(changes)
    changed, changed_times = np.unique(pair_raters * width + kinds_and_changes, return_counts=True)
    changed_kinds, changed_by = np.divmod(changed % width, len(changes))
    needed = np.bincount(raters[sizes[rows.items[shared]] == 2], minlength=len(rows.rater_names))
    return QuestionTable(
        times @ kinds,
        kinds,
        times,
        np.append(changes, np.zeros((1, kinds.shape[1])), axis=0),
        changed // width,
        changed_kinds,
        changed_by,
        changed_times,
        len(pairable),
        len(pairable) - needed,
    )


def _kinds(groups: Integers, codes: Integers, table: Floats) -> tuple[Integers, Floats]:
    """Groups that have the same codes equally often: the kind of each (G,), and of each kind the
    sum of its codes' rows in the table (K, C). Groups are numbered from 0 without a gap.
    """
    kinds = _alike(groups, codes)
    number, first = np.unique(kinds, return_index=True)
    is_first = np.isin(np.arange(len(kinds)), first)[groups]
    of_kind, code = kinds[groups[is_first]], codes[is_first]
    sums = [np.bincount(of_kind, column[code], minlength=len(number)) for column in table.T]
    return kinds, np.stack(sums, axis=1)


def _alike(groups: Integers, codes: Integers) -> Integers:
    """A number for every group (G,), the same where groups have the same codes equally often."""
    width = int(codes.max(initial=0)) + 1
    groups, codes = np.divmod(np.sort(groups * width + codes), width)
    while True:
        # neighbours in a group become one code, until every group has one
        is_start = np.diff(groups, prepend=-1) > 0
        if is_start.all():
            return np.unique(codes, return_inverse=True)[1]
        place = np.arange(len(groups))
        place -= np.maximum.accumulate(np.where(is_start, place, 0))
        following = np.where(np.append(is_start[1:], True), 0, np.append(codes[1:], 0) + 1)
        is_even = place % 2 == 0
        merged = codes[is_even] * (int(codes.max()) + 2) + following[is_even]
        groups, codes = groups[is_even], np.unique(merged, return_inverse=True)[1]


def item_rows(counts: Integers | Floats) -> Floats:
    """The row of items with so many ratings of each label (N, L); zeros where there is one only."""
    first, second = np.triu_indices(counts.shape[1], 1)
    sizes = counts.sum(axis=1, keepdims=True)
    meetings = counts[:, first] * counts[:, second] / np.maximum(sizes - 1, 1)
    return np.where(sizes > 1, np.concatenate([counts, meetings], axis=1), 0)
