"""Coming in by an invitation: with the account one has, or with a new one.

The link itself only puts the invitation into the session and goes on to an address without the
secret. So the secret is in no Referer, and the page with the form needs no policy under which
browsers send `Origin: null`, which Django refuses.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from tasks.access.guards.logins import BACKEND, remember_device
from tasks.access.queries.crowd import is_crowd_account
from tasks.models import Invitation, InvitationKind, Membership, Role, User
from tasks.people.forms import SignUpForm
from tasks.people.queries.invitations import end_of, find_invitation
from tasks.people.workflow.invitations import (
    AlreadyMember,
    InvitationEnded,
    accept,
    accept_with_new_account,
)
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms

_SESSION_KEY = "invitation"

Page = Callable[..., HttpResponseBase]


def invitation_page(page: Page) -> Page:
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
    _require_open(invitation)
    request.session[_SESSION_KEY] = invitation.digest  # a mail sent again ends this one
    return redirect("join-form")


@page_at("join/", name="join-form", no_call="for a person who has no account, and so no token")
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def join(request: HttpRequest) -> HttpResponseBase:
    """What one is invited to, and the one form that accepts it."""
    try:
        invitation = _remembered(request)
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
        _require_open(invitation)
    context = {"invitation": invitation, "there": there}
    return render(request, "people/join.html", context)


def _with_a_new_account(request: HttpRequest, invitation: Invitation) -> HttpResponseBase:
    _require_open(invitation)
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


def _remembered(request: HttpRequest) -> Invitation:
    return get_object_or_404(
        Invitation.objects.select_related("campaign"),
        digest=request.session.get(_SESSION_KEY, ""),
        kind=InvitationKind.ACCOUNT,
        campaign__deleted_at=None,
    )


def _require_open(invitation: Invitation) -> None:
    if end := end_of(invitation):
        raise InvitationEnded(end)
