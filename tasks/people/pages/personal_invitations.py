"""Invitations to persons: the answer of whoever is invited, and the end of one."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tasks.access.guards.pages import WRITE, member_page, user_page
from tasks.access.guards.roles import ADMIN
from tasks.models import Membership, PersonalInvitation, Role, User
from tasks.people.workflow.personal_invitations import (
    NotAsked,
    accept_invitation,
    decline_invitation,
    withdraw_invitation,
)
from tasks.web.addresses import page_at


@page_at(
    "invitations/<int:invitation_id>/",
    name="personal-invitation",
    calls=("api-own-invitations", "api-own-invitation"),
)
@require_POST
@user_page
def answer(request: HttpRequest, user: User, invitation_id: int) -> HttpResponseBase:
    """Take or decline what one is invited to, as the button says."""
    try:
        match request.POST.get("answer"):
            case "accept":
                joined = accept_invitation(user=user, invitation_id=invitation_id)
            case "decline":
                decline_invitation(user=user, invitation_id=invitation_id)
                messages.success(request, _("You have declined. Nobody is told."))
                return redirect("home")
            case _unknown:
                raise BadRequest("no such answer")
    except NotAsked:
        raise Http404 from None
    page = "rate" if joined.role == Role.RATER else "overview"
    return redirect(page, joined.campaign.slug)


@page_at(
    "c/<slug:slug>/settings/invitations/person/<int:invitation_id>/withdraw/",
    name="personal-invitation-withdraw",
    calls=("api-personal-invitations", "api-personal-invitation"),
    tab="members",
)
@member_page(ADMIN, WRITE, while_archived=True)
def withdraw(request: HttpRequest, membership: Membership, invitation_id: int) -> HttpResponseBase:
    found = get_object_or_404(
        PersonalInvitation.objects.select_related("campaign"),
        campaign=membership.campaign,
        pk=invitation_id,
    )
    withdraw_invitation(invitation=found)
    messages.success(request, _("The invitation is withdrawn."))
    return redirect("members", membership.campaign.slug)
