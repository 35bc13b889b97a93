"""The votes and the majority label of every item, counted in arrays."""

import numpy as np

from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Item
from tasks.votes.labels import votes_by_item
from tests.tasks.conftest import MakeCampaign, rating_row
from tomahto.votes.majority import TIED, UNRATED, majority


def test_the_majority_of_items_is_that_of_their_votes(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=6, overlap=3, protocol="cap")
    labels = ("exact", "partial", "invalid")
    votes = {2: (0,), 3: (1, 1, 2), 4: (2, 0), 5: (0, 1, 2)}
    rows = [
        rating_row(item, rater, labels[place])
        for item, places in votes.items()
        for rater, place in zip(("ann", "ben", "cat"), places, strict=False)
    ]
    import_ratings(campaign=campaign, rows=rows)
    counted, scheme = votes_by_item(campaign), campaign.annotation_protocol.scheme
    assert counted.majority_labels == {
        item: majority(scheme, tuple(counts)).winner
        for item, counts in counted.counts_by_item.items()
    }
    items = np.array(Item.objects.order_by("key").values_list("pk", flat=True))
    exact, partial = (scheme.index_of[label] for label in labels[:2])
    expected = [UNRATED, exact, partial, TIED, TIED, UNRATED]
    assert counted.majority_of(items).tolist() == expected


def test_without_a_vote_no_item_has_a_label(make_campaign: MakeCampaign) -> None:
    counted = votes_by_item(make_campaign(items=1))
    assert counted.majority_labels == {}
    assert counted.majority_of(np.array([1, 2])).tolist() == [UNRATED, UNRATED]
