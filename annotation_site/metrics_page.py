"""Everything that Prometheus is told at /metrics, and who may ask."""

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import GaugeMetricFamily, Metric, SummaryMetricFamily

from annotation_site.metrics import request_metrics
from tasks.jobs.queries import Operation, operation
from tasks.models import JobKind, JobState


def metrics(request: HttpRequest) -> HttpResponse:
    """In Prometheus' text format, to whoever has the token; a site without one has no such page."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    if scheme != "Bearer" or not constant_time_compare(token.strip(), settings.METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    registry = CollectorRegistry()
    registry.register(_AllOfIt())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


class _AllOfIt:
    def collect(self) -> Iterator[Metric]:
        yield from request_metrics().collect()
        yield from _families(operation())


def _families(found: Operation) -> Iterator[Metric]:
    jobs = GaugeMetricFamily("tomahto_jobs", "Jobs, by kind and state.", labels=("kind", "state"))
    times = SummaryMetricFamily(
        "tomahto_job_seconds",
        "Time of finished jobs from being queued to the end.",
        labels=("kind",),
    )
    for kind in JobKind.values:
        for state in JobState.values:
            jobs.add_metric((kind, state), found.jobs.get((kind, state), 0))
        if took := found.times.get(kind):
            times.add_metric((kind,), count_value=took.jobs, sum_value=took.seconds)
    yield jobs
    yield times
    yield GaugeMetricFamily(
        "tomahto_oldest_job_wait_seconds",
        "Waiting time of the oldest job that could be started.",
        value=found.oldest_wait,
    )
    yield GaugeMetricFamily(
        "tomahto_ratings_last_hour", "Ratings in the last hour.", value=found.ratings
    )
    yield GaugeMetricFamily(
        "tomahto_workers", "Worker processes seen in the last 30 seconds.", value=found.workers
    )
