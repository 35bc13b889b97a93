"""The rules and channels of alerts. For admins."""

from dataclasses import replace
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, patch, post, put
from tasks.access.guards.roles import ADMIN
from tasks.agreement.alert_forms import ChannelsForm
from tasks.agreement.api.alerts import AlertSerializer, alert_body
from tasks.agreement.findings.alert_rules import USUAL_RULES, Rule, rules_of
from tasks.agreement.findings.alerts import alerts_of
from tasks.agreement.workflow.alerts import raise_trial, send_alerts_soon, set_channels, set_rules
from tasks.models import AlertChannels, Campaign, Membership
from tasks.web.bodies import Body, read_body
from tasks.web.form_errors import require_valid
from tasks.web.numbers import FiniteFloat

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
    return Response(_trial(member), status=201)


def _trial(membership: Membership) -> dict[str, Any]:
    raised = raise_trial(campaign=membership.campaign, by=membership)
    if raised.deliveries.exists():
        send_alerts_soon()
    return alert_body(alerts_of(membership.campaign).select_related("campaign").get(pk=raised.pk))


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
    """As AlertChannelsSerializer describes it, without the secret."""
    own = AlertChannels.objects.filter(campaign=campaign).first() or AlertChannels()
    return {"sends_mail": own.sends_mail, "webhook_url": own.webhook_url}
