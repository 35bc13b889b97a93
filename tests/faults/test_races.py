"""Many raters at once over real HTTP: exact overlap, nothing lost, nothing double."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from examples.rater import Rater
from tests.faults.campaigns import look, make_campaign
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

ITEMS, OVERLAP, RATERS = 100, 3, 16
REPLAYED = 0.3


def rate_everything(address: str, token: str) -> list[int]:
    """Claim and submit until nothing is left, sending some ratings twice; the ids answered."""
    rater, dice = Rater(address, token), random.Random(token)
    acknowledged = []
    while work := rater.claim("races"):
        answers = {"q1": dice.random() < 0.2}
        if not answers["q1"]:
            answers["q2"] = True
        stored = rater.submit(work, answers)
        acknowledged.append(stored["rating"])
        if dice.random() < REPLAYED:
            assert rater.submit(work, answers) == stored
    rater.close()
    return acknowledged


def race(site: Site) -> tuple[list[int], dict[str, Any]]:
    tokens = make_campaign(site, items=ITEMS, overlap=OVERLAP, raters=RATERS)
    with ThreadPoolExecutor(RATERS) as pool:
        answered = list(pool.map(lambda token: rate_everything(site.address, token), tokens))
    return [rating for ratings in answered for rating in ratings], look(site)


def test_sixteen_raters_give_every_item_exactly_its_overlap(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        site.start_web(workers=2, threads=4)
        acknowledged, stored = race(site)
    assert sorted(acknowledged) == stored["ratings"]
    assert len(acknowledged) == ITEMS * OVERLAP
    per_item = Counter(pair[0] for pair in stored["counted"])
    assert set(per_item.values()) == {OVERLAP}
    assert len(per_item) == ITEMS
    assert len({tuple(pair) for pair in stored["current"]}) == ITEMS * OVERLAP


def test_the_race_is_lost_without_the_guard(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        site.python(
            "from django.db import connection\n"
            "connection.cursor().execute('DROP INDEX one_counted_rating_per_slot')"
        )
        site.start_web(workers=2, threads=4, application="tests.faults.unguarded:application")
        _acknowledged, stored = race(site)
    per_item = Counter(pair[0] for pair in stored["counted"])
    assert max(per_item.values()) > OVERLAP
