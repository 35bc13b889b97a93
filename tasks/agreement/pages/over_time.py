"""How agreement goes over time, and from one version of the guidelines to the next."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import RESULTS
from tasks.agreement.pages.dashboard import dashboard_page
from tasks.agreement.pages.progress import on_time_axis
from tasks.models import Campaign, Membership
from tasks.web.addresses import Tab, page_at


@page_at(
    "c/<slug:slug>/agreement/time/",
    name="time",
    calls=("api-figures",),
    tab=Tab(40, gettext_lazy("Over time")),
)
@member_page(RESULTS)
def over_time(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Agreement by period and by guideline version."""
    return dashboard_page(request, membership, "time", _tables)


def _tables(_campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "periods": [
            {**row, "start": (start := date.fromisoformat(row["start"])), "x": on_time_axis(start)}
            for row in figures["periods"]
        ]
    }
