"""The tabs of a campaign, as its pages declare them."""

from typing import Any, NamedTuple

from django import template
from django.template.context import RequestContext
from django.urls import reverse

from tasks.web import addresses

register = template.Library()


class ShownTab(NamedTuple):
    """A tab; `is_here` where its page is shown or one under it. `waiting` counts what waits there
    for somebody, in a word `what`."""

    title: Any
    address: str
    is_here: bool
    waiting: int
    what: Any


@register.simple_tag(takes_context=True)
def tabs(context: RequestContext, under: str = "") -> list[ShownTab]:
    """The tabs that the member sees in the campaign's row, or in that under one of them."""
    membership = context["membership"]
    campaign = membership.campaign
    here, page_here = addresses.tab_over(context["request"].resolver_match.url_name)
    name_here = page_here.name if under else here.under or page_here.name
    return [
        ShownTab(
            tab.title,
            reverse(page.name, args=[campaign.slug]),
            page.name == name_here,
            tab.waiting(campaign) if tab.waiting else 0,
            tab.what,
        )
        for tab, page in addresses.tabs()
        if membership.role in tab.roles and (tab.under == under or page.name == under)
    ]
