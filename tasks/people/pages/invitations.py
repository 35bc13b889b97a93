"""Invitation links: an admin makes and revokes them."""

from urllib.parse import quote

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.access.guards.pages import WRITE, member_page
from tasks.access.guards.roles import ADMIN
from tasks.models import Invitation, InvitationKind, Membership
from tasks.people.forms import InvitationForm
from tasks.people.pages.members import members_page
from tasks.people.workflow import invitations as workflow
from tasks.web.addresses import page_at
from tasks.web.public_address import public_address

# what Prolific replaces in the address of a study, as it asks for it to be written
_PROLIFIC = "?" + "&".join(
    f"{name}={{{{%{name}%}}}}" for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
)


@page_at(
    "c/<slug:slug>/settings/invitations/",
    name="invite",
    calls=("api-invitations",),
    tab="members",
)
@member_page(ADMIN, WRITE)
def invite(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """A new link. It is on the answer to this request and nowhere else."""
    form = InvitationForm(request.POST, auto_id="invite-%s")
    if not form.is_valid():
        return members_page(request, membership, invitation_form=form)
    invitation, secret = workflow.invite(
        campaign=membership.campaign, created_by=membership.user, **form.cleaned_data
    )
    is_crowd = invitation.kind == InvitationKind.CROWD
    address = reverse("crowd" if is_crowd else "join", args=[quote(secret)])
    link = public_address(address, request)
    return members_page(
        request,
        membership,
        link=link,
        prolific_link=link + _PROLIFIC if is_crowd else "",
    )


@page_at(
    "c/<slug:slug>/settings/invitations/<int:invitation_id>/revoke/",
    name="invitation-revoke",
    calls=("api-invitation",),
)
@member_page(ADMIN, WRITE)
def revoke(request: HttpRequest, membership: Membership, invitation_id: int) -> HttpResponseBase:
    """End a link, or an invitation sent by e-mail."""
    campaign = membership.campaign
    invitation = get_object_or_404(Invitation, campaign=campaign, pk=invitation_id)
    workflow.revoke(invitation=invitation)
    messages.success(request, _("The invitation no longer works. Members who joined with it stay."))
    return redirect("invitees" if invitation.address else "members", campaign.slug)
