"""A campaign's alerts. For researchers and admins."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.alert_messages import as_message
from tasks.api.access import member_of
from tasks.api.errors import ErrorSerializer
from tasks.models import Alert, Role
from tasks.queries.alerts import alerts_of
from tasks.workflow.alerts import acknowledge

_SHOWN = 100


class AcknowledgementSerializer(serializers.Serializer[Any]):
    note = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")


@extend_schema(
    operation_id="alerts",
    responses={200: OpenApiTypes.OBJECT, 403: ErrorSerializer, 404: ErrorSerializer},
)
@api_view(["GET"])
def alerts(request: Request, slug: str) -> Response:
    """The campaign's alerts, open ones first, the newest 100 of them."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    found = alerts_of(campaign).select_related("campaign")[:_SHOWN]
    return Response([as_message(alert) for alert in found])


@extend_schema(
    operation_id="acknowledge_alert",
    request=AcknowledgementSerializer,
    responses={
        200: OpenApiTypes.OBJECT,
        403: ErrorSerializer,
        404: ErrorSerializer,
        409: ErrorSerializer,
    },
)
@api_view(["POST"])
def acknowledgement(request: Request, slug: str, alert_id: int) -> Response:
    """Say that somebody has seen to an alert; 409 if somebody has said so before."""
    membership = member_of(request, slug, Role.RESEARCHER, Role.ADMIN)
    body = AcknowledgementSerializer(data=request.data)
    body.is_valid(raise_exception=True)
    alert = Alert.objects.filter(campaign=membership.campaign, pk=alert_id).first()
    if alert is None:
        raise NotFound("there is no such alert")
    if not acknowledge(alert=alert, by=membership, note=body.validated_data["note"]):
        return Response({"detail": "the alert had been acknowledged before"}, status=409)
    return Response(as_message(Alert.objects.select_related("campaign", "look").get(pk=alert_id)))
