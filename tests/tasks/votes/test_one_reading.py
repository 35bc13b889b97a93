"""What a worker's figures are made of is read once for all, and anew for everybody else."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.agreement.figures.figures import FIGURES
from tasks.intake.workflow.ratings import import_ratings
from tasks.votes.one_reading import one_reading
from tasks.votes.patterns import votes_by_item
from tests.tasks.conftest import MakeCampaign, rating_row

pytestmark = pytest.mark.slow


def test_votes_are_read_once_in_a_reading_and_anew_after_it(make_campaign: MakeCampaign) -> None:
    campaign, other = make_campaign(items=2), make_campaign(items=1)
    (one, two) = campaign.items.order_by("id")
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent")])
    with one_reading():
        assert votes_by_item(campaign) == {one.pk: (1, 0)}
        import_ratings(campaign=campaign, rows=[rating_row(2, "ann", "not-equivalent")])
        assert votes_by_item(campaign) == {one.pk: (1, 0)}
        assert votes_by_item(other) == {}
    assert votes_by_item(campaign) == {one.pk: (1, 0), two.pk: (0, 1)}


def test_figures_made_together_are_those_made_alone_from_fewer_queries(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=4, overlap=2)
    rows = [
        rating_row(n, rater, label)
        for n in range(1, 4)
        for rater, label in [("ann", "equivalent"), ("ben", "not-equivalent")]
    ]
    import_ratings(campaign=campaign, rows=rows)
    with CaptureQueriesContext(connection) as apart:
        alone = {name: json.dumps(figures(campaign)) for name, figures in FIGURES.items()}
    with CaptureQueriesContext(connection) as at_once, one_reading():
        together = {name: json.dumps(figures(campaign)) for name, figures in FIGURES.items()}
    assert together == alone
    assert len(at_once) < len(apart)
