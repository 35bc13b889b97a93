"""Votes counted by the database: patterns of answers, confusion between raters, totals of labels;
and the votes one by one in the order in which they were given.

To each rating a statement joins how it counts: 1 for its label and for each answer it gave. An
item's counts are summed, those of a question's items stand together, and questions with the same
are counted. The sums are packed into few whole numbers, so that an item costs a sum or two and
not one for each answer there is. `tomahto.reliability` turns the counts into figures.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import Count, F
from numpy.typing import NDArray

from tasks.models import Campaign, Membership, Outcome
from tasks.votes.ratings import counted_ratings
from tomahto.types import Integers
from tomahto.votes.answer_patterns import END, AnswerColumns, AnswerPatterns, pair_tables_from_codes
from tomahto.votes.majority import majority, majority_totals
from tomahto.votes.patterns import PairTable, Pattern, VotePatterns
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme, QuestionPart, question_parts

_TEXT_OF_ALL = {"postgresql": "STRING_AGG", "sqlite": "GROUP_CONCAT"}
_WIDTHS = (8, 31)  # bits of a count: items with more than 255 ratings take a second attempt
_WORD = 40  # bits used of 63, so that a count too large for its bits overflows nothing


class PackedCounts(NamedTuple):
    """Counts of `width` bits each, as many to a whole number as fit."""

    width: int

    def words(self, counts: Sequence[int]) -> list[int]:
        size = _WORD // self.width
        return [
            sum(count << (self.width * place) for place, count in enumerate(counts[begin:][:size]))
            for begin in range(0, len(counts), size)
        ]

    def counts(self, words: Sequence[int], columns: int) -> tuple[int, ...]:
        size, most = _WORD // self.width, 2**self.width - 1
        places = (divmod(column, size) for column in range(columns))
        return tuple(words[word] >> (self.width * place) & most for word, place in places)


@dataclass(frozen=True)
class VoteCountQuery:
    """The counted ratings of a campaign, and how each outcome they may have counts.

    `outcomes` is the database's list, which keeps those that a protocol permitted before.
    """

    campaign: Campaign
    columns: AnswerColumns
    outcomes: tuple[Outcome, ...]

    @classmethod
    def of(cls, campaign: Campaign, parts: tuple[QuestionPart, ...]) -> "VoteCountQuery":
        """Counted by label, and by answer to these parts of the form."""
        outcomes = Outcome.objects.filter(protocol=campaign.protocol).order_by("id")
        columns = AnswerColumns(campaign.annotation_protocol.scheme, parts)
        return cls(campaign, columns, tuple(outcomes))

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(outcome.label for outcome in self.outcomes)

    def patterns(self) -> AnswerPatterns:
        return self._counted(with_codes=False)[0]

    def patterns_and_codes(self) -> tuple[AnswerPatterns, Integers]:
        """The patterns, and who voted how as `tomahto.votes.answer_patterns` takes it."""
        patterns, codes = self._counted(with_codes=True)
        text = f",{END},".join(codes)
        return patterns, np.fromstring(text, dtype=np.int64, sep=",")

    @cached_property
    def _counts(self) -> list[tuple[int, ...]]:
        return [self.columns.counts_of(each.label, each.answers) for each in self.outcomes]

    def _counted(self, *, with_codes: bool) -> tuple[AnswerPatterns, list[str]]:
        for packing in map(PackedCounts, _WIDTHS):
            rows = self._rows(packing, with_codes=with_codes)
            if max((most for *_, most, _codes in rows), default=0) < 2**packing.width:
                break
        size = len(self._counts[0])

        @cache
        def pattern(words: str) -> Pattern:
            return packing.counts([int(word) for word in words.split()], size)

        questions = {
            tuple(map(pattern, items.split(","))): times for items, times, _most, _codes in rows
        }
        return self.columns.fold_questions(questions), [row[-1] for row in rows]

    def _rows(self, packing: PackedCounts, *, with_codes: bool) -> list[tuple[Any, ...]]:
        """For each combination of items their words, as a text, how many questions have it, the
        most ratings of an item, and all their codes."""
        ballots: list[tuple[str | int, ...]] = [
            (outcome.pk, code, *packing.words(counts))
            for code, (outcome, counts) in enumerate(zip(self.outcomes, self._counts, strict=True))
        ]
        votes, parameters = (
            counted_ratings(self.campaign)
            .annotate(question=F("item__question_id"))
            .values("item_id", "rater_id", "outcome_id", "question")
            .query.sql_with_params()
        )
        statement = _statement(votes, len(ballots), len(ballots[0]) - 2, with_codes=with_codes)
        with connection.cursor() as cursor:
            cursor.execute(statement, [*(cell for row in ballots for cell in row), *parameters])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _statement(votes: str, outcomes: int, words: int, *, with_codes: bool) -> str:
    """The statement around a query for item, question, rater and outcome of each vote.

    Its parameters are the ballots (outcome, code, words), then those of the query.
    """
    join = _TEXT_OF_ALL[connection.vendor]
    names = [f"word{number}" for number in range(words)]
    sums = ", ".join(f"CAST(SUM({name}) AS bigint) AS {name}" for name in names)
    code = f"CAST(rater_id * {outcomes} + code AS text)"
    of_item = f"{join}({code}, ',')" if with_codes else "NULL"
    of_all = f"{join}(codes, ',{END},')" if with_codes else "NULL"
    said = " || ' ' || ".join(f"CAST({name} AS text)" for name in names)
    row = ", ".join(["%s"] * (words + 2))
    # CROSS JOIN, because SQLite would begin with the outcomes and search all ratings for each
    return f"""
WITH ballot (outcome, code, {", ".join(names)}) AS (VALUES {", ".join([f"({row})"] * outcomes)})
SELECT items, COUNT(*), MAX(ratings), {of_all} FROM (
    SELECT {join}({said}, ',') AS items, MAX(ratings) AS ratings, {of_all} AS codes FROM (
        SELECT MIN(question) AS question, {sums}, COUNT(*) AS ratings, {of_item} AS codes
        FROM ({votes}) AS vote CROSS JOIN ballot
        WHERE ballot.outcome = vote.outcome_id GROUP BY vote.item_id
    ) AS item GROUP BY question
) AS question GROUP BY items
"""  # noqa: S608 - names of our own columns


@dataclass(frozen=True)
class Votes:
    """The number of items with each set of answers, and the votes of every two raters who share
    one.

    Raters go by their pseudonyms.
    """

    patterns: AnswerPatterns
    pairs: list[PairTable]


def votes_of(campaign: Campaign) -> Votes:
    """All that agreement is computed from, with one pass over the ratings."""
    parts = question_parts(campaign.annotation_protocol.question_schemes)
    ballots = VoteCountQuery.of(campaign, parts)
    patterns, codes = ballots.patterns_and_codes()
    raters = dict(Membership.objects.filter(campaign=campaign).values_list("pk", "pseudonym"))
    return Votes(patterns, pair_tables_from_codes(codes, raters, ballots.labels))


def vote_patterns(campaign: Campaign) -> VotePatterns:
    return VoteCountQuery.of(campaign, ()).patterns().labels


def votes_by_item(campaign: Campaign) -> dict[int, list[int]]:
    """The votes of every rated item, in the order of the labels."""
    scheme = campaign.annotation_protocol.scheme
    votes: dict[int, list[int]] = defaultdict(lambda: [0] * len(scheme.labels))
    counted = counted_ratings(campaign).values_list("item", "outcome__label")
    for item, label, number in counted.annotate(votes=Count("id")).order_by():
        votes[item][scheme.index_of[label]] = number
    return dict(votes)


def majority_labels(
    campaign: Campaign, votes: Mapping[int, Sequence[int]]
) -> dict[int, str | None]:
    """The majority label of every item of these votes, None for a tie."""
    scheme = campaign.annotation_protocol.scheme
    return {item: majority(scheme, tuple(each)).winner for item, each in votes.items()}


def labels_by_question_type(campaign: Campaign) -> dict[str, dict[str, int]]:
    """The number of votes of each label, for every type of question there is (CAP Tab. 15)."""
    if not campaign.questions.exclude(question_type="").exists():
        return {}
    counts: dict[str, dict[str, int]] = {}
    labels = campaign.annotation_protocol.scheme.labels
    rows = (
        counted_ratings(campaign)
        .exclude(item__question__question_type="")
        .values_list("item__question__question_type", "outcome__label")
        .annotate(votes=Count("id"))
        .order_by()
    )
    for kind, label, votes in rows:
        counts.setdefault(kind, dict.fromkeys(labels, 0))[label] = votes
    return dict(sorted(counts.items()))


@dataclass(frozen=True, slots=True)
class LabelTotals:
    """The numbers of items with a correct majority label, an incorrect one, and none."""

    correct: int
    incorrect: int
    ties: int


def label_totals(campaign: Campaign) -> LabelTotals:
    totals, ties = majority_totals(vote_patterns(campaign))
    good = campaign.annotation_protocol.correct_labels
    correct = sum(number for label, number in totals.items() if label in good)
    return LabelTotals(correct, sum(totals.values()) - correct, ties)


def labels_by_rank(scheme: LabelScheme) -> list[str]:
    """The labels from the highest rank to the lowest; equal ranks as in the scheme."""
    return sorted(scheme.labels, key=lambda label: (-scheme.rank_of[label], scheme.index_of[label]))


@dataclass(frozen=True, eq=False)
class RatingSequence:
    """Counted ratings in their current revision, raters under their pseudonyms.

    `rows` stand in the order of the times at which they were given, those without a time first
    and in the order in which they came. `seconds` (N,) is NaN where the time taken is not known.
    `questions` (I,) has the question of every item, by the items' numbers; they too are numbered
    from 0.
    """

    rows: RatingRows
    seconds: NDArray[np.float64]
    questions: Integers


def rating_sequence(campaign: Campaign) -> RatingSequence | None:
    """All counted ratings in two queries; None while there are none."""
    scheme = campaign.annotation_protocol.scheme
    ratings = list(
        counted_ratings(campaign)
        .order_by(F("rated_at").asc(nulls_first=True), "id")
        .values_list("item_id", "item__question_id", "rater_id", "outcome__label", "seconds")
    )
    if not ratings:
        return None
    items, questions, raters, labels, seconds = zip(*ratings, strict=True)
    names = dict(Membership.objects.filter(campaign=campaign).values_list("id", "pseudonym"))
    rater_ids = sorted(set(raters), key=names.__getitem__)
    number_of = {rater: number for number, rater in enumerate(rater_ids)}
    _items, firsts, numbers = np.unique(np.array(items), return_index=True, return_inverse=True)
    rows = RatingRows(
        numbers.astype(np.int64),
        np.array([number_of[rater] for rater in raters], dtype=np.int64),
        np.array([scheme.index_of[label] for label in labels], dtype=np.int64),
        tuple(names[rater] for rater in rater_ids),
        scheme.labels,
    )
    return RatingSequence(
        rows,
        np.array(seconds, dtype=np.float64),
        np.unique(np.array(questions)[firsts], return_inverse=True)[1].astype(np.int64),
    )
