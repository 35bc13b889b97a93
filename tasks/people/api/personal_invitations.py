"""Invitations to persons: what admins see of them, and the answer of whoever is invited."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import caller_of
from tasks.access.guards.operations import call_at, delete, get, post
from tasks.access.guards.roles import ADMIN
from tasks.models import Membership, PersonalInvitation, Role
from tasks.people.queries.personal_invitations import invitations_of, unanswered_in
from tasks.people.workflow.personal_invitations import (
    accept_invitation,
    decline_invitation,
    withdraw_invitation,
)
from tasks.web.bodies import Body, read_body
from tasks.web.lists import one_of, page_of


class PersonalInvitationSerializer(serializers.Serializer[Any]):
    """Who was invited by the name of their account, and has not come yet. Whether there is such an
    account is not said."""

    id = serializers.IntegerField()
    username = serializers.CharField(source="name")
    role = serializers.ChoiceField(choices=Role.choices)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class OwnInvitationSerializer(serializers.Serializer[Any]):
    """What the caller is invited to, and by whom."""

    id = serializers.IntegerField()
    campaign = serializers.SlugField(source="campaign.slug")
    title = serializers.CharField(source="campaign.title")
    role = serializers.ChoiceField(choices=Role.choices)
    invited_by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    expires_at = serializers.DateTimeField()


class AnswerBody(Body):
    accept = serializers.BooleanField(help_text="false: decline it; nobody is told.")


class AnsweredSerializer(serializers.Serializer[Any]):
    campaign = serializers.SlugField()
    role = serializers.ChoiceField(choices=Role.choices, allow_null=True, help_text="null: none.")


@call_at("v1/campaigns/<slug:slug>/personal-invitations", name="api-personal-invitations")
@get("personal_invitations", ADMIN, rows=PersonalInvitationSerializer)
def personal_invitations(request: Request, member: Membership) -> Response:
    """Who was invited by the name of an account and has not answered, newest first.

    One invites by `POST …/members` with `"account": "existing"`.
    """
    return page_of(request, unanswered_in(member.campaign), PersonalInvitationSerializer)


@call_at(
    "v1/campaigns/<slug:slug>/personal-invitations/<int:invitation_id>",
    name="api-personal-invitation",
)
@delete("withdraw_personal_invitation", ADMIN, gives={204: None}, while_archived=True)
def personal_invitation(_request: Request, member: Membership, invitation_id: int) -> Response:
    """Ask no more; who has accepted stays. Again changes nothing."""
    there = PersonalInvitation.objects.filter(campaign=member.campaign, pk=invitation_id)
    found = one_of(there.select_related("campaign"), "the campaign has no such invitation")
    withdraw_invitation(invitation=found)
    return Response(status=204)


@call_at("v1/account/invitations", name="api-own-invitations")
@get("own_invitations", rows=OwnInvitationSerializer, refuses=(403,))
def own_invitations(request: Request) -> Response:
    """What the caller is invited to and has not answered."""
    return page_of(request, invitations_of(caller_of(request)), OwnInvitationSerializer)


@call_at("v1/account/invitations/<int:invitation_id>", name="api-own-invitation")
@post("answer_invitation", takes=AnswerBody, gives=AnsweredSerializer, refuses=(403,))
def own_invitation(request: Request, invitation_id: int) -> Response:
    """Take an invitation, or decline it."""
    user = caller_of(request)
    found = one_of(
        invitations_of(user).filter(pk=invitation_id), "there is no such invitation for you"
    )
    if not read_body(request, AnswerBody)["accept"]:
        decline_invitation(user=user, invitation_id=found.pk)
        return Response({"campaign": found.campaign.slug, "role": None})
    joined = accept_invitation(user=user, invitation_id=found.pk)
    return Response({"campaign": found.campaign.slug, "role": joined.role})
