"""Counts of several processes are one sum, also when they are killed."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from prometheus_client import values
from pytest_django import Settings

from annotation_site.metrics import RequestMetrics, RequestMetricsMiddleware, request_metrics
from tests.site import ROOT

Labels = frozenset[tuple[str, str]]
ENDS = ("0.005", "0.25", "0.5", "10.0", "+Inf")
_COUNT = """
import os, signal, sys
from pathlib import Path
from annotation_site.metrics import RequestMetrics
metrics = RequestMetrics(Path(sys.argv[1]))
for seconds in (0.001, 0.3, 99.0):
    metrics.observe(route="login", method="GET", status=200, seconds=seconds)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def _library_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    yield
    request_metrics.cache_clear()


def labels(**values: str) -> Labels:
    return frozenset(values.items())


def samples(metrics: RequestMetrics) -> dict[tuple[str, Labels], float]:
    """The values by what they are of, a count, a sum or a bucket, and by labels."""
    return {
        (
            sample.name.removeprefix("tomahto_request_seconds_"),
            labels(**sample.labels),
        ): sample.value
        for family in metrics.collect()
        for sample in family.samples
    }


def test_counts_of_living_and_killed_processes_add_up(tmp_path: Path) -> None:
    here = RequestMetrics(tmp_path)
    here.observe(route="login", method="GET", status=200, seconds=0.3)
    for _ in range(2):
        killed = subprocess.run(
            [sys.executable, "-c", _COUNT, str(tmp_path)], cwd=ROOT, timeout=60, check=False
        )
        assert killed.returncode == -9
    found = samples(here)
    login = {"route": "login", "method": "GET", "status": "200"}
    assert found["count", labels(**login)] == 7
    assert found["sum", labels(**login)] == pytest.approx(2 * 99.301 + 0.3)
    upto = {end: found["bucket", labels(**login, le=end)] for end in ENDS}
    assert upto == {"0.005": 2, "0.25": 2, "0.5": 5, "10.0": 5, "+Inf": 7}
    # the second took over from the first, so a server that replaces processes keeps two files
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("0.lock", "1.lock", "histogram_0.db", "histogram_1.db"),
    ]


def test_requests_go_by_the_name_of_their_route(tmp_path: Path, settings: Settings) -> None:
    settings.METRICS_DIR = tmp_path
    settings.MIDDLEWARE = ["annotation_site.metrics.RequestMetricsMiddleware"]
    client = Client()
    client.get("/healthz")
    client.get("/healthz?x=1")
    client.get("/nowhere/secret/")
    client.generic("BREW", "/healthz")
    found = samples(request_metrics())
    assert {about: n for (what, about), n in found.items() if what == "count"} == {
        labels(route="healthz", method="GET", status="200"): 2,
        labels(route="none", method="GET", status="404"): 1,
        labels(route="healthz", method="other", status="200"): 1,
    }


def test_answer_is_passed_on(tmp_path: Path, settings: Settings) -> None:
    settings.METRICS_DIR = tmp_path
    answer = HttpResponse("as it is")

    def view(_request: HttpRequest) -> HttpResponse:
        return answer

    assert RequestMetricsMiddleware(view)(RequestFactory().get("/")) is answer
