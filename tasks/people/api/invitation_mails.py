"""Invitations by e-mail. For admins."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import caller_of
from tasks.access.guards.confirmed_calls import call_makes_admin
from tasks.access.guards.operations import call_at, delete, get, post
from tasks.access.guards.roles import ADMIN
from tasks.models import InvitationMail, MailState, Membership, Role
from tasks.people.forms import MAX_DAYS
from tasks.people.mail_forms import MAX_MESSAGE, recipients_in
from tasks.people.queries.invitation_mails import mails_of, sends_invitations
from tasks.people.workflow import invitation_mails as workflow
from tasks.web.api_errors import Conflict
from tasks.web.bodies import Body, NoBody, read_body
from tasks.web.lists import one_of, page_of


class InvitationMailSerializer(serializers.Serializer[Any]):
    """An invitation to one address. `state` unclear: the worker ended while the mail server had the
    mail, so it may have arrived. `reason` says why it was refused, or is tried again."""

    id = serializers.IntegerField()
    address = serializers.EmailField()
    name = serializers.CharField()
    role = serializers.ChoiceField(source="invitation.role", choices=Role.choices)
    language = serializers.CharField()
    state = serializers.ChoiceField(choices=MailState.choices)
    accepted = serializers.BooleanField(source="is_accepted")
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(source="invitation.expires_at")


class LinkSerializer(serializers.Serializer[Any]):
    address = serializers.EmailField()
    link = serializers.URLField()


class InvitedSerializer(serializers.Serializer[Any]):
    """`known` were invited before and are left alone; `links` are in this answer and nowhere
    else, and there are none where mails are sent."""

    queued = serializers.IntegerField()
    known = serializers.ListField(child=serializers.EmailField())
    links = LinkSerializer(many=True)


class InvitationMails(Body):
    addresses = serializers.CharField(
        max_length=100_000, help_text="One per line: ann@example.org, or Ann Lee <ann@example.org>."
    )
    role = serializers.ChoiceField(choices=Role.choices, default=Role.RATER)
    language = serializers.ChoiceField(choices=settings.LANGUAGES, default="en")
    days = serializers.IntegerField(default=14, min_value=1, max_value=MAX_DAYS)
    message = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=MAX_MESSAGE
    )
    as_links = serializers.BooleanField(
        default=False, help_text="Send nothing; the links are in the answer."
    )

    def validate_addresses(self, text: str) -> list[workflow.Recipient]:
        try:
            return recipients_in(text)
        except ValidationError as error:
            raise serializers.ValidationError(error.messages) from None


@call_at("v1/campaigns/<slug:slug>/invitation-mails", name="api-invitation-mails")
@get("invitation_mails", ADMIN, rows=InvitationMailSerializer)
@post(
    "invite_by_mail",
    ADMIN,
    takes=InvitationMails,
    gives={201: (InvitedSerializer, "Queued, or with their links.")},
    refuses={409: "The site sends no mail, or somebody else has just invited one of them."},
    asks_again=call_makes_admin,
)
def invitation_mails(request: Request, member: Membership) -> Response:
    """Who was invited by e-mail, newest first; or invite more, 200 at once."""
    campaign = member.campaign
    if request.method != "POST":
        return page_of(request, mails_of(campaign), InvitationMailSerializer)
    given = read_body(request, InvitationMails)
    if not given["as_links"] and not sends_invitations():
        raise Conflict("this site sends no mail; ask for links")
    recipients = given.pop("addresses")
    try:
        made = workflow.invite_by_mail(
            campaign=campaign, recipients=recipients, by=caller_of(request), **given
        )
    except IntegrityError:
        raise Conflict("somebody else has just invited one of them") from None
    new = {each.mail.address.lower() for each in made}
    answer = {
        "queued": 0 if given["as_links"] else len(made),
        "known": [each.address for each in recipients if each.address.lower() not in new],
        "links": [
            {
                "address": each.mail.address,
                "link": request.build_absolute_uri(workflow.link_of(each.secret)),
            }
            for each in made
            if each.secret
        ],
    }
    return Response(answer, status=201)


@call_at("v1/campaigns/<slug:slug>/invitation-mails/<int:mail_id>", name="api-invitation-mail")
@get("invitation_mail", ADMIN, gives=InvitationMailSerializer)
@delete("withdraw_invitation_mail", ADMIN, gives={204: None}, while_archived=True)
def invitation_mail(request: Request, member: Membership, mail_id: int) -> Response:
    """How far it is; or send it no more and let nobody in by it."""
    found = _found(member, mail_id)
    if request.method == "DELETE":
        workflow.withdraw(mail=found)
        return Response(status=204)
    return Response(InvitationMailSerializer(found).data)


@call_at(
    "v1/campaigns/<slug:slug>/invitation-mails/<int:mail_id>/again",
    name="api-invitation-mail-again",
)
@post("send_invitation_again", ADMIN, takes=NoBody, gives=InvitationMailSerializer, refuses=(409,))
def again(request: Request, member: Membership, mail_id: int) -> Response:
    """A new mail with a new link; the link that was sent before ends."""
    read_body(request, NoBody)
    workflow.send_again(mail=_found(member, mail_id))
    return Response(InvitationMailSerializer(_found(member, mail_id)).data)


def _found(member: Membership, mail_id: int) -> InvitationMail:
    mails = mails_of(member.campaign).select_related("campaign").filter(pk=mail_id)
    return one_of(mails, "the campaign has no such invitation")
