"""Drafts of models: what an admin approves becomes an item, nothing else does. For admins."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN
from tasks.access.guards.operations import call_at, get, post
from tasks.models import GeneratedKind, GeneratedState, Membership
from tasks.prefill.queries.generated import SECOND_VERDICTS, Common, generated_texts, pending_ids
from tasks.prefill.workflow.generation import approve, reject
from tasks.web.calls import Body, IdField, ListParameters, asked_of, page_of, read_body

_MOST = 500  # texts that one call names
_COMMON = tuple(field.name for field in fields(Common))


class CommonFields(serializers.Serializer[Any]):
    target = serializers.CharField(required=False, help_text="Intended label of the texts.")
    system = serializers.CharField(required=False, help_text="Author of the texts.")
    question_type = serializers.CharField(required=False)
    second_verdict = serializers.ChoiceField(
        required=False,
        choices=SECOND_VERDICTS,
        help_text="Pairs by rule: the model's second verdict compared with its first.",
    )


class GeneratedParameters(ListParameters, CommonFields):
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


class NamedTexts(Body):
    texts = serializers.ListField(
        child=IdField(),
        required=False,
        allow_empty=False,
        max_length=_MOST,
        help_text="Ids of the texts.",
    )


class Reviewed(NamedTexts, CommonFields):
    """`texts`, or all pending ones that have the other fields in common."""

    preview = serializers.BooleanField(
        default=False, help_text="Only count the texts, change nothing."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("texts" in attrs) == any(name in attrs for name in _COMMON):
            raise serializers.ValidationError(
                {"texts": f"give either texts or what they have in common: {', '.join(_COMMON)}"}
            )
        return attrs


class ApprovalSerializer(serializers.Serializer[Any]):
    texts = serializers.IntegerField(help_text="Number of texts that were pending.")
    items_created = serializers.IntegerField()
    items_existing = serializers.IntegerField()


class RejectionSerializer(serializers.Serializer[Any]):
    texts = serializers.IntegerField(help_text="Number of texts that were pending.")
    rejected = serializers.IntegerField()


@call_at("v1/campaigns/<slug:slug>/generated", name="api-generated")
@get("generated_texts", ADMIN, rows=GeneratedTextSerializer, asks=GeneratedParameters)
def texts(request: Request, member: Membership) -> Response:
    """The texts in one state, in the order in which they were made."""
    asked = asked_of(request, GeneratedParameters)
    found = generated_texts(member.campaign, asked["state"], _common(asked))
    return page_of(request, found, GeneratedTextSerializer, order=("id",))


@call_at("v1/campaigns/<slug:slug>/generated/approve", name="api-generated-approve")
@post("approve_generated", ADMIN, takes=Reviewed, gives=ApprovalSerializer)
def approval(request: Request, member: Membership) -> Response:
    """Let pending drafts become items; what is not pending any more is left as it is."""
    ids, is_preview = _reviewed(request, member)
    intake = approve(campaign=member.campaign, ids=[] if is_preview else ids, by=member)
    return Response({"texts": len(ids), **asdict(intake)})


@call_at("v1/campaigns/<slug:slug>/generated/reject", name="api-generated-reject")
@post("reject_generated", ADMIN, takes=Reviewed, gives=RejectionSerializer)
def rejection(request: Request, member: Membership) -> Response:
    """Reject pending drafts; what is not pending any more is left as it is."""
    ids, is_preview = _reviewed(request, member)
    rejected = reject(campaign=member.campaign, ids=[] if is_preview else ids, by=member)
    return Response({"texts": len(ids), "rejected": rejected})


def _reviewed(request: Request, member: Membership) -> tuple[list[int], bool]:
    """The pending texts that are meant, and whether only their number is asked for."""
    body = read_body(request, Reviewed)
    pending = pending_ids(member.campaign, _common(body))
    wanted = set(body.get("texts", pending))
    return [pk for pk in pending if pk in wanted], body["preview"]


def _common(asked: Mapping[str, Any]) -> Common:
    return Common(**{name: asked[name] for name in _COMMON if name in asked})
