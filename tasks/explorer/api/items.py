"""The items of a campaign with their systems, and what was said of one. For researchers, admins."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import RESULTS
from tasks.explorer.forms import ItemParameters, asked_of_items
from tasks.explorer.queries.found import page_of_items
from tasks.explorer.shown.serializers import ListedItemSerializer, WholeItemSerializer
from tasks.explorer.workflow.refreshing import refresh_before_reading, row_of_item
from tasks.models import Item, Membership
from tasks.rating.shown.evidence import (
    EvidenceVoteSerializer,
    FlagOnItemSerializer,
)
from tasks.rating.shown.serializers import SuggestionSerializer
from tasks.votes.blindness import withheld_from
from tasks.votes.item_votes import item_in, votes_on
from tasks.votes.workflow.seen_votes import show_votes
from tasks.web.bodies import NoBody, read_body
from tasks.web.lists import asked_of


class ItemVotesSerializer(serializers.Serializer[Any]):
    """The votes on an item. `withheld` gives the reason if nothing is shown: the caller is rating
    it, or could still judge it blind, as a rater or in a first look."""

    withheld = serializers.ChoiceField(choices=["rating", "blind"], allow_null=True)
    votes = EvidenceVoteSerializer(many=True)
    suggestions = SuggestionSerializer(many=True)
    flags = FlagOnItemSerializer(many=True)
    expected = serializers.CharField(
        allow_null=True, help_text="The known label of an item that trains or checks raters."
    )
    intended = serializers.CharField(
        help_text="Target of the generation; empty if the candidate was not generated."
    )


@call_at("v1/campaigns/<slug:slug>/items", name="api-items")
@get("items", RESULTS, rows=ListedItemSerializer, asks=ItemParameters)
def items(request: Request, member: Membership) -> Response:
    """The campaign's items by text, filters and order, newest first by default.

    `X-Items-Waiting` says of how many items the summaries, by which filters and orders go, are not
    up to date yet; as a rule of none.
    """
    asked = asked_of_items(member, asked_of(request, ItemParameters))
    waiting = refresh_before_reading(campaign=member.campaign)
    page = page_of_items(member, asked)
    body = {
        "next": _address(request, page.next),
        "previous": _address(request, page.previous),
        "results": ListedItemSerializer(page.rows, many=True).data,
    }
    return Response(body, headers={"X-Items-Waiting": str(waiting)})


@call_at("v1/campaigns/<slug:slug>/items/<int:item_id>", name="api-item")
@get("item", RESULTS, gives=WholeItemSerializer)
def item(_request: Request, member: Membership, item_id: int) -> Response:
    """One item with its passage."""
    found = _item(member, item_id)
    row = row_of_item(member=member, item=found)
    listed = ListedItemSerializer(row).data
    return Response({**listed, "context": found.question.context})


@call_at("v1/campaigns/<slug:slug>/items/<int:item_id>/votes", name="api-item-votes")
@get("item_votes", RESULTS, gives=ItemVotesSerializer)
@post("ask_for_votes", RESULTS, takes=NoBody, gives=ItemVotesSerializer, while_archived=True)
def item_votes(request: Request, member: Membership, item_id: int) -> Response:
    """Votes, suggestions and flags; withheld from who is rating the item or may judge it blind.

    POST asks for them: the caller sees them from then on, and gets the item neither to rate nor
    for a first look any more.
    """
    found = _item(member, item_id)
    if request.method == "POST":
        read_body(request, NoBody)
        show_votes(items=[found.pk], member=member)
    withheld = withheld_from(member, found)
    return Response(_votes(found, withheld, member))


def _address(request: Request, cursor: str) -> str | None:
    """Where the neighbour of this page is."""
    if not cursor:
        return None
    return replace_query_param(request.build_absolute_uri(), "cursor", cursor)


def _item(member: Membership, item_id: int) -> Item:
    try:
        return item_in(member.campaign, item_id)
    except Item.DoesNotExist:
        raise NotFound("there is no such item") from None


def _votes(item: Item, withheld: str | None, member: Membership) -> dict[str, Any]:
    """As ItemVotesSerializer describes it."""
    if withheld:
        nothing: dict[str, Any] = {"votes": [], "suggestions": [], "flags": [], "expected": None}
        return {"withheld": withheld, **nothing, "intended": ""}
    votes = votes_on(item, member)
    return {
        "withheld": None,
        "votes": EvidenceVoteSerializer(votes.ratings, many=True).data,
        "suggestions": SuggestionSerializer(votes.suggestions, many=True).data,
        "flags": FlagOnItemSerializer(votes.flags, many=True).data,
        "expected": votes.expected.outcome.label if votes.expected else None,
        "intended": item.intended,
    }
