"""Where the numbers behind alerts are shown."""

from django import template
from django.urls import reverse

from tasks.models import Alert, AlertKind

register = template.Library()

_PAGES: dict[str, str] = {
    AlertKind.ALPHA: "agreement",
    AlertKind.DRIFT: "raters",
    AlertKind.CONTROLS: "raters",
    AlertKind.SPEED: "raters",
    AlertKind.CONFUSION: "classes",
    AlertKind.STEERING: "suggestion",
    AlertKind.STALLED: "progress",
}


@register.simple_tag
def shown_at(alert: Alert, slug: str) -> str:
    """The address of the dashboard with the numbers behind an alert; "" if there is none."""
    page = _PAGES.get(alert.kind)
    return reverse(page, args=[slug]) if page else ""
