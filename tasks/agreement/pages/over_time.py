"""How agreement goes over time, and from one version of the guidelines to the next."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy

from tasks.agreement.pages.dashboard import dashboard
from tasks.agreement.pages.progress import on_time_axis
from tasks.models import Campaign


@dashboard("time", 40, gettext_lazy("Over time"), help="dashboards.md#over-time")
def over_time(_campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Agreement by period and by guideline version."""
    return {
        "periods": [
            {**row, "start": (start := date.fromisoformat(row["start"])), "x": on_time_axis(start)}
            for row in figures["periods"]
        ]
    }
