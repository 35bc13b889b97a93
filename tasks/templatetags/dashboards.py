"""The tabs of the dashboards, as their pages declare them."""

from typing import Any, NamedTuple

from django import template
from django.template.context import RequestContext
from django.urls import reverse

from tasks.web import addresses

register = template.Library()


class ShownTab(NamedTuple):
    """A tab of a campaign; `is_here` where its page is shown, or one below it."""

    name: str
    title: Any
    address: str
    is_here: bool


@register.simple_tag(takes_context=True)
def dashboards(context: RequestContext) -> list[ShownTab]:
    """All of them, in their order."""
    slug, route = context["membership"].campaign.slug, context["request"].resolver_match.route
    tabs = addresses.tabs()
    here = max((page.pattern for _, page in tabs if route.startswith(page.pattern)), key=len)
    return [
        ShownTab(page.name, tab.title, reverse(page.name, args=[slug]), page.pattern == here)
        for tab, page in tabs
    ]
