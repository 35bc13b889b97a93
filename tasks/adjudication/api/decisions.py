"""Adjudication over the API: the decisions, first looks, deciding, and how far experts agree."""

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import RESULTS
from tasks.adjudication.api.serializers import (
    AdjudicationSerializer,
    AdjudicationSubmission,
    FirstLookSerializer,
    FirstLookSubmission,
)
from tasks.adjudication.queries.decisions import adjudication_report_of, decisions_open_to
from tasks.adjudication.workflow import adjudicate, store_first_look
from tasks.models import Item, Membership
from tasks.rating.shown.serializers import body_of
from tasks.votes.items import live_items
from tasks.web.idempotency import KEY, key_of
from tasks.web.lists import ListParameters, asked_of, one_of, page_of


class AdjudicationParameters(ListParameters):
    item = serializers.CharField(required=False, help_text="An item's id.")
    adjudicator = serializers.CharField(required=False, help_text="Pseudonym.")


@call_at("v1/campaigns/<slug:slug>/adjudications", name="api-adjudications")
@get("adjudications", RESULTS, rows=AdjudicationSerializer, asks=AdjudicationParameters)
@post(
    "adjudicate",
    RESULTS,
    headers=(KEY,),
    takes=AdjudicationSubmission,
    gives={
        200: (AdjudicationSerializer, "Already stored by an earlier call."),
        201: (AdjudicationSerializer, "Stored."),
    },
    refuses=(409,),
)
def adjudications(request: Request, member: Membership) -> Response:
    """Current decisions, newest first; or decide an item, with a new key revise the decision.

    Where first looks are blind, decisions on items that the caller has not judged are left out
    of the list, and deciding without a first look is refused (409), as is deciding an item that
    the caller has rated.
    """
    return _list(request, member) if request.method == "GET" else _decide(request, member)


@call_at("v1/campaigns/<slug:slug>/first-looks", name="api-first-looks")
@post(
    "first_look",
    RESULTS,
    takes=FirstLookSubmission,
    gives={201: FirstLookSerializer},
    refuses=(409,),
)
def first_looks(request: Request, member: Membership) -> Response:
    """Judge an item before seeing what others say. It is final: other answers get 409."""
    given, answers = body_of(request, FirstLookSubmission)
    item = item_of(member, given["item"])
    look = store_first_look(item=item, adjudicator=member, answers=answers)
    return Response(FirstLookSerializer(look).data, status=201)


@call_at("v1/campaigns/<slug:slug>/adjudications/agreement", name="api-adjudication-agreement")
@get("adjudication_agreement", RESULTS, gives=OpenApiTypes.OBJECT)
def agreement(_request: Request, member: Membership) -> Response:
    """How far adjudicators agree, decide against majorities, and change their minds."""
    return Response(adjudication_report_of(member.campaign).as_json())


def _list(request: Request, member: Membership) -> Response:
    asked = asked_of(request, AdjudicationParameters)
    found = decisions_open_to(member)
    if "item" in asked:
        found = found.filter(item__key=asked["item"])
    if "adjudicator" in asked:
        found = found.filter(adjudicator__pseudonym=asked["adjudicator"])
    return page_of(request, found, AdjudicationSerializer)


def _decide(request: Request, member: Membership) -> Response:
    key = key_of(request)
    given, answers = body_of(request, AdjudicationSubmission)
    decided = adjudicate(
        item=item_of(member, given["item"]),
        adjudicator=member,
        answers=answers,
        reason=given["reason"],
        idempotency_key=key,
        guideline_version=given.get("guideline_version"),
        settles_flags=given["settles_flags"],
    )
    body = AdjudicationSerializer(decided.adjudication).data
    return Response(body, status=200 if decided.is_replay else 201)


def item_of(member: Membership, key: str) -> Item:
    return one_of(live_items(member.campaign).filter(key=key), "the campaign has no such item")
