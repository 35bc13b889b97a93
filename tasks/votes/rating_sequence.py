"""The votes of a campaign one by one, in the order in which they were given."""

import math
from dataclasses import dataclass

import numpy as np
from django.db.models import F
from numpy.typing import NDArray

from tasks.models import Campaign, Membership, Outcome
from tasks.votes.one_reading import read_once
from tasks.votes.ratings import counted_ratings
from tomahto.votes.rating_rows import RatingRows

_ROW = np.dtype([("item", "i8"), ("rater", "i8"), ("label", "i2"), ("seconds", "f8")])


@dataclass(frozen=True, eq=False)
class RatingSequence:
    """Counted ratings in their current revision, raters under their pseudonyms.

    `rows` stand in the order of the times at which they were given, those without a time first
    and in the order in which they came. `seconds` (N,) is NaN where the time taken is not known.
    """

    rows: RatingRows
    seconds: NDArray[np.float64]


@read_once
def rating_sequence(campaign: Campaign) -> RatingSequence | None:
    """All counted ratings in three queries; None while there are none."""
    found = (
        counted_ratings(campaign)
        .order_by(F("rated_at").asc(nulls_first=True), "id")
        .values_list("item_id", "rater_id", "outcome_id", "seconds")
    )
    labels = campaign.annotation_protocol.scheme.labels
    outcomes = Outcome.objects.filter(protocol=campaign.protocol, label__in=labels)
    place_of = {each.pk: labels.index(each.label) for each in outcomes}
    ratings = np.fromiter(
        (
            (item, rater, place_of[outcome], math.nan if seconds is None else seconds)
            for item, rater, outcome, seconds in found.iterator(chunk_size=5000)
        ),
        _ROW,
    )
    if not len(ratings):
        return None
    names = dict(Membership.objects.filter(campaign=campaign).values_list("id", "pseudonym"))
    raters, place = np.unique(ratings["rater"], return_inverse=True)
    pseudonyms = [names[rater] for rater in raters.tolist()]
    by_name = sorted(range(len(pseudonyms)), key=pseudonyms.__getitem__)
    rows = RatingRows(
        np.unique(ratings["item"], return_inverse=True)[1].astype(np.int64),
        np.argsort(by_name)[place].astype(np.int64),
        ratings["label"].astype(np.int64),
        tuple(sorted(pseudonyms)),
        labels,
    )
    return RatingSequence(rows, ratings["seconds"].copy())
