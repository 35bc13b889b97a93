"""The figures of raters, by hand on a small campaign."""

import json
from datetime import UTC, datetime
from time import process_time

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.agreement.figures.raters_figures import raters_figures
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Rating
from tasks.votes.patterns import rating_sequence
from tests.simulations import simulate, store
from tests.tasks.conftest import MakeCampaign, MakeMember, rating_row

pytestmark = pytest.mark.slow


YES, NO = "equivalent", "not-equivalent"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def rate(campaign: Campaign) -> dict[str, str]:
    """ann agrees with ben on one item of three; cat is surplus. Pseudonyms by name."""
    rows = [
        rating_row(1, "ann", YES, seconds=10.0, rated_at=NOON),
        rating_row(2, "ann", NO, seconds=30.0, rated_at=NOON.replace(hour=9)),
        rating_row(3, "ann", NO),
        rating_row(1, "ben", YES, seconds=8.0),
        rating_row(2, "ben", YES),
        rating_row(3, "ben", YES),
        rating_row(1, "cat", NO, counted=False, seconds=5.0),
    ]
    import_ratings(campaign=campaign, rows=rows)
    return dict(campaign.memberships.values_list("name", "pseudonym"))


def test_rater_figures_by_hand(make_campaign: MakeCampaign, make_member: MakeMember) -> None:
    campaign = make_campaign(items=3, overlap=2)
    idle = make_member(campaign, "idle")
    make_member(campaign, "boss", role="admin")
    names = rate(campaign)
    figures = raters_figures(campaign)
    assert json.loads(json.dumps(figures)) == figures
    assert figures["labels"] == [YES, NO]
    by_rater = {each["rater"]: each for each in figures["raters"]}
    assert set(by_rater) == {names["ann"], names["ben"], names["cat"], idle.pseudonym}
    imported = {name for name, each in by_rater.items() if each["is_imported"]}
    assert imported == {names["ann"], names["ben"], names["cat"]}
    ann = by_rater[names["ann"]]
    assert (ann["items"], ann["surplus"], ann["skipped"]) == (3, 0, 0)
    assert (ann["seconds_total"], ann["seconds_median"]["value"]) == (40.0, 20.0)
    assert datetime.fromisoformat(ann["last_rated_at"]) == NOON
    assert (ann["agreement"]["value"], ann["agreement"]["n"]) == (pytest.approx(1 / 3), 3)
    # ben always says yes: agreement is what chance gives, 1/3
    assert ann["kappa"]["unweighted"]["value"] == pytest.approx(0)
    assert ann["confusion"] == [[1.0, 0.0], [2.0, 0.0]]
    assert [(one["from"], one["to"]) for one in ann["windows"]] == [(1, 3)]
    cat = by_rater[names["cat"]]
    assert (cat["items"], cat["surplus"], cat["seconds_total"]) == (0, 1, 5.0)
    assert cat["agreement"] == by_rater[idle.pseudonym]["agreement"]
    assert cat["agreement"]["reason"] == "no rating counts yet"
    assert by_rater[idle.pseudonym]["last_rated_at"] is None


def test_rating_sequence_is_in_the_order_of_the_times(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=3, overlap=2)
    names = rate(campaign)
    sequence = rating_sequence(campaign)
    assert sequence is not None
    rows = sequence.rows
    given = [
        (rows.rater_names[rater], int(item), rows.label_names[label])
        for rater, item, label in zip(rows.raters, rows.items, rows.labels, strict=True)
    ]
    ann, ben = names["ann"], names["ben"]
    # those without a time come first, in the order of their ids
    assert given == [
        (ann, 2, NO),
        (ben, 0, YES),
        (ben, 1, YES),
        (ben, 2, YES),
        (ann, 1, NO),
        (ann, 0, YES),
    ]
    assert np.array_equal(
        sequence.seconds, [np.nan, 8.0, np.nan, np.nan, 30.0, 10.0], equal_nan=True
    )
    assert sequence.questions.tolist() == [0, 1, 2]


def test_rater_figures_of_a_campaign_without_ratings(make_campaign: MakeCampaign) -> None:
    figures = raters_figures(make_campaign())
    assert figures["raters"] == []
    assert figures["controls"]["accuracy"]["reason"] == "no control item was answered"


def test_rater_figures_count_control_items_apart_in_few_statements(db: None) -> None:
    simulation = simulate(3, items=30)
    campaign = store(simulation, "controls")
    with CaptureQueriesContext(connection) as queries:
        figures = raters_figures(campaign)
    assert len(queries) == 6
    right = dict(zip(simulation.rows.rater_names, simulation.controls.sum(axis=1), strict=True))
    for each in figures["raters"]:
        assert each["controls"]["right"] == right[each["rater"]]
        assert each["controls"]["given"] == 20
    assert sum(each["items"] for each in figures["raters"]) == 90
    assert figures["controls"]["given"] == 120


@pytest.mark.thorough
def test_rater_figures_of_5000_ratings_are_quick(db: None) -> None:
    campaign = store(simulate(4, raters=12, items=1600, controls=0), "large")
    assert Rating.objects.count() == 4800
    begun = process_time()
    raters_figures(campaign)
    assert process_time() - begun < 1  # a third of it where nothing else runs
