"""Messages to workers about figures; a fake broker notes those that are sent."""

import logging

import pytest
from celery.exceptions import OperationalError
from django.db.models.functions import Now
from pytest_django import DjangoCaptureOnCommitCallbacks

from tasks.agreement.figures.figures import FIGURES
from tasks.agreement.work import assess_campaign, assess_due
from tasks.agreement.workflow import assessment as stage
from tasks.agreement.workflow.assessment import ASSESS, ask_for_figures
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Assessment, Campaign
from tests.tasks.conftest import MakeCampaign, rating_row


class FakeBroker:
    def __init__(self) -> None:
        self.sent: list[int] = []
        self.is_up = True

    def send_task(self, task: str, args: tuple[int], expires: float | None) -> None:
        assert (task, expires) == (ASSESS, None)
        (campaign_id,) = args
        if not self.is_up:
            raise OperationalError("connection refused")
        self.sent.append(campaign_id)


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> FakeBroker:
    fake = FakeBroker()
    monkeypatch.setattr("annotation_site.celery.app.send_task", fake.send_task)
    return fake


@pytest.fixture
def campaign(make_campaign: MakeCampaign, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """One rating, which is too many to be counted while somebody waits."""
    monkeypatch.setattr(stage, "LIVE_RATINGS", 0)
    campaign = make_campaign(items=1)
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent")])
    return campaign


def test_asking_wakes_a_worker_once_and_after_the_commit(
    campaign: Campaign,
    broker: FakeBroker,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        ask_for_figures(campaign)
        ask_for_figures(campaign)
        assert broker.sent == []
    assert broker.sent == [campaign.pk]


def test_a_dead_broker_breaks_no_page_and_the_scheduler_sends_again(
    campaign: Campaign,
    broker: FakeBroker,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    broker.is_up = False
    with (
        caplog.at_level(logging.ERROR),
        django_capture_on_commit_callbacks(execute=True),
    ):
        ask_for_figures(campaign)
    assert [record.getMessage() for record in caplog.records] == [
        f"{ASSESS} could not be sent for ({campaign.pk},); the scheduler will send it"
    ]
    broker.is_up = True
    assess_due()
    assert broker.sent == []
    Assessment.objects.update(asked_at=Now() - 2 * stage.SENT_AGAIN_AFTER)
    assess_due()
    assert broker.sent == [campaign.pk]


def test_the_worker_makes_the_figures(campaign: Campaign) -> None:
    assess_campaign(campaign.pk)
    assessment = Assessment.objects.get()
    assert set(assessment.figures.values_list("name", flat=True)) == set(FIGURES)


def test_a_failure_is_logged_and_the_worker_lives_on(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stage, "FIGURES", {"labels": lambda _campaign: 1 // 0})
    with caplog.at_level(logging.ERROR):
        assess_campaign(campaign.pk)
    assert [record.getMessage() for record in caplog.records] == [
        f"the figures of campaign {campaign.pk} could not be computed"
    ]
    assert Assessment.objects.get().error == "integer division or modulo by zero"
