"""The queue of an adjudicator, and one item as far as they may see it.

Where first looks are blind, nothing that others have said about an item is read from the database
before the look is stored.
"""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import RESULTS
from tasks.access.guards.operations import call_at, get, post
from tasks.adjudication.api.decisions import AdjudicationSerializer, FirstLookSerializer, item_of
from tasks.adjudication.queries.decisions import (
    evidence_on,
    first_look_at,
    item_to_adjudicate,
    own_decision,
)
from tasks.adjudication.queries.queue import Queue, Reason, Shelf, next_item, shelves_of
from tasks.adjudication.workflow import asks_for_first_look, leave_item, require_no_part
from tasks.models import Item, Membership
from tasks.rating.shown.serializers import (
    EvidenceVoteSerializer,
    FlagOnItemSerializer,
    FormSerializer,
    ItemSerializer,
    MatcherSuggestionSerializer,
    form_of,
    item_with_evidence,
)
from tasks.votes.workflow import reveal_votes_for_decision
from tasks.web.calls import MOST, USUAL, Body, Parameters, asked_of, read_body

_SHELVES = [shelf.value for shelf in Shelf if shelf != Shelf.OWN]
_FARTHEST = 1_000_000


class DeskParameters(Parameters):
    item = serializers.CharField(help_text="The item's id, as in claims and lists.")


class QueueParameters(Parameters):
    shelf = serializers.ChoiceField(_SHELVES, required=False, default=Shelf.WAITING.value)
    reason = serializers.ChoiceField(Reason.values, required=False)
    start = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=_FARTHEST, help_text="Places left out."
    )
    limit = serializers.IntegerField(required=False, default=USUAL, min_value=1, max_value=MOST)


class ItemToLeave(Body):
    item = serializers.CharField(help_text="The item's id.")


class ItemLeftSerializer(serializers.Serializer[Any]):
    item = serializers.CharField()


class ShelfSerializer(serializers.Serializer[Any]):
    """The number of items on a shelf, and their reasons; one item may have several."""

    shelf = serializers.CharField(help_text=f"One of {', '.join(Shelf.values)}.")
    items = serializers.IntegerField()
    reasons = serializers.DictField(child=serializers.IntegerField())


class QueuedItemSerializer(serializers.Serializer[Any]):
    """An item of the queue. It says that votes are split, never which way."""

    item = serializers.CharField(source="key")
    question = serializers.CharField()
    candidate = serializers.CharField()
    systems = serializers.IntegerField()
    confidence = serializers.FloatField()
    value = serializers.FloatField(
        help_text="Value of a decision on the item, used to order the queue."
    )
    reasons = serializers.ListField(child=serializers.CharField())


class AdjudicationQueueSerializer(serializers.Serializer[Any]):
    shelves = ShelfSerializer(many=True)
    items = QueuedItemSerializer(many=True, help_text="Items of the shelf, most valuable first.")


class EvidenceSerializer(serializers.Serializer[Any]):
    """All that others have said about an item; counted votes first, open flags only."""

    votes = EvidenceVoteSerializer(many=True)
    flags = FlagOnItemSerializer(many=True)
    suggestion = MatcherSuggestionSerializer(allow_null=True)
    decisions = AdjudicationSerializer(many=True, help_text="Decisions of others.")


class DeskSerializer(serializers.Serializer[Any]):
    """An item before an adjudicator. While `is_blind` a first look is due, and there is no
    evidence. Send `idempotency_key` back with the decision as the header `Idempotency-Key`."""

    item = ItemSerializer()
    form = FormSerializer()
    idempotency_key = serializers.CharField()
    is_blind = serializers.BooleanField()
    first_look = FirstLookSerializer(allow_null=True)
    decision = AdjudicationSerializer(allow_null=True, help_text="The caller's decision so far.")
    evidence = EvidenceSerializer(allow_null=True)


@call_at("v1/campaigns/<slug:slug>/adjudications/queue", name="api-adjudication-queue")
@get("adjudication_queue", RESULTS, asks=QueueParameters, gives=AdjudicationQueueSerializer)
def queue(request: Request, member: Membership) -> Response:
    """Numbers of items by shelf and reason; and the items of one shelf, for one reason if it is
    named."""
    parameters = asked_of(request, QueueParameters)
    shelves, shelf = shelves_of(member), Shelf(parameters["shelf"])
    reason = Reason(parameters["reason"]) if "reason" in parameters else None
    start: int = parameters["start"]
    shelf_queue = Queue(member, shelf, reason, shelves[shelf].number(reason))
    items = shelf_queue[start : start + parameters["limit"]]
    numbers = [
        {"shelf": each.value, "items": waiting.items, "reasons": dict(waiting.reasons)}
        for each, waiting in shelves.items()
    ]
    return Response({"shelves": numbers, "items": QueuedItemSerializer(items, many=True).data})


@call_at("v1/campaigns/<slug:slug>/adjudications/next", name="api-adjudication-next")
@get(
    "next_to_adjudicate",
    RESULTS,
    gives={200: DeskSerializer, 204: "No items left for the caller to decide."},
    refuses=(409,),
)
def next_to_adjudicate(_request: Request, member: Membership) -> Response:
    """The most valuable item that waits for the caller. It is nobody's until it is decided."""
    item_id = next_item(member)
    if item_id is None:
        return Response(status=204)
    return Response(_desk(item_to_adjudicate(member.campaign, item_id), member))


@call_at("v1/campaigns/<slug:slug>/adjudications/item", name="api-adjudication-item")
@get("item_to_adjudicate", RESULTS, asks=DeskParameters, gives=DeskSerializer, refuses=(409,))
def desk(request: Request, member: Membership) -> Response:
    """One item, with what others say of it once the caller may know; 409 for who rated it."""
    return Response(_desk(item_of(member, asked_of(request, DeskParameters)["item"]), member))


@call_at("v1/campaigns/<slug:slug>/adjudications/left", name="api-adjudication-left")
@post("leave_item", RESULTS, takes=ItemToLeave, gives=ItemLeftSerializer, refuses=(409,))
def left(request: Request, member: Membership) -> Response:
    """Leave an item for somebody else; the caller may still come back to it."""
    item = item_of(member, read_body(request, ItemToLeave)["item"])
    require_no_part(item=item, adjudicator=member)
    leave_item(item=item, adjudicator=member)
    return Response({"item": item.key})


def _desk(item: Item, member: Membership) -> dict[str, Any]:
    """As DeskSerializer describes it. Raises OwnItem."""
    require_no_part(item=item, adjudicator=member)
    is_blind = asks_for_first_look(item=item, adjudicator=member)
    if not is_blind:
        reveal_votes_for_decision(item=item, member=member)
    campaign = member.campaign
    look, decision = first_look_at(item, member), own_decision(item, member)
    return {
        "item": item_with_evidence(item),
        "form": form_of(campaign),
        "idempotency_key": str(uuid.uuid4()),
        "is_blind": is_blind,
        "first_look": look and FirstLookSerializer(look).data,
        "decision": decision and AdjudicationSerializer(decision).data,
        "evidence": None if is_blind else _evidence(item, member),
    }


def _evidence(item: Item, member: Membership) -> dict[str, Any]:
    evidence = evidence_on(item, member.campaign)
    suggestion = evidence.suggestion
    return {
        "votes": EvidenceVoteSerializer(evidence.votes, many=True).data,
        "flags": FlagOnItemSerializer(evidence.flags, many=True).data,
        "suggestion": suggestion and MatcherSuggestionSerializer(suggestion).data,
        "decisions": [
            AdjudicationSerializer(each).data
            for each in evidence.decisions
            if each.adjudicator_id != member.pk
        ],
    }
