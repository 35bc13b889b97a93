"""Votes counted: patterns of answers and confusion between raters; and the votes one by one in the
order in which they were given.

`tomahto.reliability` turns the counts into figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from django.db.models import BigIntegerField, Case, F, Value, When
from numpy.typing import NDArray

from tasks.models import Campaign, Membership, Outcome
from tasks.votes.columns import Microseconds, columns_of
from tasks.votes.ratings import counted_ratings
from tomahto.types import Integers
from tomahto.votes.answer_patterns import AnswerColumns, AnswerPatterns, Ballots
from tomahto.votes.patterns import PairTable, VotePatterns
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme, QuestionPart, question_parts


@dataclass(frozen=True)
class VoteQuery:
    """The counted ratings of a campaign, by label and by answer to `parts` of the form."""

    campaign: Campaign
    parts: tuple[QuestionPart, ...] = ()

    @cached_property
    def columns(self) -> AnswerColumns:
        return AnswerColumns(self.campaign.annotation_protocol.scheme, self.parts)

    def ballots(self) -> Ballots:
        """The votes by item, with one pass over the ratings."""
        # the database's list, which keeps those that a protocol permitted before
        outcomes = list(Outcome.objects.filter(protocol=self.campaign.protocol).order_by("id"))
        # as one number, because each number of each vote has its cost
        place = _place_of("outcome", [each.pk for each in outcomes])
        votes = counted_ratings(self.campaign).values_list(
            "item_id", "item__question_id", F("rater_id") * len(outcomes) + place
        )
        items, questions, codes = columns_of(votes, int, int, int)
        raters, places = np.divmod(codes, len(outcomes))
        counts = [self.columns.counts_of(each.label, each.answers) for each in outcomes]
        labels = [each.label for each in outcomes]
        return Ballots(items, questions, raters, places, counts, labels).by_item()


def label_place(scheme: LabelScheme) -> Case:
    """Of ratings: the place of their label in the scheme."""
    return _place_of("outcome__label", scheme.labels)


def _place_of(name: str, values: Sequence[str]) -> Case:
    """The place of a rating's column among these values, all that there are."""
    known = (When(**{name: value}, then=Value(place)) for place, value in enumerate(values))
    return Case(*known, output_field=BigIntegerField())


@dataclass(frozen=True)
class Votes:
    """The number of items with each set of answers, and the votes of every two raters who share
    one.

    Raters go by their pseudonyms.
    """

    patterns: AnswerPatterns
    pairs: list[PairTable]


def votes_of(campaign: Campaign) -> Votes:
    """All that agreement is computed from."""
    query = VoteQuery(campaign, question_parts(campaign.annotation_protocol.question_schemes))
    ballots = query.ballots()
    raters = dict(Membership.objects.filter(campaign=campaign).values_list("pk", "pseudonym"))
    return Votes(ballots.patterns(query.columns), ballots.pair_tables(raters))


def vote_patterns(campaign: Campaign) -> VotePatterns:
    query = VoteQuery(campaign)
    return query.ballots().patterns(query.columns).labels


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
    """All counted ratings with one pass over them; None while there are none."""
    label = label_place(campaign.annotation_protocol.scheme)
    votes = counted_ratings(campaign).values_list(
        *("id", "item_id", "item__question_id", "rater_id", label, "seconds"),
        Microseconds("rated_at"),
    )
    ids, *columns, times = columns_of(votes, int, int, int, int, int, float, float)
    if not len(ids):
        return None
    order = np.lexsort((ids, np.nan_to_num(times, nan=-np.inf)))
    items, questions, raters, labels, seconds = (column[order] for column in columns)
    _items, firsts, numbers = np.unique(items, return_index=True, return_inverse=True)
    rows = rating_rows(campaign, numbers, raters, labels)
    return RatingSequence(rows, seconds, np.unique(questions[firsts], return_inverse=True)[1])


def rating_rows(
    campaign: Campaign, items: Integers, raters: Integers, labels: Integers
) -> RatingRows:
    """From the number of each rating's item, the id of its rater and the place of its label, (N,)
    all three; raters under their pseudonyms."""
    names = dict(Membership.objects.filter(campaign=campaign).values_list("id", "pseudonym"))
    rater_ids, rater_of = np.unique(raters, return_inverse=True)
    pseudonyms = [names[rater] for rater in rater_ids.tolist()]
    return RatingRows(
        items,
        np.argsort(np.argsort(pseudonyms))[rater_of],
        labels,
        tuple(sorted(pseudonyms)),
        campaign.annotation_protocol.scheme.labels,
    )
