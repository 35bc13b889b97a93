"""What a benchmark does inside a site: a large campaign, its dashboards, a session."""

import json
from collections.abc import Iterator, Sequence

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tasks.campaigns.workflow.campaign import add_member
from tasks.models import Campaign, User
from tests.bulk import make_large_campaign

OVERLAP, RATERS = 4, 20
_CAMPAIGN = "c/<slug:slug>/"


def prepare(slug: str, ratings: int, below: str) -> None:
    """Make the campaign with its admin; print its addresses below that one, and a session."""
    items = ratings // OVERLAP
    campaign = make_large_campaign(slug, items=items, rated=items, overlap=OVERLAP, raters=RATERS)
    print(
        json.dumps({"addresses": list(addresses(campaign, below)), "session": _session(campaign)})
    )


def addresses(campaign: Campaign, below: str) -> Iterator[str]:
    """Every address of the campaign below that one, from the URL configuration."""
    for route in _routes(get_resolver("tasks.urls").url_patterns):
        if route.startswith(_CAMPAIGN + below) and "<" not in route.removeprefix(_CAMPAIGN):
            yield "/" + route.replace("<slug:slug>", campaign.slug)


def _routes(patterns: Sequence[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield route


def _session(campaign: Campaign) -> str:
    """The cookie of an admin who has signed in."""
    admin = User.objects.create_user("bench-admin")
    add_member(campaign=campaign, user=admin, role="admin")
    client = Client()
    client.force_login(admin, backend="django.contrib.auth.backends.ModelBackend")
    return str(client.cookies["sessionid"].value)
