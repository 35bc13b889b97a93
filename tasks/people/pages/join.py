"""Coming in by an invitation: with one's account, a new one, or from a crowd service.

The link itself only puts the invitation into the session and goes on to an address without the
secret. So the secret is in no Referer, and the page with the form needs no policy under which
browsers send `Origin: null`, which Django refuses.

Prolific and others send people to the page itself. MTurk shows it in a frame, where no browser
keeps a session of another site: there the page opens the study in a tab of its own, and takes the
completion code back to MTurk.
"""

from functools import wraps
from http import HTTPStatus
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib.auth import login, logout
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from tasks.access.guards import MEMBERS
from tasks.access.guards.logins import BACKEND, remember_device
from tasks.access.guards.pages import BOTH, member_page
from tasks.access.queries import is_crowd_account
from tasks.models import Consent, Invitation, InvitationKind, Membership, Role, User
from tasks.people.forms import ConsentForm, SignUpForm, VisitForm
from tasks.people.queries import find_invitation
from tasks.people.workflow.invitations import (
    AlreadyMember,
    InvitationEnded,
    VisitorSentAway,
    accept,
    accept_with_new_account,
    require_open,
)
from tasks.people.workflow.invitations import enter as let_in
from tasks.people.workflow.members import ConsentTextChanged, give_consent
from tasks.web.addresses import page_at
from tasks.web.page import View, page_with_forms

_SESSION_KEY = "invitation"


def invitation_page(page: View) -> View:
    """A page under an invitation's address: nothing of it is told to other sites."""

    @wraps(page)
    def quiet(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        try:
            response = page(request, *args, **kwargs)
        except Invitation.DoesNotExist:
            raise Http404 from None
        except InvitationEnded as ended:
            response = ended_page(request, ended)
        response["Referrer-Policy"] = "no-referrer"
        return response

    return quiet


@page_at(
    "join/<text:secret>/",
    name="join",
    no_call="a link that a person was given",
    help="people.md#invitation-links",
)
@require_safe
@invitation_page
def open_link(request: HttpRequest, secret: str) -> HttpResponseBase:
    """An open invitation is remembered and shown at `/join/`; one that is over says so here."""
    invitation = find_invitation(secret, InvitationKind.ACCOUNT)
    require_open(invitation)
    request.session[_SESSION_KEY] = invitation.digest  # a mail sent again ends this one
    return redirect("join-form")


@page_at("join/", name="join-form", no_call="for a person who has no account, and so no token")
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def join(request: HttpRequest) -> HttpResponseBase:
    try:
        invitation = get_object_or_404(
            Invitation.objects.select_related("campaign"),
            digest=request.session.get(_SESSION_KEY, ""),
            kind=InvitationKind.ACCOUNT,
            campaign__deleted_at=None,
        )
        if isinstance(request.user, User) and not is_crowd_account(request.user):
            return _with_this_account(request, invitation, request.user)
        return _with_a_new_account(request, invitation)
    except InvitationEnded as ended:
        return ended_page(request, ended)


def ended_page(request: HttpRequest, ended: InvitationEnded) -> HttpResponse:
    return render(request, "people/ended.html", {"end": ended.end}, status=HTTPStatus.GONE)


def _with_this_account(
    request: HttpRequest, invitation: Invitation, user: User
) -> HttpResponseBase:
    there = Membership.objects.filter(campaign=invitation.campaign, user=user).first()
    try:
        if there is None and request.method == "POST":
            return _welcome(request, accept(invitation=invitation, user=user))
    except AlreadyMember as already:  # since this request began
        there = already.membership
    if there is None:
        require_open(invitation)
    context = {"invitation": invitation, "there": there}
    return render(request, "people/join.html", context)


def _with_a_new_account(request: HttpRequest, invitation: Invitation) -> HttpResponseBase:
    require_open(invitation)
    form = SignUpForm(request.POST or None, initial={"email": invitation.address})
    if not form.is_valid():
        context = {"invitation": invitation, "form": form}
        return page_with_forms(request, "people/join.html", context)
    joined = accept_with_new_account(
        invitation=invitation,
        username=form.cleaned_data["username"],
        password=form.cleaned_data["password1"],
        email=form.cleaned_data["email"],
    )
    assert joined.user is not None  # noqa: S101 - just made
    login(request, joined.user, backend=BACKEND)
    return remember_device(request, _welcome(request, joined), joined.user)


def _welcome(request: HttpRequest, joined: Membership) -> HttpResponse:
    request.session.pop(_SESSION_KEY, None)
    page = "rate" if joined.role == Role.RATER else "overview"
    return redirect(page, joined.campaign.slug)


# what MTurk calls the assignment of a worker who only looks at the task
_PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
_MTURK = ["https://*.mturk.com"]


@page_at(
    "crowd/<text:secret>/",
    name="crowd",
    no_call="where a crowd service sends its people",
    help="people.md#visitors-of-a-crowd-service",
)
@require_GET
@invitation_page
def enter(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Sign the participant in, at their first visit with an account made for it."""
    invitation = find_invitation(secret, InvitationKind.CROWD)
    if request.GET.get("assignmentId") == _PREVIEW:
        require_open(invitation)
        # the consent text alone: nobody has taken the task yet
        campaign = invitation.campaign
        return _in_frame(request, "people/visit_preview.html", {"campaign": campaign})
    form = VisitForm(request.GET)
    if not form.is_valid():
        faults = {"faults": form.faults()}
        return _in_frame(request, "people/visit_incomplete.html", faults, HTTPStatus.BAD_REQUEST)
    if request.headers.get("Sec-Fetch-Dest") == "iframe":
        context = {"address": request.get_full_path(), **form.cleaned_data}
        return _in_frame(request, "people/visit_framed.html", context)
    try:
        visitor = let_in(invitation=invitation, **form.visit)
    except VisitorSentAway:
        return render(request, "people/sent_away.html", status=HTTPStatus.FORBIDDEN)
    assert visitor.user is not None  # noqa: S101 - visitors are made with an account
    if request.user != visitor.user:
        logout(request)  # whoever else was signed in here
        login(request, visitor.user, backend=BACKEND)
    return redirect("rate", visitor.campaign.slug)


def _in_frame(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponseBase:
    """A page that MTurk may show in its frame, with a form that leads back there."""

    @xframe_options_exempt
    @csp_replace({"frame-ancestors": _MTURK, "form-action": [SELF, *_MTURK]})
    def page(request: HttpRequest) -> HttpResponse:
        return render(request, template, context, status=status)

    return page(request)


@page_at(
    "c/<slug:slug>/consent/",
    name="consent",
    calls=("api-consent",),
    tab="rate",
    help="training.md#consent",
)
@member_page(MEMBERS, BOTH)
def consent(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The text in force. Where there is none, there is nothing to agree to."""
    if membership.campaign.consent_text is None:
        return redirect("rate", membership.campaign.slug)
    if request.method != "POST":
        return _show(request, membership)
    form = ConsentForm(request.POST)
    if not form.is_valid():
        return _show(request, membership, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        give_consent(membership=membership, version=form.cleaned_data["version"])
    except ConsentTextChanged:
        notice = _("The text has changed while you were reading. Please read it again.")
        return _show(request, membership, notice=notice, status=HTTPStatus.CONFLICT)
    return redirect("rate", membership.campaign.slug)


def _show(
    request: HttpRequest,
    membership: Membership,
    *,
    form: ConsentForm | None = None,
    notice: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    text = membership.campaign.consent_text
    own_consent = Consent.objects.filter(membership=membership, text=text).first()
    context = {
        "membership": membership,
        "text": text,
        "given": own_consent,
        "notice": notice,
        "form": form or ConsentForm(initial={"version": text.version if text else None}),
    }
    return render(request, "people/consent.html", context, status=status)
