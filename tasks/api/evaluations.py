"""Evaluations of the lab: all of a campaign, and the report of one. For researchers and admins."""

import json

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.api.access import member_of
from tasks.api.errors import ErrorSerializer
from tasks.api.serializers import EvaluationSerializer
from tasks.models import Evaluation, Role

_REFUSALS = {403: ErrorSerializer, 404: ErrorSerializer}


@extend_schema(
    operation_id="evaluations",
    responses={200: EvaluationSerializer(many=True), **_REFUSALS},
)
@api_view(["GET"])
def evaluations(request: Request, slug: str) -> Response:
    """The campaign's evaluations, newest first, without their reports."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    found = Evaluation.objects.filter(campaign=campaign).select_related("release")
    listed = found.defer("report", "release__documents")
    return Response(EvaluationSerializer(listed, many=True).data)


@extend_schema(operation_id="evaluation", responses={200: OpenApiTypes.OBJECT, **_REFUSALS})
@api_view(["GET"])
def evaluation(request: Request, slug: str, evaluation_id: int) -> Response:
    """The report of an evaluation: its signature, and its sections with their tables.

    Cells that are estimates are objects with value, interval, n, replicates and seed.
    """
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    found = Evaluation.objects.filter(campaign=campaign, pk=evaluation_id).first()
    if found is None:
        raise NotFound("there is no such evaluation")
    return Response(json.loads(found.report))
