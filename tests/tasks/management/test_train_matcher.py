"""`manage.py train_matcher`, and the commands that take a trained matcher's name."""

import pytest

from tasks.models import Campaign, Job, TrainedMatcher
from tests.factories import make_campaign, make_labelled_items
from tests.tasks.management.conftest import Manage
from tests.tasks.prefill.trained import store

pytestmark = pytest.mark.usefixtures("nobody_else_at_work")


@pytest.fixture
def lakes(db: None) -> Campaign:
    campaign = make_campaign("lakes", overlap=1)
    make_labelled_items(campaign)
    return campaign


def test_train_matcher_trains_and_shows_the_curve(manage: Manage, lakes: Campaign) -> None:
    command = ("train_matcher", "lakes", "--kind", "cfmatch", "--seed", "2", "--wait")
    printed = manage.json(*command)
    trained = TrainedMatcher.objects.get()
    expected = {
        "matcher": "cfmatch@lakes",
        "digest": trained.digest,
        "labels": 60,
        "documents": 12,
        "is_new": True,
    }
    assert printed == {
        "job": Job.objects.get().pk,
        "state": "done",
        "result": expected,
        "learning_curve": trained.learning_curve,
    }
    assert trained.seed == 2
    lines = manage(*command).splitlines()
    assert lines[1] == f"cfmatch@lakes {trained.digest}: 60 labels of 12 documents, stored before"
    assert [line.split(": ")[0] for line in lines[2:]] == [
        "25 labels",
        "45 labels",
        "of this site",
        "token F1, tuned",
    ]


def test_train_matcher_does_not_wait_unless_told(manage: Manage, lakes: Campaign) -> None:
    printed = manage.json("train_matcher", "lakes", "--kind", "feather")
    job = Job.objects.get()
    assert printed == {"job": job.pk, "state": "queued", "result": None}
    assert job.parameters == {"name": "feather", "seed": 0}


def test_train_matcher_tells_what_is_missing(manage: Manage, campaign: str) -> None:
    with pytest.raises(SystemExit, match="1"):
        manage("train_matcher", campaign, "--kind", "cfmatch", "--wait")
    assert Job.objects.get().error.startswith(
        "too few labels to learn from: 0 of at least 20 items have a majority label"
    )


def test_a_matcher_is_configured_and_prefilled_with_once_it_is_trained(
    manage: Manage, lakes: Campaign
) -> None:
    uses = (
        ("configure_campaign", "lakes", "--suggestion-matcher", "cfmatch@lakes"),
        ("prefill", "lakes", "--matcher", "cfmatch@lakes"),
    )
    for command in uses:
        assert "no matcher 'cfmatch@lakes'; known: em" in manage.error(*command)
    store(lakes)
    for command in uses:
        manage(*command)
    lakes.refresh_from_db()
    assert lakes.suggestion_matcher == "cfmatch@lakes"
