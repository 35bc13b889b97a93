"""A campaign's audit log. For admins."""

from datetime import datetime
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN
from tasks.access.guards.operations import call_at, get
from tasks.audit.queries import entries_of
from tasks.models import ActorKind, AuditAction, Membership
from tasks.models.audit import canonical_time
from tasks.web.calls import ListParameters, asked_of, page_of


class AuditParameters(ListParameters):
    action = serializers.ChoiceField(choices=AuditAction.values, required=False)
    actor = serializers.CharField(required=False, help_text="Name at the time.")
    since = serializers.DateTimeField(required=False, help_text="From this moment on.")
    until = serializers.DateTimeField(required=False, help_text="Before this moment.")


class _CanonicalTime(serializers.DateTimeField):
    """As it is hashed."""

    def to_representation(self, value: datetime) -> str:
        return canonical_time(value)


class AuditEntrySerializer(serializers.Serializer[Any]):
    """One act. `via` is the way it came: `page`, `API`, a command, a job."""

    sequence = serializers.IntegerField()
    at = _CanonicalTime()
    actor_kind = serializers.ChoiceField(choices=ActorKind.values)
    actor = serializers.CharField()
    role = serializers.CharField()
    via = serializers.CharField()
    action = serializers.CharField()
    subject_kind = serializers.CharField()
    subject = serializers.CharField()
    details = serializers.DictField(source="facts")
    hash = serializers.CharField()


@call_at("v1/campaigns/<slug:slug>/audit", name="api-audit")
@get("audit", ADMIN, rows=AuditEntrySerializer, asks=AuditParameters)
def audit(request: Request, member: Membership) -> Response:
    """The acts of people in the campaign, latest first."""
    asked = asked_of(request, AuditParameters)
    filters = {name: asked[name] for name in ("action", "actor", "since", "until") if name in asked}
    return page_of(
        request, entries_of(member.campaign, **filters), AuditEntrySerializer, order=("-sequence",)
    )
