"""Ratings with answers that a protocol permitted once: kept and counted, not taken any more."""

import json

import pytest
from django.db import transaction

from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.agreement.figures.raters_figures import raters_figures
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Outcome, Rating
from tasks.models.guards import earlier_outcomes_admitted
from tasks.rating.queries.exported_ratings import rating_lines
from tasks.rating.shown.rating_page import saved_filling
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.releases.queries.releasable import rating_records
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.conftest import rating_row
from tomahto.interchange.reading.records import InputError

ANSWERS = {"label": "correct", "rules": "semantic+irrelevant"}
RETIRED = Outcome(
    id="rules:label=correct,rules=semantic+irrelevant",
    protocol="rules",
    answers=ANSWERS,
    label="correct",
    reading="correct",
)


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Its one rating was given when the rule was still offered with either label."""
    campaign = make_campaign(protocol="rules", overlap=1)
    make_item(campaign, id="item-1")
    rater = make_member(campaign)
    claim = claim_item(membership=rater)
    assert claim is not None
    with transaction.atomic(), earlier_outcomes_admitted():
        Outcome.objects.bulk_create([RETIRED])
    Rating.objects.create(
        item_id=claim.item.id,
        rater=rater,
        outcome=RETIRED,
        assignment_id=claim.assignment_id,
        slot=rater.assignments.get().slot,
        idempotency_key="before",
        payload_hash="",
    )
    rater.assignments.update(state="submitted")
    return campaign


def test_a_retired_outcome_still_counts_and_is_exported(campaign: Campaign) -> None:
    (line,) = map(json.loads, rating_lines(campaign))
    assert (line["label"], line["rules"]) == ("correct", "semantic+irrelevant")
    assert [dict(record.answers) for record in rating_records(campaign)] == [ANSWERS]
    assert dict(agreement_of(campaign).labels) == {"correct": 1, "incorrect": 0}
    assert [rater["items"] for rater in raters_figures(campaign)["raters"]] == [1]


def test_revising_it_asks_the_closed_part_anew(campaign: Campaign) -> None:
    rating = Rating.objects.get()
    assert rating.assignment is not None
    assert saved_filling(rating.assignment).answers == {"label": "correct", "rules": "semantic"}
    submit_rating(
        assignment_id=rating.assignment.pk,
        membership=rating.rater,
        answers={"label": "correct", "rules": "semantic"},
        idempotency_key="after",
    )
    current = Rating.objects.get(superseded_by=None)
    assert (current.outcome_id, current.supersedes_id) == (
        "rules:label=correct,rules=semantic",
        rating.pk,
    )


def test_import_refuses_it_in_one_line(campaign: Campaign) -> None:
    row = rating_row(1, "ann", answers=ANSWERS)
    with pytest.raises(InputError) as error:
        import_ratings(campaign=campaign, rows=[row])
    assert str(error.value).endswith(
        "line 1, field rules: 'irrelevant' goes with label 'incorrect' alone"
    )
    assert Rating.objects.count() == 1
