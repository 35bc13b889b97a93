"""Ten passwords are tried for an account in a quarter of an hour, however many are sent at once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from bootstrap.services import PrivateRedis
from examples.rater import Rater, Refused
from tests.factories import PASSWORD
from tests.faults.logins import MORE_THAN_TEN, PEOPLE, Login, guess
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

LIMIT = 100


@pytest.fixture(scope="module")
def site_and_token(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, str]]:
    """Two processes that count calls in a Redis of their own, and the token of a rater.

    In one that others use, calls of the minute before count too: accounts of any site begin at 1.
    """
    folder = tmp_path_factory.mktemp("site")
    with PrivateRedis() as redis:
        environment = {
            "TOMAHTO_BROKER_URL": redis.url,
            "TOMAHTO_API_CALLS_PER_MINUTE": str(LIMIT),
        }
        with running_site(folder, environment=environment, start=False) as site:
            token = site.python(PEOPLE).strip()
            site.start_web(
                workers=2, threads=8, application="tests.faults.guarded_logins:application"
            )
            yield site, token


def test_ten_of_two_hundred_guesses_are_tried(site_and_token: tuple[Site, str]) -> None:
    site, _token = site_and_token
    assert guess(site, 200) == {200: 10, 429: 190}
    login = Login(site)
    assert login.attempt("pine", PASSWORD) == 429
    assert login.attempt("oak", PASSWORD) == 302


def test_the_guesses_get_through_without_the_guard(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        site.python(PEOPLE)
        site.start_web(threads=16, application="tests.faults.unguarded_logins:application")
        assert guess(site, MORE_THAN_TEN) == {200: MORE_THAN_TEN}


def claim(caller: Rater) -> int:
    """There is nothing to rate, which is an answer as well."""
    try:
        caller.claim("rapids")
    except Refused as refused:
        return refused.status
    return 200


def test_sixty_four_callers_at_once_get_the_limit_and_no_call_more(
    site_and_token: tuple[Site, str],
) -> None:
    site, token = site_and_token

    def call(_number: int) -> list[int]:
        with closing(Rater(site.address, token, timeout=120)) as caller:
            return [claim(caller) for _ in range(3)]

    with ThreadPoolExecutor(64) as pool:
        statuses = [status for found in pool.map(call, range(64)) for status in found]
    assert sorted(statuses) == [200] * LIMIT + [429] * (192 - LIMIT)
