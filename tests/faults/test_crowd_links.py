"""One person who makes up participants comes in as often as the campaign lets an address, and not
once more, however many requests are sent at once."""

import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.logins import stays_here
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

VISITS = 60
LINK = """
from tasks.campaigns.workflow.campaign import change_settings
from tasks.people.workflow.invitations import invite
from tests.factories import make_campaign
campaign = make_campaign("{slug}")
limits = {{"visitors_per_address": {address}, "visitors_per_link": {link}}}
change_settings(campaign=campaign, changes=limits)
print(invite(campaign=campaign, kind="crowd")[1])
"""
COUNT = """
from tasks.models import CrowdVisit
print(CrowdVisit.objects.filter(campaign__slug="{slug}").count())
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site"), start=False) as site:
        site.start_web(workers=2, threads=8)
        yield site


@pytest.mark.parametrize(
    ("slug", "address", "link", "let_in"),
    [
        ("by-address", 5, 200, 5),
        ("by-link", 0, 7, 7),
        ("unguarded", 0, 0, VISITS),
    ],
)
def test_made_up_participants_come_in_up_to_the_limit(
    site: Site, slug: str, address: int, link: int, let_in: int
) -> None:
    secret = site.python(LINK.format(slug=slug, address=address, link=link)).strip()
    with ThreadPoolExecutor(32) as pool:
        found = Counter(pool.map(lambda number: visit(site, secret, number), range(VISITS)))
    assert found == Counter({302: let_in, 429: VISITS - let_in}) + Counter()
    assert int(site.python(COUNT.format(slug=slug))) == let_in


def visit(site: Site, secret: str, number: int) -> int:
    """The status, with another address in the header each time."""
    request = urllib.request.Request(  # noqa: S310 - our own
        f"{site.address}/crowd/{secret}/?participant=p{number}",
        headers={"X-Forwarded-For": f"203.0.113.{number}"},
    )
    try:
        with stays_here.open(request, timeout=120) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
