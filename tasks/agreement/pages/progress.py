"""How far a campaign is, how fast it goes, and when it will be done."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from django.utils.translation import gettext_lazy

from tasks.agreement.pages.dashboard import dashboard
from tasks.models import Campaign


@dashboard("progress", 30, gettext_lazy("Progress"), help="dashboards.md#progress")
def progress(_campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Ratings by day and by item, active raters, and the forecast of the finishing date."""
    forecast = figures["forecast"]
    return {
        "days": [
            {**row, "day": (day := date.fromisoformat(row["day"])), "x": on_time_axis(day)}
            for row in figures["days"]
        ],
        "dates": {
            name: None if forecast[name] is None else date.fromisoformat(forecast[name])
            for name in ("date", "earliest", "latest")
        },
        "share": figures["done"] / figures["wanted"] if figures["wanted"] else None,
    }


def on_time_axis(day: date) -> int:
    """Where a day stands on a chart's axis of time: milliseconds, at noon.

    At noon, because then it is the same day wherever the page is read.
    """
    noon = datetime.combine(day, time(12), tzinfo=UTC)
    return round(noon.timestamp() * 1000)
