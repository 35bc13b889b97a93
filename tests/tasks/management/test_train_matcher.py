"""`manage.py train_matcher`, and the commands that take a trained matcher's name."""

import pytest

from tasks.models import Campaign, Job, TrainedMatcher
from tests.factories import make_campaign, make_labelled_items
from tests.tasks.management.conftest import Manage

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
        "the labels are not enough to learn from: 0 of at least 20 items have a majority label"
    )


def test_a_trained_matcher_can_be_configured_and_prefilled(manage: Manage, lakes: Campaign) -> None:
    assert "no matcher 'cfmatch@lakes'; there are em" in manage.error(
        "configure_campaign", "lakes", "--suggestion-matcher", "cfmatch@lakes"
    )
    manage("train_matcher", "lakes", "--kind", "cfmatch", "--wait")
    manage("configure_campaign", "lakes", "--suggestion-matcher", "cfmatch@lakes")
    [job] = manage.json("prefill", "lakes", "--matcher", "cfmatch@lakes", "--wait")["jobs"]
    assert (job["state"], job["name"], job["done"]) == ("done", "cfmatch@lakes", 60)
    lakes.refresh_from_db()
    assert lakes.suggestion_matcher == "cfmatch@lakes"
    make_campaign("seas")
    for command in (("prefill", "--matcher"), ("configure_campaign", "--suggestion-matcher")):
        name, option = command
        assert "no matcher 'cfmatch@lakes'" in manage.error(name, "seas", option, "cfmatch@lakes")
