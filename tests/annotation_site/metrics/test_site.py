"""/metrics: to whoever has the token, and to nobody where the site has none."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import path
from prometheus_client import values
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from annotation_site import urls as site_urls
from annotation_site.metrics import request_metrics
from annotation_site.metrics_page import metrics
from tasks.models import Job, JobKind, JobState, Worker
from tests.factories import make_campaign, make_labelled_items

TOKEN = "a-long-token-of-the-operators"
urlpatterns = [*site_urls.urlpatterns, path("metrics", metrics)]

pytestmark = pytest.mark.django_db


@pytest.fixture
def _measured(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A site that has a token."""
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    settings.METRICS_TOKEN, settings.METRICS_DIR = TOKEN, tmp_path
    settings.ROOT_URLCONF = __name__
    yield
    request_metrics.cache_clear()


def read() -> dict[str, float]:
    """The values by name and labels, as Prometheus takes them in."""
    response = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert (response.status_code, response["Content-Type"][:10]) == (200, "text/plain")
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(response.content.decode())
        for sample in family.samples
    }


@pytest.mark.usefixtures("_measured")
@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer ", "Bearer wrong", f"Token {TOKEN}", TOKEN, f"Bearer {TOKEN}é"]
)
def test_without_the_token_nothing_is_said(given: str) -> None:
    response = Client().get("/metrics", headers={"Authorization": given})
    assert (response.status_code, response.content) == (401, b"")
    assert response["WWW-Authenticate"] == "Bearer"


def test_without_a_token_of_the_site_there_is_no_such_page() -> None:
    response = Client().get("/metrics", headers={"Authorization": "Bearer "})
    assert response.status_code == 404


@pytest.mark.usefixtures("_measured")
def test_jobs_workers_and_ratings_are_counted() -> None:
    empty = read()
    assert (empty["tomahto_jobs suggest queued"], empty["tomahto_workers"]) == (0, 0)
    assert (empty["tomahto_oldest_job_wait_seconds"], empty["tomahto_ratings_last_hour"]) == (0, 0)

    campaign = make_campaign("lakes", overlap=1)
    make_labelled_items(campaign, items=3)
    states = (JobState.QUEUED, JobState.RUNNING, JobState.DONE, JobState.DONE, JobState.FAILED)
    for number, state in enumerate(states):
        Job.objects.create(
            campaign=campaign, kind=JobKind.SUGGEST, state=state, input_hash=str(number)
        )
    done = Job.objects.filter(state=JobState.DONE)
    done.update(created_at=Now() - timedelta(seconds=40), finished_at=Now())
    Job.objects.filter(state=JobState.QUEUED).update(not_before=Now() - timedelta(hours=2))
    Worker.objects.create(name="celery@here", host="here", pid=1)
    Worker.objects.create(name="celery@there", host="there", pid=1)
    Worker.objects.filter(host="there").update(seen_at=Now() - timedelta(minutes=2))

    found = read()
    by_state = {state: found[f"tomahto_jobs suggest {state}"] for state in JobState.values}
    assert by_state == {"queued": 1, "running": 1, "done": 2, "failed": 1, "cancelled": 0}
    assert found["tomahto_job_seconds_count suggest"] == 2
    assert found["tomahto_job_seconds_sum suggest"] == pytest.approx(80, abs=0.5)
    assert 7200 <= found["tomahto_oldest_job_wait_seconds"] < 7200 + 600
    assert (found["tomahto_workers"], found["tomahto_ratings_last_hour"]) == (1, 3)
