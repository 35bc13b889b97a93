"""Drafts of models: what an admin approves becomes an item, nothing else does. For admins."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN
from tasks.models import GeneratedKind, GeneratedState, Membership
from tasks.prefill.queries.generated import generated_texts
from tasks.prefill.workflow.generation import approve, reject
from tasks.web.bodies import Body, IdField, read_body
from tasks.web.lists import ListParameters, asked_of, page_of

_MOST = 500  # texts of one call


class GeneratedParameters(ListParameters):
    state = serializers.ChoiceField(
        required=False, choices=GeneratedState.choices, default=GeneratedState.PENDING
    )


class GeneratedTextSerializer(serializers.Serializer[Any]):
    """A draft, or the reply that made none and the `error` that says why."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=GeneratedKind.choices)
    target = serializers.CharField()
    question = serializers.CharField(source="asked")
    reference = serializers.CharField()
    candidate = serializers.CharField()
    system = serializers.CharField()
    provenance = serializers.DictField()
    error = serializers.CharField()
    state = serializers.ChoiceField(choices=GeneratedState.choices)
    reviewed_by = serializers.CharField(
        source="reviewed_by.pseudonym", allow_null=True, help_text="Pseudonym."
    )
    reviewed_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class Reviewed(Body):
    texts = serializers.ListField(
        child=IdField(), allow_empty=False, max_length=_MOST, help_text="Their ids."
    )


class ApprovalSerializer(serializers.Serializer[Any]):
    items_created = serializers.IntegerField()
    items_existing = serializers.IntegerField()


class RejectionSerializer(serializers.Serializer[Any]):
    rejected = serializers.IntegerField()


@call_at("v1/campaigns/<slug:slug>/generated", name="api-generated")
@get("generated_texts", ADMIN, rows=GeneratedTextSerializer, asks=GeneratedParameters)
def texts(request: Request, member: Membership) -> Response:
    """The texts in one state, in the order in which they were made."""
    asked = asked_of(request, GeneratedParameters)
    found = generated_texts(member.campaign, asked["state"])
    return page_of(request, found, GeneratedTextSerializer, order=("id",))


@call_at("v1/campaigns/<slug:slug>/generated/approve", name="api-generated-approve")
@post("approve_generated", ADMIN, takes=Reviewed, gives=ApprovalSerializer)
def approval(request: Request, member: Membership) -> Response:
    """Let pending drafts become items; what is not pending any more is left as it is."""
    ids = read_body(request, Reviewed)["texts"]
    return Response(asdict(approve(campaign=member.campaign, ids=ids, by=member)))


@call_at("v1/campaigns/<slug:slug>/generated/reject", name="api-generated-reject")
@post("reject_generated", ADMIN, takes=Reviewed, gives=RejectionSerializer)
def rejection(request: Request, member: Membership) -> Response:
    """Reject pending drafts; what is not pending any more is left as it is."""
    ids = read_body(request, Reviewed)["texts"]
    return Response({"rejected": reject(campaign=member.campaign, ids=ids, by=member)})
