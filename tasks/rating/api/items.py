"""The items of a campaign with their systems, and what was said of one. For researchers, admins."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import RESULTS
from tasks.models import Item, ItemPurpose, Membership
from tasks.rating.shown.evidence import (
    EvidenceVoteSerializer,
    FlagOnItemSerializer,
)
from tasks.rating.shown.serializers import SuggestionSerializer
from tasks.votes.blindness import withheld_from
from tasks.votes.item_votes import item_in, votes_on
from tasks.votes.items import items_of
from tasks.votes.workflow.seen_votes import show_votes
from tasks.web.bodies import NoBody, read_body
from tasks.web.lists import ListParameters, asked_of, page_of
from tomahto.text.plain_name import plain_name

_FILTERS: Mapping[str, str] = {
    "document": "question__document__key",
    "system": "item_systems__system__name",
    "split": "question__split",
    "key": "key",
    "purpose": "purpose",
}


class ItemParameters(ListParameters):
    document = serializers.CharField(required=False, max_length=255)
    system = serializers.CharField(
        required=False, max_length=255, help_text="Items whose candidate this system produced."
    )
    split = serializers.CharField(
        required=False, max_length=40, help_text="The one that the source has the question in."
    )
    key = serializers.CharField(required=False, max_length=255, help_text="The item's id.")
    purpose = serializers.ChoiceField(required=False, choices=ItemPurpose.choices)


class ListedItemSerializer(serializers.Serializer[Any]):
    """An item without its passage. `number` is what its address has, `id` what files call it."""

    number = serializers.IntegerField(source="pk")
    id = serializers.CharField(source="key")
    document = serializers.CharField(source="question.document.key")
    question_id = serializers.CharField(source="question.key")
    question = serializers.CharField(source="question.text")
    question_type = serializers.CharField(source="question.question_type")
    split = serializers.CharField(source="question.split")
    references = serializers.ListField(child=serializers.CharField())
    candidate = serializers.CharField()
    systems = serializers.ListField(source="system_names", child=serializers.CharField())
    purpose = serializers.ChoiceField(choices=ItemPurpose.choices)
    created_at = serializers.DateTimeField()


class WholeItemSerializer(ListedItemSerializer):
    context = serializers.CharField(source="question.context")  # type: ignore[assignment]  # a field named like DRF's own


class ItemVotesSerializer(serializers.Serializer[Any]):
    """What was said of an item. `withheld` says why nothing is shown: the caller is rating it, or
    could still judge it blind, as a rater or in a first look."""

    withheld = serializers.ChoiceField(choices=["rating", "blind"], allow_null=True)
    votes = EvidenceVoteSerializer(many=True)
    suggestions = SuggestionSerializer(many=True)
    flags = FlagOnItemSerializer(many=True)
    expected = serializers.CharField(
        allow_null=True, help_text="The known label of an item that trains or checks raters."
    )
    intended = serializers.CharField(
        help_text="What a model was asked to write; empty if the candidate is no generated text."
    )


@call_at("v1/campaigns/<slug:slug>/items", name="api-items")
@get("items", RESULTS, rows=ListedItemSerializer, asks=ItemParameters)
def items(request: Request, member: Membership) -> Response:
    """The campaign's items, newest first, with the systems of their candidates."""
    asked = asked_of(request, ItemParameters)
    wanted = {path: plain_name(asked[name]) for name, path in _FILTERS.items() if name in asked}
    found = items_of(member.campaign).filter(**wanted)
    return page_of(request, _with_systems(found), ListedItemSerializer)


@call_at("v1/campaigns/<slug:slug>/items/<int:item_id>", name="api-item")
@get("item", RESULTS, gives=WholeItemSerializer)
def item(_request: Request, member: Membership, item_id: int) -> Response:
    """One item with its passage."""
    found = _item(member, item_id)
    return Response(WholeItemSerializer(found).data)


@call_at("v1/campaigns/<slug:slug>/items/<int:item_id>/votes", name="api-item-votes")
@get("item_votes", RESULTS, gives=ItemVotesSerializer)
@post("ask_for_votes", RESULTS, takes=NoBody, gives=ItemVotesSerializer)
def votes(request: Request, member: Membership, item_id: int) -> Response:
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


def _with_systems(items: QuerySet[Item]) -> QuerySet[Item]:
    return items.defer("question__context").prefetch_related("item_systems__system")


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
