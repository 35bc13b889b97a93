"""The side bar of a campaign and its rows of tabs, as pages declare them; and where alerts lead."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django import template
from django.template.context import RequestContext
from django.urls import reverse

from tasks.agreement.shown.labels import items_with_both
from tasks.models import Alert, AlertKind, Membership, Role
from tasks.web import addresses
from tasks.web.addresses import SIDE_BAR, WORK, Address, Tab, TabGroup

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


class ShownTab(NamedTuple):
    """A tab; `is_here` where its page is shown or one under it. `waiting` counts what waits there
    for somebody, in a word `what`."""

    title: Any
    address: str
    is_here: bool
    waiting: int
    what: Any


class Group(NamedTuple):
    """Entries of the side bar that belong together; `title` is empty where there is none."""

    title: Any
    tabs: list[ShownTab]


@register.simple_tag(takes_context=True)
def side_bar(context: RequestContext) -> list[Group]:
    """The campaign's pages for this member by their groups. Raters have few: one group, no title.

    What waits under an entry is counted with it: its own row of tabs may be pages away.
    """
    membership = context["membership"]
    here = _tab_here(context)
    name_here = here[0].under or here[1].name if here else ""
    entries = {}
    for tab, page in _seen_by(membership):
        if not tab.under:
            shown = _shown_tab(context, tab, page, is_here=page.name == name_here)
            entries[page.name] = _with_what_is_under(shown, context, page)
    groups = _raters_groups() if membership.role == Role.RATER else SIDE_BAR
    shown_groups = [
        Group(title, [entries[name] for name in names if name in entries])
        for title, names in groups
    ]
    return [group for group in shown_groups if group.tabs]


@register.simple_tag(takes_context=True)
def tabs(context: RequestContext, under: str) -> list[ShownTab]:
    """The row of tabs on the pages under one of the campaign's, this one first."""
    membership = context["membership"]
    here = _tab_here(context)
    return [
        _shown_tab(context, tab, page, is_here=here is not None and page.name == here[1].name)
        for tab, page in sorted(
            (each for each in _seen_by(membership) if under in (each[0].under, each[1].name)),
            key=lambda each: each[1].name != under,
        )
    ]


def _seen_by(membership: Membership) -> Iterable[tuple[Tab, Address]]:
    return (each for each in addresses.tabs() if membership.role in each[0].roles)


def _tab_here(context: RequestContext) -> tuple[Tab, Address] | None:
    """The tab over the page that is shown; None on the error pages, which stand nowhere."""
    match = context["request"].resolver_match
    return addresses.tab_over(match.url_name) if match else None


def _raters_groups() -> list[TabGroup]:
    """All entries as one group, the work first."""
    others = [name for group in SIDE_BAR if group != WORK for name in group.pages]
    return [TabGroup("", (*WORK.pages, *others))]


def _shown_tab(context: RequestContext, tab: Tab, page: Address, *, is_here: bool) -> ShownTab:
    address = reverse(page.name, args=[context["membership"].campaign.slug])
    return ShownTab(tab.title, address, is_here, _waiting(context, tab, page), tab.what)


def _with_what_is_under(shown: ShownTab, context: RequestContext, page: Address) -> ShownTab:
    for tab, under in _seen_by(context["membership"]):
        if tab.under == page.name and (waiting := _waiting(context, tab, under)):
            shown = shown._replace(waiting=shown.waiting + waiting, what=shown.what or tab.what)
    return shown


def _waiting(context: RequestContext, tab: Tab, page: Address) -> int:
    """Asked once for a page, which may show a number in the side bar and in its row of tabs."""
    counted: dict[str, int] = vars(context["request"]).setdefault("waiting_under_tabs", {})
    if tab.waiting and page.name not in counted:
        counted[page.name] = tab.waiting(context["membership"].campaign)
    return counted.get(page.name, 0)


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
