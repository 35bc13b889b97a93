"""Inviting people by e-mail: what would be sent, sending, and how far each mail is."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.access.guards.confirmation import asks_again, makes_admin
from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.access.guards.roles import ADMIN
from tasks.models import InvitationMail, Membership, Role
from tasks.people.mail_forms import InvitationMailForm
from tasks.people.queries.invitation_mails import invited_among, mails_of, sends_invitations
from tasks.people.workflow import invitation_mails as workflow
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms

PAGE_SIZE = 100


@page_at(
    "c/<slug:slug>/settings/invitations/mail/",
    name="invite-by-mail",
    calls=("api-invitation-mails",),
    tab="members",
)
@member_page(ADMIN, BOTH)
@asks_again(lambda request: makes_admin(request) and request.POST.get("action") == "send")
def invite_by_mail(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """`action` says what is wanted: `preview` shows whom and what, `send` does it. On a site that
    sends no mail, links are made instead, which are on this answer and nowhere else."""
    if request.method != "POST":
        return _page(request, membership)
    form = InvitationMailForm(request.POST)
    if not form.is_valid():
        return _page(request, membership, form=form)
    if request.POST.get("action") == "edit":
        return _page(request, membership, form=InvitationMailForm(initial=form.cleaned_data))
    if request.POST.get("action") != "send":
        return _preview(request, membership, form)
    return _invite(request, membership, form)


@page_at(
    "c/<slug:slug>/settings/invitations/mail/<int:mail_id>/again/",
    name="invitation-mail-again",
    calls=("api-invitation-mail-again",),
    tab="members",
)
@member_page(ADMIN, WRITE)
def again(request: HttpRequest, membership: Membership, mail_id: int) -> HttpResponseBase:
    mail = _found(membership, mail_id)
    try:
        workflow.send_again(mail=mail)
    except workflow.NotToBeSentAgain:
        text = _("Nothing was sent: the invitation is on its way, withdrawn or already accepted.")
        messages.error(request, text)
    else:
        text = _(
            "A new e-mail is on its way to %(address)s. The link in the earlier one no longer"
            " works."
        )
        messages.success(request, text % {"address": mail.address})
    return redirect("invite-by-mail", membership.campaign.slug)


@page_at(
    "c/<slug:slug>/settings/invitations/mail/<int:mail_id>/withdraw/",
    name="invitation-mail-withdraw",
    calls=("api-invitation-mail",),
    tab="members",
)
@member_page(ADMIN, WRITE, while_archived=True)
def withdraw(request: HttpRequest, membership: Membership, mail_id: int) -> HttpResponseBase:
    mail = _found(membership, mail_id)
    workflow.withdraw(mail=mail)
    text = _("The invitation for %(address)s has been withdrawn.") % {"address": mail.address}
    messages.success(request, text)
    return redirect("invite-by-mail", membership.campaign.slug)


def _found(membership: Membership, mail_id: int) -> InvitationMail:
    mails = InvitationMail.objects.select_related("campaign")
    return get_object_or_404(mails, campaign=membership.campaign, pk=mail_id)


def _invite(
    request: HttpRequest, membership: Membership, form: InvitationMailForm
) -> HttpResponseBase:
    given = {name: form.cleaned_data[name] for name in ("role", "language", "days", "message")}
    as_links = not sends_invitations()
    try:
        made = workflow.invite_by_mail(
            campaign=membership.campaign,
            recipients=form.cleaned_data["recipients"],
            as_links=as_links,
            by=membership.user,
            **given,
        )
    except IntegrityError:  # another admin was quicker with one of them
        form.add_error(
            "addresses",
            _("Somebody else has just invited one of these people. Check the list again."),
        )
        return _page(request, membership, form=form)
    if as_links:
        links = [
            (each.mail, request.build_absolute_uri(workflow.link_of(each.secret))) for each in made
        ]
        return _page(request, membership, links=links)
    text = ngettext(
        "%(number)d invitation is on its way.",
        "%(number)d invitations are on their way.",
        len(made),
    )
    messages.success(request, text % {"number": len(made)})
    return redirect("invite-by-mail", membership.campaign.slug)


def _preview(
    request: HttpRequest, membership: Membership, form: InvitationMailForm
) -> HttpResponse:
    recipients = form.cleaned_data["recipients"]
    known = invited_among(membership.campaign, (each.address for each in recipients))
    fresh = [each for each in recipients if each.address.lower() not in known]
    drafted = fresh[0] if fresh else recipients[0]
    given = {name: form.cleaned_data[name] for name in ("role", "language", "days", "message")}
    text = workflow.drafted_text(campaign=membership.campaign, recipient=drafted, **given)
    preview = {
        "fresh": fresh,
        "known": [each for each in recipients if each.address.lower() in known],
        "text": text,
    }
    return _page(request, membership, form=form, preview=preview)


def _page(request: HttpRequest, membership: Membership, **changes: object) -> HttpResponse:
    language = translation.get_language() or "en"
    mails = Paginator(mails_of(membership.campaign), PAGE_SIZE)
    context = {
        "membership": membership,
        "form": InvitationMailForm(initial={"language": language[:2], "role": Role.RATER}),
        "page": mails.get_page(request.GET.get("page")),
        "sends_mail": sends_invitations(),
        **changes,
    }
    return page_with_forms(request, "people/invitation_mails.html", context)
