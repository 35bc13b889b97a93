"""A campaign's alerts. For researchers and admins."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import RESULTS
from tasks.agreement.alert_messages import as_message
from tasks.agreement.api.figures import LooksParameters, require_asked_for_looks
from tasks.agreement.findings.alerts import alerts_of
from tasks.agreement.workflow.alerts import acknowledge
from tasks.models import Alert, AlertKind, Channel, Membership
from tasks.votes.all_votes_asked import AllVotesParameters
from tasks.web.bodies import Body, read_body
from tasks.web.lists import asked_of, one_of, page_of

_OPEN, _ACKNOWLEDGED = "open", "acknowledged"


class AlertParameters(LooksParameters):
    state = serializers.ChoiceField([_OPEN, _ACKNOWLEDGED], required=False)
    kind = serializers.ChoiceField(AlertKind.values, required=False)


class Acknowledgement(Body):
    note = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")


class AlertDeliverySerializer(serializers.Serializer[Any]):
    """The telling of an alert through one channel, tried until `sent_at`."""

    channel = serializers.CharField(help_text=f"One of {', '.join(Channel.values)}.")
    attempts = serializers.IntegerField()
    sent_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(help_text="Error of the last attempt; empty if there was none.")


class AlertSerializer(serializers.Serializer[Any]):
    """The finding of a rule and its fate. `evidence` holds the numbers of its kind."""

    id = serializers.IntegerField()
    campaign = serializers.CharField()
    kind = serializers.CharField(help_text=f"One of {', '.join(AlertKind.values)}.")
    subject = serializers.CharField(help_text="A pseudonym, labels, or empty.")
    evidence = serializers.DictField()
    look = serializers.IntegerField(
        allow_null=True, help_text="Number of the look, if the alert came from one."
    )
    raised_at = serializers.DateTimeField()
    acknowledged_at = serializers.DateTimeField(allow_null=True)
    acknowledged_by = serializers.CharField(allow_null=True, help_text="Pseudonym.")
    note = serializers.CharField()
    url = serializers.CharField(help_text="Address of the alerts page.")
    deliveries = AlertDeliverySerializer(many=True)


@call_at("v1/campaigns/<slug:slug>/alerts", name="api-alerts")
@get("alerts", RESULTS, rows=AlertSerializer, asks=AlertParameters, refuses=(409,))
def alerts(request: Request, member: Membership) -> Response:
    """The campaign's alerts, newest first. 409 asks who rates in it whether they want to see what
    came of all votes."""
    asked = asked_of(request, AlertParameters)
    require_asked_for_looks(request, member)
    found = alerts_of(member.campaign).select_related("campaign")
    if "state" in asked:
        found = found.filter(acknowledged_at__isnull=asked["state"] == _OPEN)
    if "kind" in asked:
        found = found.filter(kind=asked["kind"])
    return page_of(request, found, alert_body)


@call_at("v1/campaigns/<slug:slug>/alerts/<int:alert_id>/acknowledge", name="api-alert-acknowledge")
@post(
    "acknowledge_alert",
    RESULTS,
    asks=AllVotesParameters,
    takes=Acknowledgement,
    gives=AlertSerializer,
    refuses=(409,),
)
def acknowledgement(request: Request, member: Membership, alert_id: int) -> Response:
    """Say that somebody has seen to an alert; 409 if somebody has said so before."""
    sent = read_body(request, Acknowledgement)
    require_asked_for_looks(request, member)
    known = alerts_of(member.campaign).select_related("campaign")
    alert = one_of(known.filter(pk=alert_id), "there is no such alert")
    if not acknowledge(alert=alert, by=member, note=sent["note"]):
        return Response({"detail": "the alert was already acknowledged"}, status=409)
    return Response(alert_body(known.get(pk=alert.pk)))


def alert_body(alert: Alert) -> dict[str, Any]:
    """As AlertSerializer describes it."""
    by = alert.acknowledged_by
    return {
        **as_message(alert),
        "acknowledged_by": by.pseudonym if by else None,
        "deliveries": AlertDeliverySerializer(alert.deliveries.all(), many=True).data,
    }
