"""The votes of a campaign one by one, in the order in which they were given."""

from dataclasses import dataclass

import numpy as np
from django.db.models import F
from numpy.typing import NDArray

from tasks.models import Campaign, Membership
from tasks.votes.ratings import counted_ratings
from tomahto.types import Integers
from tomahto.votes.rating_rows import RatingRows


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
