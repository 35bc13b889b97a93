"""The part of a benchmark inside a site: a large campaign, its dashboards, a session."""

import json
from collections.abc import Iterator, Sequence

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tasks.campaigns.workflow.campaign import add_member
from tasks.models import Campaign, User
from tests.bulk import make_large_campaign

OVERLAP, RATERS = 4, 20
_DASHBOARDS = "c/<slug:slug>/agreement/"


def prepare(slug: str, ratings: int) -> None:
    items = ratings // OVERLAP
    campaign = make_large_campaign(slug, items=items, rated=items, overlap=OVERLAP, raters=RATERS)
    print(json.dumps({"addresses": list(addresses(campaign)), "session": _session(campaign)}))


def addresses(campaign: Campaign) -> Iterator[str]:
    """Every address below the campaign's page of agreement, from the URL configuration."""
    for route in _routes(get_resolver("tasks.urls").url_patterns):
        if route.startswith(_DASHBOARDS) and "<" not in route.removeprefix(_DASHBOARDS):
            yield "/" + route.replace("<slug:slug>", campaign.slug)


def _routes(patterns: Sequence[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield route


def _session(campaign: Campaign) -> str:
    admin = User.objects.create_user("bench-admin")
    add_member(campaign=campaign, user=admin, role="admin")
    client = Client()
    client.force_login(admin, backend="django.contrib.auth.backends.ModelBackend")
    return str(client.cookies["sessionid"].value)
