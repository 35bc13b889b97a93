"""One item with its votes, for those who look into disagreement."""

from dataclasses import dataclass
from functools import cached_property

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render

from tasks.access.guards.pages import BOTH, member_page
from tasks.access.guards.roles import RESULTS
from tasks.models import Item, Membership
from tasks.protocols.definition import AnnotationProtocol
from tasks.rating.shown.reading import (
    ComparedAnswers,
    Passage,
    compare_answers,
    read_passage,
)
from tasks.rating.shown.withheld import show_all
from tasks.votes.blindness import withheld_from
from tasks.votes.item_votes import item_in, votes_on
from tasks.web.addresses import page_at


@dataclass(frozen=True)
class ItemPage:
    """An item as the rating page shows it, differences marked."""

    item: Item
    protocol: AnnotationProtocol

    @cached_property
    def passage(self) -> Passage:
        item = self.item
        return read_passage(item.question.context, item.references, item.candidate)

    @cached_property
    def answers(self) -> ComparedAnswers:
        item = self.item
        return compare_answers(item.references, item.candidate)


@page_at(
    "c/<slug:slug>/items/<int:item_id>/",
    name="item-votes",
    calls=("api-item", "api-item-votes"),
    tab="agreement",
)
@member_page(RESULTS, BOTH)
def item(request: HttpRequest, membership: Membership, item_id: int) -> HttpResponseBase:
    """Votes, suggestions, flags and comments; withheld from who is just rating the item.

    Who could still judge it by themselves sees them only when asking for them.
    """
    campaign = membership.campaign
    try:
        found = item_in(campaign, item_id)
    except Item.DoesNotExist:
        raise Http404 from None
    if request.method == "POST":
        return show_all(request, membership, [found.pk])
    titles = campaign.annotation_protocol.titles
    withheld = withheld_from(membership, found)
    votes = None if withheld else votes_on(found, membership)
    context = {
        "membership": membership,
        "item": found,
        "page": ItemPage(found, campaign.annotation_protocol),
        "votes": votes,
        "is_blind": withheld == "blind",
        "ratings": [(one, titles[one.outcome.label]) for one in votes.ratings] if votes else [],
        "expected": titles[votes.expected.outcome.label] if votes and votes.expected else "",
    }
    return render(request, "rating/item_votes.html", context)
