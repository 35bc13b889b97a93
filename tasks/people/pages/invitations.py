"""Inviting people: by links that are passed on, and by mail."""

from urllib.parse import quote

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tasks.access.guards import ADMIN
from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.models import Invitation, InvitationKind, Membership
from tasks.people.forms import InvitationForm
from tasks.people.mail_forms import InvitationMailForm
from tasks.people.pages.members import members_page
from tasks.people.queries import invitees_of, language_of_mails, sends_invitations
from tasks.people.shown import invitation_mail
from tasks.people.workflow import invitations as workflow
from tasks.people.workflow.mailed_invitations import (
    NotToBeSentAgain,
    TooManyMails,
    invite_by_mail,
    send_again,
    sort_recipients,
)
from tasks.web.addresses import page_at
from tasks.web.outgoing import public_address
from tasks.web.page import page_with_forms

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


PAGE_SIZE = 100
_TOO_MANY = gettext_lazy(
    "A campaign sends at most 1,000 invitations a day. Send the others tomorrow."
)


@page_at(
    "c/<slug:slug>/settings/invitations/mail/",
    name="invitees",
    calls=("api-invitees",),
    tab="members",
    title=gettext_lazy("Invite by e-mail"),
    help="people.md#invitations-by-e-mail",
)
@member_page(ADMIN, BOTH)
def invitees(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The list of people invited; a POST shows what would be sent, or sends it if `action` says
    so."""
    if request.method != "POST":
        return _page(request, membership)
    form = InvitationMailForm(request.POST, request.FILES)
    if not form.is_valid() or not sends_invitations():
        return _page(request, membership, form=form)
    action = request.POST.get("action")
    if action == "edit":
        return _page(request, membership, form=InvitationMailForm(initial=form.cleaned_data))
    return (_send if action == "send" else _preview)(request, membership, form)


@page_at(
    "c/<slug:slug>/settings/invitations/<int:invitation_id>/again/",
    name="invitation-again",
    calls=("api-invitation-again",),
    tab="members",
)
@member_page(ADMIN, WRITE)
def again(request: HttpRequest, membership: Membership, invitation_id: int) -> HttpResponseBase:
    invitation = get_object_or_404(Invitation, campaign=membership.campaign, pk=invitation_id)
    try:
        send_again(invitation=invitation)
    except TooManyMails:
        messages.error(request, _TOO_MANY)
    except NotToBeSentAgain:
        text = _("Nothing was sent: the invitation is being sent, or was withdrawn or accepted.")
        messages.error(request, text)
    else:
        text = _(
            "A new e-mail is on its way to %(address)s. The link in the earlier one no longer"
            " works."
        )
        messages.success(request, text % {"address": invitation.address})
    return redirect("invitees", membership.campaign.slug)


def _send(
    request: HttpRequest, membership: Membership, form: InvitationMailForm
) -> HttpResponseBase:
    names = ("recipients", "role", "language", "message")
    chosen = {name: form.cleaned_data[name] for name in names}
    try:
        people = invite_by_mail(campaign=membership.campaign, by=membership.user, **chosen)
    except TooManyMails:
        form.add_error(None, str(_TOO_MANY))
        return _page(request, membership, form=form)
    number = len(people.new)
    text = ngettext(
        "%(number)d invitation is on its way.", "%(number)d invitations are on their way.", number
    )
    messages.success(request, text % {"number": number})
    return redirect("invitees", membership.campaign.slug)


def _preview(
    request: HttpRequest, membership: Membership, form: InvitationMailForm
) -> HttpResponse:
    data = form.cleaned_data
    people = sort_recipients(membership.campaign, data["recipients"])
    first = (people.new or data["recipients"])[0]
    invitation = Invitation(
        campaign=membership.campaign,
        role=first.role or data["role"],
        addressee=first.name,
        message=data["message"],
    )
    with translation.override(data["language"]):
        mail = invitation_mail(invitation, "…")
    kept = {name: data[name] for name in ("addresses", "table", "role", "language", "message")}
    return _page(request, membership, people=people, mail=mail, kept=kept)


def _page(request: HttpRequest, membership: Membership, **changes: object) -> HttpResponse:
    people = Paginator(invitees_of(membership.campaign), PAGE_SIZE)
    language = language_of_mails(membership.campaign)
    context = {
        "membership": membership,
        "form": InvitationMailForm(initial={"language": language}),
        "page": people.get_page(request.GET.get("page")),
        "sends_mail": sends_invitations(),
        **changes,
    }
    return page_with_forms(request, "people/invitees.html", context)
