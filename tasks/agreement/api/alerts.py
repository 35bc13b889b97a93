"""A campaign's alerts, for researchers and admins; their rules and channels, for admins."""

from dataclasses import replace
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.operations import call_at, get, patch, post, put
from tasks.agreement.alert_messages import as_message
from tasks.agreement.api.figures import LooksParameters, require_asked_for_looks
from tasks.agreement.findings import USUAL_RULES, Rule, alerts_of, rules_of
from tasks.agreement.forms import ChannelsForm
from tasks.agreement.workflow.alerts import (
    acknowledge,
    raise_trial,
    send_alerts_soon,
    set_channels,
    set_rules,
)
from tasks.models import Alert, AlertChannels, AlertKind, Campaign, Channel, Membership
from tasks.votes.all_votes import AllVotesParameters
from tasks.web.calls import Body, FiniteFloat, asked_of, one_of, page_of, read_body, require_valid

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
    by = alert.acknowledged_by
    return {
        **as_message(alert),
        "acknowledged_by": by.pseudonym if by else None,
        "deliveries": AlertDeliverySerializer(alert.deliveries.all(), many=True).data,
    }


_KINDS = [rule.kind.value for rule in USUAL_RULES]


class AlertRuleSerializer(serializers.Serializer[Any]):
    """A rule in force; `threshold` is α's, of the kind alpha, `hours` of the kind stalled."""

    kind = serializers.CharField(help_text=f"One of {', '.join(_KINDS)}.")
    is_active = serializers.BooleanField()
    threshold = serializers.FloatField(allow_null=True)
    hours = serializers.IntegerField(allow_null=True)


class AlertRulesSerializer(serializers.Serializer[Any]):
    rules = AlertRuleSerializer(many=True)


class AlertRuleChange(Body):
    """A rule to change; what is not named stays as it is."""

    kind = serializers.ChoiceField(_KINDS)
    is_active = serializers.BooleanField(required=False)
    threshold = FiniteFloat(required=False, min_value=-1, max_value=1)
    hours = serializers.IntegerField(required=False, min_value=1, max_value=10_000)


class AlertRulesChange(Body):
    rules = serializers.ListField(child=AlertRuleChange(), max_length=len(_KINDS))


class AlertChannelsBody(Body):
    sends_mail = serializers.BooleanField(help_text="E-mail to the admins of the campaign.")
    webhook_url = serializers.CharField(
        max_length=500, allow_blank=True, help_text="Empty for no webhook."
    )


class AlertChannelsSerializer(serializers.Serializer[Any]):
    """The alert channels. `webhook_secret` signs every alert and is shown once, when it is made."""

    sends_mail = serializers.BooleanField()
    webhook_url = serializers.CharField()
    webhook_secret = serializers.CharField(required=False)


@call_at("v1/campaigns/<slug:slug>/alerts/rules", name="api-alert-rules")
@get("alert_rules", ADMIN, gives=AlertRulesSerializer)
@patch("change_alert_rules", ADMIN, takes=AlertRulesChange, gives=AlertRulesSerializer)
def alert_rules(request: Request, member: Membership) -> Response:
    """Every rule of the campaign, active or not. A change affects only the rules it names."""
    campaign = member.campaign
    if request.method == "PATCH":
        changes = read_body(request, AlertRulesChange)["rules"]
        set_rules(campaign=campaign, rules=_changed(rules_of(campaign), changes))
    return Response({"rules": AlertRuleSerializer(rules_of(campaign), many=True).data})


@call_at("v1/campaigns/<slug:slug>/alerts/channels", name="api-alert-channels")
@get("alert_channels", ADMIN, gives=AlertChannelsSerializer)
@put("set_alert_channels", ADMIN, takes=AlertChannelsBody, gives=AlertChannelsSerializer)
def channels(request: Request, member: Membership) -> Response:
    """The alert channels. A new address of the webhook gets a new secret."""
    campaign = member.campaign
    if request.method != "PUT":
        return Response(_channels(campaign))
    form = ChannelsForm(read_body(request, AlertChannelsBody))
    require_valid(form)
    secret = set_channels(campaign=campaign, **form.cleaned_data)
    return Response(_channels(campaign) | ({"webhook_secret": secret} if secret else {}))


@call_at("v1/campaigns/<slug:slug>/alerts/trial", name="api-alert-trial")
@post("try_alert_channels", ADMIN, gives={201: AlertSerializer})
def trial(_request: Request, member: Membership) -> Response:
    """Send a test alert through every channel.

    Its `deliveries` name the channels; without a channel there are none.
    """
    raised = raise_trial(campaign=member.campaign, by=member)
    if raised.deliveries.exists():
        send_alerts_soon()
    known = alerts_of(member.campaign).select_related("campaign")
    return Response(alert_body(known.get(pk=raised.pk)), status=201)


def _changed(before: list[Rule], changes: list[dict[str, Any]]) -> list[Rule]:
    """The rules after the changes. Raises ValidationError for a number that its kind has not."""
    by_kind = {change["kind"]: change for change in changes}
    for kind, change in by_kind.items():
        usual = next(rule for rule in before if rule.kind == kind)
        for name in ("threshold", "hours"):
            if name in change and getattr(usual, name) is None:
                raise serializers.ValidationError({name: f"a rule of the kind {kind} has none"})
    return [
        replace(rule, **{k: v for k, v in by_kind.get(rule.kind, {}).items() if k != "kind"})
        for rule in before
    ]


def _channels(campaign: Campaign) -> dict[str, Any]:
    own = AlertChannels.objects.filter(campaign=campaign).first() or AlertChannels()
    return {"sends_mail": own.sends_mail, "webhook_url": own.webhook_url}
