"""Adjudication over the API: the decisions, first looks, deciding, and how far experts agree."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import member_of
from tasks.adjudication.api.serializers import (
    AdjudicationSerializer,
    AdjudicationSubmission,
    FirstLookSerializer,
    FirstLookSubmission,
)
from tasks.adjudication.queries.decisions import adjudication_report_of, decisions_open_to
from tasks.adjudication.workflow import adjudicate, store_first_look
from tasks.models import Adjudication, Item, Membership, Role
from tasks.rating.shown.serializers import body_of
from tasks.votes.items import live_items
from tasks.web.addresses import call_at
from tasks.web.api_errors import ErrorSerializer
from tasks.web.idempotency import KEY, key_of
from tasks.web.lists import ListParameters, asked_of, page_of, page_serializer

_REFUSALS = {403: ErrorSerializer, 404: ErrorSerializer}


class AdjudicationParameters(ListParameters):
    item = serializers.CharField(required=False, help_text="An item's id.")
    adjudicator = serializers.CharField(required=False, help_text="Pseudonym.")


@call_at("v1/campaigns/<slug:slug>/adjudications", name="api-adjudications")
@extend_schema(
    methods=["GET"],
    operation_id="adjudications",
    parameters=[AdjudicationParameters],
    responses={
        200: page_serializer(AdjudicationSerializer),
        400: ErrorSerializer,
        **_REFUSALS,
    },
)
@extend_schema(
    methods=["POST"],
    operation_id="adjudicate",
    parameters=[KEY],
    request=AdjudicationSubmission,
    responses={
        200: OpenApiResponse(AdjudicationSerializer, "Had been stored before."),
        201: OpenApiResponse(AdjudicationSerializer, "Stored."),
        400: ErrorSerializer,
        **_REFUSALS,
        409: ErrorSerializer,
    },
)
@api_view(["GET", "POST"])
def adjudications(request: Request, slug: str) -> Response:
    """Current decisions, newest first; or decide an item, with a new key revise the decision.

    Where first looks are blind, decisions on items that the caller has not judged are left out
    of the list, and deciding without a first look is refused (409), as is deciding an item that
    the caller has rated.
    """
    member = member_of(request, slug, Role.RESEARCHER, Role.ADMIN)
    return _list(request, member) if request.method == "GET" else _decide(request, member)


@call_at("v1/campaigns/<slug:slug>/first-looks", name="api-first-looks")
@extend_schema(
    operation_id="first_look",
    request=FirstLookSubmission,
    responses={
        201: FirstLookSerializer,
        400: ErrorSerializer,
        **_REFUSALS,
        409: ErrorSerializer,
    },
)
@api_view(["POST"])
def first_looks(request: Request, slug: str) -> Response:
    """Judge an item before seeing what others say. It stands: other answers get 409."""
    member = member_of(request, slug, Role.RESEARCHER, Role.ADMIN)
    given, answers = body_of(request, FirstLookSubmission)
    item = item_of(member, given["item"])
    look = store_first_look(item=item, adjudicator=member, answers=answers)
    label = look.outcome.label
    return Response({"first_look": look.pk, "item": item.key, "label": label}, status=201)


@call_at("v1/campaigns/<slug:slug>/adjudications/agreement", name="api-adjudication-agreement")
@extend_schema(
    operation_id="adjudication_agreement",
    responses={200: OpenApiTypes.OBJECT, **_REFUSALS},
)
@api_view(["GET"])
def agreement(request: Request, slug: str) -> Response:
    """How far adjudicators agree, decide against majorities, and change their minds."""
    member = member_of(request, slug, Role.RESEARCHER, Role.ADMIN)
    return Response(adjudication_report_of(member.campaign).as_json())


def _list(request: Request, member: Membership) -> Response:
    asked = asked_of(request, AdjudicationParameters)
    found = decisions_open_to(member)
    if "item" in asked:
        found = found.filter(item__key=asked["item"])
    if "adjudicator" in asked:
        found = found.filter(adjudicator__pseudonym=asked["adjudicator"])
    return page_of(request, found, decision_body)


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
    body = decision_body(decided.adjudication)
    return Response(body, status=200 if decided.is_replay else 201)


def item_of(member: Membership, key: str) -> Item:
    item = live_items(member.campaign).filter(key=key).first()
    if item is None:
        raise NotFound("the campaign has no such item")
    return item


def decision_body(decision: Adjudication) -> dict[str, Any]:
    """As AdjudicationSerializer describes it."""
    first, guideline = decision.first_outcome, decision.guideline
    return {
        "adjudication": decision.pk,
        "item": decision.item.key,
        "adjudicator": decision.adjudicator.pseudonym,
        "label": decision.outcome.label,
        "answers": decision.outcome.answers,
        "first_label": first.label if first else None,
        "reason": decision.reason,
        "guideline_version": guideline.version if guideline else None,
        "supersedes": decision.supersedes_id,
        "created_at": decision.created_at,
    }
