"""Invitation links of a campaign. For admins."""

from typing import Any
from urllib.parse import quote

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import caller_of
from tasks.access.guards.operations import call_at, delete, get, post
from tasks.access.guards.roles import ADMIN
from tasks.models import Campaign, Invitation, InvitationKind, Membership, Role
from tasks.people.forms import MAX_DAYS, MAX_USES
from tasks.people.queries.invitations import open_invitations
from tasks.people.workflow.invitations import invite, revoke
from tasks.web.bodies import Body, read_body
from tasks.web.lists import one_of, page_of
from tasks.web.public_address import public_address


class InvitationSerializer(serializers.Serializer[Any]):
    """An open invitation, without its link. `max_uses` is null where any number may come."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=InvitationKind.choices)
    role = serializers.ChoiceField(choices=Role.choices)
    note = serializers.CharField()
    uses = serializers.IntegerField()
    max_uses = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class NewInvitationSerializer(InvitationSerializer):
    """A new invitation. Its link is in this answer and nowhere else."""

    link = serializers.URLField()


class InvitationBody(Body):
    kind = serializers.ChoiceField(choices=InvitationKind.choices, default=InvitationKind.ACCOUNT)
    role = serializers.ChoiceField(choices=Role.choices, default=Role.RATER)
    days = serializers.IntegerField(default=14, min_value=1, max_value=MAX_DAYS)
    max_uses = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_USES
    )
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["kind"] == InvitationKind.CROWD and attrs["role"] != Role.RATER:
            raise serializers.ValidationError(
                {"role": "visitors of a crowd service can only be raters"}
            )
        return attrs


@call_at("v1/campaigns/<slug:slug>/invitations", name="api-invitations")
@get("invitations", ADMIN, rows=InvitationSerializer)
@post(
    "invite",
    ADMIN,
    takes=InvitationBody,
    gives={201: (NewInvitationSerializer, "Open from now on.")},
)
def invitations(request: Request, member: Membership) -> Response:
    """The invitation links that let people in, newest first; or a new one. People invited by
    e-mail have a list of their own."""
    campaign = member.campaign
    if request.method == "POST":
        return _invite(request, campaign)
    return page_of(request, open_invitations(campaign).filter(address=""), InvitationSerializer)


@call_at("v1/campaigns/<slug:slug>/invitations/<int:invitation_id>", name="api-invitation")
@delete("revoke_invitation", ADMIN, gives={204: None}, refuses=(400,))
def invitation(_request: Request, member: Membership, invitation_id: int) -> Response:
    """End an invitation, also one sent by e-mail: its link no longer works. Members who joined with
    it stay. Revoking again changes nothing."""
    campaign = member.campaign
    found = one_of(
        Invitation.objects.filter(campaign=campaign, pk=invitation_id),
        "the campaign has no such invitation",
    )
    revoke(invitation=found)
    return Response(status=204)


def _invite(request: Request, campaign: Campaign) -> Response:
    given = read_body(request, InvitationBody)
    made, secret = invite(campaign=campaign, created_by=caller_of(request), **given)
    page = "crowd" if made.kind == InvitationKind.CROWD else "join"
    link = public_address(reverse(page, args=[quote(secret)]), request._request)
    shown = open_invitations(campaign).get(pk=made.pk)
    return Response({**InvitationSerializer(shown).data, "link": link}, status=201)
