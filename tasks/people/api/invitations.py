"""Invitation links, and invitations by mail. For admins."""

from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN
from tasks.access.guards.operations import call_at, caller_of, delete, get, post
from tasks.models import Invitation, InvitationKind, Membership, Role
from tasks.people.forms import MAX_DAYS, MAX_USES, validate_printable
from tasks.people.mail_forms import MAX_MESSAGE, MAX_NAME
from tasks.people.queries import (
    InviteeState,
    invitees_of,
    language_of_mails,
    open_invitations,
    sends_invitations,
)
from tasks.people.workflow.invitations import invite, revoke
from tasks.people.workflow.mailed_invitations import (
    MOST_AT_ONCE,
    Recipient,
    invite_by_mail,
    send_again,
)
from tasks.web.api_errors import Conflict
from tasks.web.calls import Body, NoBody, one_of, page_of, read_body
from tasks.web.outgoing import public_address


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
    if request.method != "POST":
        links = open_invitations(campaign).filter(address="")
        return page_of(request, links, InvitationSerializer)
    fields = read_body(request, InvitationBody)
    made, secret = invite(campaign=campaign, created_by=caller_of(request), **fields)
    page = "crowd" if made.kind == InvitationKind.CROWD else "join"
    link = public_address(reverse(page, args=[quote(secret)]), request._request)
    new_invitation = open_invitations(campaign).get(pk=made.pk)
    return Response({**InvitationSerializer(new_invitation).data, "link": link}, status=201)


@call_at("v1/campaigns/<slug:slug>/invitations/<int:invitation_id>", name="api-invitation")
@delete("revoke_invitation", ADMIN, gives={204: None}, refuses=(400,))
def invitation(_request: Request, member: Membership, invitation_id: int) -> Response:
    """End an invitation, also one sent by e-mail: its link no longer works. Members who joined with
    it stay. Revoking again changes nothing."""
    campaign = member.campaign
    open_invitation = one_of(
        Invitation.objects.filter(campaign=campaign, pk=invitation_id),
        "the campaign has no such invitation",
    )
    revoke(invitation=open_invitation)
    return Response(status=204)


class InviteeSerializer(serializers.Serializer[Any]):
    """An invitation to an address. `reason` says why the latest mail could not be sent."""

    id = serializers.IntegerField()
    email = serializers.EmailField(source="address")
    name = serializers.CharField(source="addressee")
    role = serializers.ChoiceField(choices=Role.choices)
    language = serializers.CharField()
    state = serializers.ChoiceField(choices=[state.value for state in InviteeState])
    reason = serializers.CharField(source="mail_error")
    created_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(source="mail_sent_at", allow_null=True)
    expires_at = serializers.DateTimeField()


class InvitingSerializer(serializers.Serializer[Any]):
    """How many mails are queued, and the addresses that get none: invited before, or members."""

    queued = serializers.IntegerField()
    invited = serializers.ListField(child=serializers.EmailField())
    members = serializers.ListField(child=serializers.EmailField())


class Person(Body):
    email = serializers.EmailField(max_length=254)
    name = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=MAX_NAME,
        validators=[validate_printable],
    )
    role = serializers.ChoiceField(
        choices=Role.choices, required=False, help_text="Instead of that of all."
    )


class Invitations(Body):
    people = serializers.ListField(child=Person(), allow_empty=False, max_length=MOST_AT_ONCE)
    role = serializers.ChoiceField(choices=Role.choices, default=Role.RATER)
    language = serializers.ChoiceField(
        choices=settings.LANGUAGES, required=False, help_text="By default that of the campaign."
    )
    message = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=MAX_MESSAGE
    )


@call_at("v1/campaigns/<slug:slug>/invitees", name="api-invitees")
@get("invitees", ADMIN, rows=InviteeSerializer)
@post(
    "invite_by_mail",
    ADMIN,
    takes=Invitations,
    gives={201: (InvitingSerializer, "Queued.")},
    refuses={409: "The site sends no mail, or the campaign has sent too many today."},
)
def invitees(request: Request, member: Membership) -> Response:
    """The people invited by e-mail, newest first; or invite more. `DELETE …/invitations/ID`
    withdraws one."""
    campaign = member.campaign
    if request.method == "GET":
        return page_of(request, invitees_of(campaign), InviteeSerializer)
    wanted = read_body(request, Invitations)
    recipients = [
        Recipient(person["email"], person["name"], person.get("role", ""))
        for person in wanted.pop("people")
    ]
    if not sends_invitations():
        raise Conflict("this site sends no mail; make an invitation link instead")
    people = invite_by_mail(
        campaign=campaign,
        recipients=recipients,
        by=caller_of(request),
        **{"language": language_of_mails(campaign), **wanted},
    )
    numbers = {"queued": len(people.new), "invited": people.invited, "members": people.members}
    return Response(numbers, status=201)


@call_at("v1/campaigns/<slug:slug>/invitees/<int:invitation_id>/again", name="api-invitation-again")
@post("send_invitation_again", ADMIN, takes=NoBody, gives=InviteeSerializer, refuses=(409,))
def again(_request: Request, member: Membership, invitation_id: int) -> Response:
    """A new mail with a new link; the link of the earlier one ends."""
    invitations = Invitation.objects.filter(campaign=member.campaign, pk=invitation_id)
    send_again(invitation=one_of(invitations, "the campaign has no such invitation"))
    return Response(InviteeSerializer(invitees_of(member.campaign).get(pk=invitation_id)).data)
