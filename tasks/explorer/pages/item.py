"""One item: its texts, what was said of it, all that happened to it, and what can be done."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import BOTH, member_page
from tasks.explorer.forms import listing_of_address
from tasks.explorer.queries.found import Neighbour, neighbours
from tasks.explorer.queries.history import act_done, given_on, tags_on
from tasks.explorer.queries.listing import ItemListing
from tasks.explorer.shown.acts import shown_act
from tasks.explorer.shown.address import ListAddress
from tasks.explorer.shown.columns import Marks
from tasks.explorer.shown.history import history_of
from tasks.explorer.workflow.plan import DISMISSING, TAGGING
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.models import ActKind, Campaign, Item, ItemHandling, ItemPurpose, Membership
from tasks.protocols.definition import AnnotationProtocol
from tasks.rating.shown.passage import ShownPassage, shown_passage
from tasks.rating.shown.reading import ComparedAnswers, compare_answers
from tasks.talk.queries import raters_to_write_to
from tasks.talk.shown import threads_on
from tasks.votes.all_votes import show_all
from tasks.votes.blindness import withheld_from
from tasks.votes.item_votes import item_in, votes_on
from tasks.web.addresses import page_at


@dataclass(frozen=True)
class ItemPage:
    """An item as the rating page shows it, differences marked."""

    item: Item
    campaign: Campaign

    @property
    def protocol(self) -> AnnotationProtocol:
        return self.campaign.annotation_protocol

    @cached_property
    def passage(self) -> ShownPassage:
        return shown_passage(self.item, self.campaign)

    @cached_property
    def answers(self) -> ComparedAnswers:
        return compare_answers(self.item.references, self.item.candidate)


@dataclass(frozen=True, slots=True)
class Way:
    """Addresses: of the list, of this page within it, and of its neighbours, "" where none is."""

    list: str
    here: str
    previous: str = ""
    next: str = ""


@page_at(
    "c/<slug:slug>/items/<int:item_id>/",
    name="item-votes",
    calls=("api-item", "api-item-votes"),
    tab="items",
    help="explorer.md#one-item",
)
@member_page(RESULTS, BOTH, while_archived=True)
def item(request: HttpRequest, membership: Membership, item_id: int) -> HttpResponseBase:
    """Votes, suggestions, flags, comments and history; withheld from who is just rating the item.

    Who could still judge it by themselves sees them only when asking for them.
    """
    campaign = membership.campaign
    try:
        found = item_in(campaign, item_id)
    except Item.DoesNotExist:
        raise Http404 from None
    if request.method == "POST":
        return show_all(request, membership, [found.pk])
    withheld = withheld_from(membership, found)
    marks, votes = Marks(campaign), None if withheld else votes_on(found, membership)
    way, tags = _way(request, membership, found), tags_on(found)
    handling = ItemHandling.objects.filter(item=found).first() or ItemHandling(item=found)
    context = {
        "membership": membership,
        "item": found,
        "way": way,
        "acts": _acts(handling, tags),
        "tags": tags,
        "given": given_on(found),
        "copy": None if withheld else Item.objects.filter(copied_from=found).first(),
        "handling": handling,
        "done": shown_act(act_done(membership, request.GET.get("done", ""))),
        "done_back": way.here,
        "page": ItemPage(found, campaign),
        "is_blind": withheld == "blind",
        "history": history_of(found, membership, is_withheld=bool(withheld)),
    }
    if votes:
        expected = votes.expected and marks.of(votes.expected.outcome.label)
        ratings = [(rating, marks.of(rating.outcome.label)) for rating in votes.ratings]
        context |= {"votes": votes, "ratings": ratings, "expected": expected}
    if not withheld and membership.is_admin:
        context |= {
            "threads": threads_on(found, membership),
            "to": raters_to_write_to(found, membership),
        }
    return render(request, "explorer/item.html", context)


def _way(request: HttpRequest, membership: Membership, item: Item) -> Way:
    """Back to the list that the address names, and along it; nowhere else without one."""
    slug = membership.campaign.slug
    home, here = reverse("items", args=[slug]), reverse("item-votes", args=[slug, item.pk])
    listing, wrong = listing_of_address(membership, request.GET.dict())
    if wrong or not set(ItemListing.__dataclass_fields__).intersection(request.GET):
        return Way(home, here)
    columns = request.GET.get("columns", "")
    address = ListAddress(listing, tuple(filter(None, columns.split(","))))
    refresh_before_reading(campaign=membership.campaign)
    before, after = neighbours(membership, listing, item.pk)

    def link(to: Neighbour | None) -> str:
        if to is None:
            return ""
        query = address.query(cursor=to.cursor) or "order=-number"
        return f"{reverse('item-votes', args=[slug, to.item])}?{query}"

    query = address.here
    return Way(
        list=f"{home}?{query}#i{item.pk}",
        here=f"{here}?{query or 'order=-number'}",
        previous=link(before),
        next=link(after),
    )


def _acts(handling: ItemHandling, tags: Sequence[str]) -> list[tuple[str, str]]:
    """The acts that could change this item, as far as that can be told at once."""
    idle = {
        ActKind.UNTAG: not tags,
        ActKind.DISMISS: handling.is_dismissed,
        ActKind.TAKE_BACK: not handling.is_dismissed,
    }
    open_to = {
        ItemPurpose.LIVE: tuple(ActKind),
        ItemPurpose.CONTROL: (*TAGGING, *DISMISSING),
        ItemPurpose.CALIBRATION: TAGGING,
    }
    return [
        (kind.value, str(kind.label))
        for kind in open_to[ItemPurpose(handling.item.purpose)]
        if not idle.get(kind)
    ]
