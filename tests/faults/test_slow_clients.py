"""Clients who send and read slowly, or want too much, keep nobody else waiting."""

import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from examples.rater import Rater
from tests.faults.campaigns import make_campaign
from tests.faults.slow_clients import FORM, KINDS, SlowClient, slow_clients
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

RATERS, CYCLES = 4, 25
SLOW = 200
# those of one address have a share of 100 connections
ELSEWHERE = [f"127.0.0.{number}" for number in range(2, 6)]


@pytest.fixture(scope="module")
def site_and_tokens(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, list[str]]]:
    """As ./run has it: one process with eight threads."""
    with running_site(tmp_path_factory.mktemp("site"), start=False) as site:
        tokens = make_campaign(site, items=200, overlap=RATERS, raters=RATERS)
        site.start_web()
        yield site, tokens


def seconds_of_cycles(site: Site, token: str, count: int = CYCLES) -> list[float]:
    """That claims with their submissions took."""
    seconds = []
    with closing(Rater(site.address, token)) as rater:
        for _ in range(count):
            began = time.perf_counter()
            work = rater.claim("races")
            assert work
            rater.submit(work, {"q1": True})
            seconds.append(time.perf_counter() - began)
    return seconds


def is_healthy(site: Site) -> bool:
    """Whether /healthz answers within two seconds."""
    try:
        with urllib.request.urlopen(f"{site.address}/healthz", timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def test_raters_and_healthz_are_answered_beside_two_hundred_slow_clients(
    site_and_tokens: tuple[Site, list[str]],
) -> None:
    site, tokens = site_and_tokens
    with slow_clients(site.port, SLOW, sources=ELSEWHERE) as clients:
        assert is_healthy(site)
        assert all(client.is_open() for client in clients)
        with ThreadPoolExecutor(RATERS) as pool:
            times = [
                t for part in pool.map(lambda t: seconds_of_cycles(site, t), tokens) for t in part
            ]
        assert is_healthy(site)
    assert sorted(times)[int(0.95 * len(times))] < 1


def test_eight_slow_logins_leave_healthz_unanswered_without_the_doors(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        site.start_web(worker_class="gthread")
        with slow_clients(site.port, 8, kinds=[FORM]):
            assert not is_healthy(site)


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("impatient")
    with running_site(folder, environment={"CLOSED": str(folder / "closed")}, start=False) as site:
        site.start_web(threads=1, application="tests.faults.doors:application")
        yield site


def await_closed(client: SlowClient) -> float:
    """The seconds until the server has ended the connection."""
    began = time.monotonic()
    while client.is_open():
        assert time.monotonic() < began + 20
        client.go_on()
        time.sleep(0.05)
    return time.monotonic() - began


@pytest.mark.parametrize("kind", KINDS[:4], ids=["silent", "headers", "form", "chunks"])
def test_who_sends_a_byte_now_and_then_is_put_out(impatient: Site, kind: bytes) -> None:
    with closing(SlowClient(impatient.port, kind).socket):
        pass
    client = SlowClient(impatient.port, kind)
    with closing(client.socket):
        assert 0.5 < await_closed(client) < 5


def test_who_does_not_read_an_answer_without_end_gives_its_thread_back(impatient: Site) -> None:
    client = SlowClient(impatient.port, b"GET /endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    with closing(client.socket):
        closed = impatient.folder / "closed"
        deadline = time.monotonic() + 20
        while not closed.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert is_healthy(impatient)  # there is but one thread
