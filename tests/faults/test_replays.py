"""A request that is sent twice counts once: in parallel, with another body, over connections that
break."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from threading import Barrier

import pytest

from examples.rater import Json, Rater
from tests.faults.campaigns import make_campaign
from tests.faults.oracle import NOTHING_WRONG, judge, stored_ratings
from tests.faults.proxy import CuttingProxy, Place, running_proxy
from tests.faults.raters import rate_at_once
from tests.sampling import IS_LONG
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

AT_ONCE = 50
CUTS: Mapping[Place, int] = {
    "before the answer": 200 if IS_LONG else 40,
    "in the request": 40 if IS_LONG else 12,
    "in the answer": 40 if IS_LONG else 12,
}
SAME, OTHER = {"q1": False, "q2": True}, {"q1": True}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site"), start=False) as site:
        site.start_web(workers=2, threads=4)
        yield site


def claimed(site: Site, slug: str) -> tuple[str, Json]:
    """A rater's token and the only item of a new campaign, claimed."""
    (token,) = make_campaign(site, items=1, overlap=1, raters=1, slug=slug)
    rater = Rater(site.address, token)
    work = rater.claim(slug)
    rater.close()
    assert work is not None
    return token, work


def send_at_once(
    site: Site, token: str, work: Json, bodies: Sequence[Json]
) -> list[tuple[int, bytes]]:
    """Submit all of them at the same moment, each over a connection of its own."""
    start = Barrier(len(bodies), timeout=60)
    headers = {
        "Authorization": f"Token {token}",
        "Content-Type": "application/json",
        "Idempotency-Key": work["idempotency_key"],
    }

    def send(body: Json) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", site.port, timeout=120)
        connection.connect()
        start.wait()
        address = f"/api/v1/assignments/{work['assignment']}/rating"
        connection.request("POST", address, json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    with ThreadPoolExecutor(len(bodies)) as pool:
        return list(pool.map(send, bodies))


def stored_for(site: Site, work: Json) -> list[dict[str, str]]:
    return [
        dict(row["answers"])
        for row in stored_ratings(site)
        if row["assignment"] == work["assignment"]
    ]


def test_fifty_identical_submissions_at_once_are_one_rating(site: Site) -> None:
    token, work = claimed(site, "fifty")
    answers = send_at_once(site, token, work, [SAME] * AT_ONCE)
    assert Counter(status for status, _body in answers) == {201: 1, 200: AT_ONCE - 1}
    assert len({body for _status, body in answers}) == 1
    others = send_at_once(site, token, work, [OTHER] * AT_ONCE)
    assert Counter(status for status, _body in others) == {409: AT_ONCE}
    assert stored_for(site, work) == [{"q1": "no", "q2": "yes"}]


def test_of_two_bodies_at_once_under_one_key_one_is_stored(site: Site) -> None:
    token, work = claimed(site, "two")
    answers = send_at_once(site, token, work, [SAME, OTHER] * (AT_ONCE // 2))
    half = AT_ONCE // 2
    assert Counter(status for status, _body in answers) == {201: 1, 200: half - 1, 409: half}
    assert len({body for status, body in answers if status < 300}) == 1
    assert len(stored_for(site, work)) == 1


@pytest.mark.parametrize("place", CUTS)
def test_rating_whose_connection_was_cut_is_stored_once(
    site: Site, tmp_path: Path, place: Place
) -> None:
    """Cut before the answer, it has been stored already: every retry is told of that rating."""
    slug, cuts = place.replace(" ", "-"), CUTS[place]
    tokens = make_campaign(site, items=cuts, overlap=1, raters=4, slug=slug)
    with running_proxy(CuttingProxy(site.port)) as proxy:
        proxy.place = place
        tally = rate_at_once(f"http://127.0.0.1:{proxy.port}", slug, tokens, tmp_path, replayed=0)
        assert len(proxy.cut) == cuts
    assert tally.refusals == []
    retried = {201: cuts} if place == "in the request" else {}
    claims = cuts if place == "in the request" else 2 * cuts
    assert tally.statuses == {200: claims, 204: len(tokens), **retried}
    verdict = judge(site, sorted(tmp_path.glob("*.journal")), overlap=1)
    assert verdict._replace(unexplained=[]) == NOTHING_WRONG
    keys = {key.decode() for key in proxy.cut}
    assert len([row for row in stored_ratings(site) if row["key"] in keys]) == cuts


def test_late_answer_is_waited_for(site: Site, tmp_path: Path) -> None:
    tokens = make_campaign(site, items=4, overlap=1, raters=2, slug="late")
    with running_proxy(CuttingProxy(site.port)) as proxy:
        proxy.delay = 0.5
        address = f"http://127.0.0.1:{proxy.port}"
        tally = rate_at_once(address, "late", tokens, tmp_path, replayed=0)
    assert tally.statuses == {200: 4, 201: 4, 204: 2}
    assert min(tally.seconds) > 0.5


def test_replays_are_stored_twice_without_the_guard(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        site.start_web(threads=4, application="tests.faults.forgetful:application")
        token, work = claimed(site, "fifty")
        answers = send_at_once(site, token, work, [SAME] * 5)
        assert Counter(status for status, _body in answers) == {201: 5}
        assert len(stored_for(site, work)) == 5
        (rater,) = make_campaign(site, items=1, overlap=1, raters=1, slug="cut")
        with running_proxy(CuttingProxy(site.port)) as proxy:
            proxy.place = "before the answer"
            rate_at_once(f"http://127.0.0.1:{proxy.port}", "cut", [rater], tmp_path, replayed=0)
        verdict = judge(site, sorted(tmp_path.glob("*.journal")), overlap=1)
    assert len(verdict.lost) == 1
    assert len(verdict.unexplained) == 5 + 2
