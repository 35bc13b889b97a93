"""Webhooks over the API: register, change, try, and see what was sent. For admins."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN
from tasks.access.guards.operations import call_at, delete, get, patch, post
from tasks.events.queries import deliveries_to, webhooks_of
from tasks.events.workflow.events import (
    MIN_SECRET,
    add_webhook,
    change_webhook,
    delete_webhook,
    switch_off,
    switch_on,
    try_webhook,
)
from tasks.events.workflow.sending import MAX_ATTEMPTS, deliver_soon
from tasks.models import CHOSEN_KINDS, Campaign, Delivery, Membership, Webhook
from tasks.web.calls import Body, one_of, page_of, read_body
from tasks.web.outgoing import require_sendable

_KINDS = [kind.value for kind in CHOSEN_KINDS]


class WebhookSubmission(Body):
    url = serializers.CharField(
        max_length=500,
        validators=[require_sendable],
        help_text="An http or https address to which every event is posted.",
    )
    events = serializers.ListField(child=serializers.ChoiceField(choices=_KINDS), allow_empty=False)
    secret = serializers.CharField(
        required=False,
        min_length=MIN_SECRET,
        max_length=100,
        help_text="Secret for the signatures; a new webhook without one gets a generated secret.",
    )


class WebhookChange(WebhookSubmission):
    is_active = serializers.BooleanField(required=False)


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=_KINDS))

    class Meta:
        model = Webhook
        fields = [
            "id",
            "url",
            "events",
            "is_active",
            "failures",
            "failing_since",
            "switched_off_because",
            "created_at",
        ]


class NewWebhookSerializer(WebhookSerializer):
    """A new webhook with its secret, which is given out this once."""

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class DeliverySerializer(serializers.Serializer[Any]):
    """The delivery of one event: `waiting`, `sent` or `given_up`. `event` is its id in the body."""

    id = serializers.IntegerField()
    event = serializers.UUIDField()
    kind = serializers.CharField()
    created_at = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=["waiting", "sent", "given_up"])
    attempts = serializers.IntegerField()
    next_attempt_at = serializers.DateTimeField(allow_null=True)
    sent_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField()


@call_at("v1/campaigns/<slug:slug>/webhooks", name="api-webhooks")
@get("webhooks", ADMIN, rows=WebhookSerializer)
@post("add_webhook", ADMIN, takes=WebhookSubmission, gives={201: NewWebhookSerializer})
def webhooks(request: Request, member: Membership) -> Response:
    """The campaign's webhooks, newest first; or register one."""
    campaign = member.campaign
    if request.method == "GET":
        return page_of(request, webhooks_of(campaign), WebhookSerializer)
    made = add_webhook(campaign=campaign, **read_body(request, WebhookSubmission))
    return Response(NewWebhookSerializer(made).data, status=201)


@call_at("v1/campaigns/<slug:slug>/webhooks/<int:webhook_id>", name="api-webhook")
@get("webhook", ADMIN, gives=WebhookSerializer)
@patch("change_webhook", ADMIN, takes=WebhookChange, gives=WebhookSerializer)
@delete("delete_webhook", ADMIN, gives={204: None})
def webhook(request: Request, member: Membership, webhook_id: int) -> Response:
    """One webhook; switching it on has what could not be delivered tried again."""
    found = _webhook_or_404(member.campaign, webhook_id)
    if request.method == "DELETE":
        delete_webhook(webhook=found)
        return Response(status=204)
    if request.method == "PATCH":
        given = read_body(request, WebhookChange, partial=True)
        is_active = given.pop("is_active", found.is_active)
        change_webhook(webhook=found, **given)
        if is_active != found.is_active:
            (switch_on if is_active else switch_off)(webhook=found)
        found.refresh_from_db()
    return Response(WebhookSerializer(found).data)


@call_at("v1/campaigns/<slug:slug>/webhooks/<int:webhook_id>/trial", name="api-webhook-trial")
@post("try_webhook", ADMIN, gives={202: DeliverySerializer})
def trial(_request: Request, member: Membership, webhook_id: int) -> Response:
    """Have an event that says nothing sent to it soon, whether it is active or not."""
    found = _webhook_or_404(member.campaign, webhook_id)
    tried = try_webhook(webhook=found)
    deliver_soon()
    return Response(_delivery(deliveries_to(found).get(pk=tried.pk)), status=202)


@call_at(
    "v1/campaigns/<slug:slug>/webhooks/<int:webhook_id>/deliveries", name="api-webhook-deliveries"
)
@get("webhook_deliveries", ADMIN, rows=DeliverySerializer)
def deliveries(request: Request, member: Membership, webhook_id: int) -> Response:
    """Deliveries, newest first; those that were sent are kept for 30 days."""
    found = _webhook_or_404(member.campaign, webhook_id)
    return page_of(request, deliveries_to(found), _delivery)


def _webhook_or_404(campaign: Campaign, webhook_id: int) -> Webhook:
    return one_of(
        webhooks_of(campaign).select_related("campaign").filter(pk=webhook_id),
        "there is no such webhook",
    )


def _delivery(delivery: Delivery) -> dict[str, Any]:
    event = delivery.event
    assert event is not None  # noqa: S101 - the database sees to it
    is_given_up = delivery.attempts >= MAX_ATTEMPTS
    waiting = "given_up" if is_given_up else "waiting"
    state = "sent" if delivery.sent_at else waiting
    return {
        "id": delivery.pk,
        "event": event.uid,
        "kind": event.kind,
        "created_at": event.created_at,
        "state": state,
        "attempts": delivery.attempts,
        "next_attempt_at": delivery.not_before if state == "waiting" else None,
        "sent_at": delivery.sent_at,
        "error": delivery.error,
    }
