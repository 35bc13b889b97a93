"""Adjudication over the API: the decisions, first looks, deciding, and how far experts agree."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.api.access import member_of
from tasks.api.errors import ErrorSerializer
from tasks.api.idempotency import KEY, key_of
from tasks.api.serializers import (
    AdjudicationPageSerializer,
    AdjudicationSerializer,
    AdjudicationSubmission,
    FirstLookSerializer,
    FirstLookSubmission,
    body_of,
)
from tasks.models import Adjudication, Item, Membership, Role
from tasks.queries.adjudication import adjudication_report_of, decisions_open_to
from tasks.queries.items import live_items
from tasks.workflow.adjudication import adjudicate, store_first_look

_REFUSALS = {403: ErrorSerializer, 404: ErrorSerializer}
_PAGE = OpenApiParameter("page", int, description="From 1; 100 decisions on each.")


class _Pages(PageNumberPagination):
    page_size = 100


@extend_schema(
    methods=["GET"],
    operation_id="adjudications",
    parameters=[_PAGE],
    responses={200: AdjudicationPageSerializer, **_REFUSALS},
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
    item = _item(member, given["item"])
    look = store_first_look(item=item, adjudicator=member, answers=answers)
    label = look.outcome.label
    return Response({"first_look": look.pk, "item": item.key, "label": label}, status=201)


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
    pages = _Pages()
    found = pages.paginate_queryset(decisions_open_to(member), request)
    return pages.get_paginated_response([_adjudication(each) for each in found or []])


def _decide(request: Request, member: Membership) -> Response:
    key = key_of(request)
    given, answers = body_of(request, AdjudicationSubmission)
    decided = adjudicate(
        item=_item(member, given["item"]),
        adjudicator=member,
        answers=answers,
        reason=given["reason"],
        idempotency_key=key,
        guideline_version=given.get("guideline_version"),
        settles_flags=given["settles_flags"],
    )
    body = _adjudication(decided.adjudication)
    return Response(body, status=200 if decided.is_replay else 201)


def _item(member: Membership, key: str) -> Item:
    item = live_items(member.campaign).filter(key=key).first()
    if item is None:
        raise NotFound("the campaign has no such item")
    return item


def _adjudication(decision: Adjudication) -> dict[str, Any]:
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
