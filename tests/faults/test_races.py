"""Many raters at once over real HTTP: exact overlap, nothing lost or double."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.faults.campaigns import look, make_campaign
from tests.faults.oracle import NOTHING_WRONG, Verdict, judge
from tests.faults.raters import Tally, rate_at_once
from tests.sampling import IS_LONG
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

OVERLAP, RATERS = 4, 64
RATINGS_EACH = 200 if IS_LONG else 10
ITEMS = RATERS * RATINGS_EACH // OVERLAP
SLOWEST_P95 = {"postgresql": 0.5, "sqlite": 2.0}  # seconds


def race(site: Site, *, items: int, raters: int, overlap: int = OVERLAP) -> tuple[Tally, Verdict]:
    """Let them rate every item, and judge what is stored by what they noted."""
    tokens = make_campaign(site, items=items, overlap=overlap, raters=raters)
    tally = rate_at_once(site.address, "races", tokens, site.folder)
    return tally, judge(site, sorted(site.folder.glob("*.journal")), overlap=overlap)


def show_times(site: Site, tally: Tally) -> None:
    """For the reader; on a busy machine they say little, so the long form alone asserts them."""
    p50, p95 = tally.quantile(0.5), tally.quantile(0.95)
    kind = "postgresql" if site.environment["DATABASE_URL"] else "sqlite"
    print(f"{kind}: {len(tally.seconds)} submissions, p50 {p50:.3f} s, p95 {p95:.3f} s")
    assert not IS_LONG or p95 < SLOWEST_P95[kind]


def test_sixty_four_raters_give_every_item_exactly_its_overlap(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        site.start_web(workers=2, threads=4)
        tally, verdict = race(site, items=ITEMS, raters=RATERS)
        stored = look(site)
        show_times(site, tally)
    assert (tally.refusals, verdict) == ([], NOTHING_WRONG)
    # a claim for each rating, one more for each rater that ends it, and the replays
    assert set(tally.statuses) == {200, 201, 204}
    assert (tally.statuses[201], tally.statuses[204]) == (ITEMS * OVERLAP, RATERS)
    assert len(stored["ratings"]) == len(stored["counted"]) == ITEMS * OVERLAP
    assert set(Counter(item for item, _rater in stored["counted"]).values()) == {OVERLAP}


SET_ASIDE = """
import time
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import Campaign, Membership, Rating, User
from tasks.votes.workflow import set_aside
campaign = Campaign.objects.get(slug="races")
admin = add_member(campaign=campaign, user=User.objects.create(username="oak"), role="admin")
rater = Membership.objects.get(name="races-0")
while not Rating.objects.filter(rater=rater).exists():
    time.sleep(0.01)
set_aside(rater=rater, by=admin, reason="Clicked through.")
"""


def test_ratings_set_aside_meanwhile_leave_their_places_to_others(tmp_path: Path) -> None:
    """Nothing acknowledged is lost, and no item has more votes than places. Whatever the rater in
    question gives afterwards counts again."""
    with running_site(tmp_path, start=False) as site:
        site.start_web(workers=2, threads=4)
        tokens = make_campaign(site, items=40, overlap=2, raters=8)
        with ThreadPoolExecutor(1) as pool:
            act = pool.submit(site.python, SET_ASIDE)
            tally = rate_at_once(site.address, "races", tokens, site.folder)
            act.result()
        rate_at_once(site.address, "races", tokens, site.folder)
        verdict = judge(site, sorted(site.folder.glob("*.journal")), overlap=2 + 1)
        stored = look(site)
    assert (tally.refusals, verdict) == ([], NOTHING_WRONG)
    assert set(Counter(item for item, _rater in stored["counted"]).values()) == {2}
    assert stored["filled"] > len(stored["counted"])


# on SQLite a trigger knows what the index keeps unique, too
WITHOUT_GUARDS = """
from django.db import connection
with connection.cursor() as cursor:
    if connection.vendor == "sqlite":
        cursor.execute("DROP TRIGGER tasks_rating_no_REPLACE")
    cursor.execute("DROP INDEX one_counted_rating_per_slot")
"""


@pytest.mark.representative("a race with its guard removed")
def test_the_race_is_lost_without_the_guard(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        site.python(WITHOUT_GUARDS)
        site.start_web(workers=2, threads=4, application="tests.faults.unguarded:application")
        _tally, verdict = race(site, items=15, raters=16, overlap=2)
    assert verdict.over_quota
