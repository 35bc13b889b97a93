"""The addresses of what alerts have seen."""

from django import template
from django.urls import reverse

from tasks.agreement.shown.labels import items_with_both
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
    """The address of what an alert has seen; "" if there is nothing to see: a rater's page, the
    items of two labels, or the dashboard with the numbers."""
    page = _PAGES.get(alert.kind)
    if page == "raters":
        return reverse("rater", args=[slug, alert.subject])
    labels = alert.subject.split(" / ")
    if len(labels) == 2 and alert.campaign.annotation_protocol.titles.keys() >= set(labels):
        return items_with_both(alert.campaign, *labels)
    return reverse(page, args=[slug]) if page else ""
