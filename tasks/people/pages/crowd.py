"""Visitors of a crowd service enter by the address it sends them to."""

from http import HTTPStatus

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from tasks.access.guards.logins import BACKEND
from tasks.models import InvitationKind
from tasks.people.forms import VisitForm
from tasks.people.pages.join import invitation_page
from tasks.people.queries.invitations import find_invitation
from tasks.people.workflow.crowd import VisitorSentAway
from tasks.people.workflow.crowd import enter as let_in
from tasks.web.addresses import page_at

# our names, and what Prolific calls them
_PARAMETERS = {
    "participant": ("PROLIFIC_PID", "participant"),
    "study": ("STUDY_ID", "study"),
    "session": ("SESSION_ID", "session"),
}


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
    form = VisitForm({name: _first(request, names) for name, names in _PARAMETERS.items()})
    if not form.is_valid():
        context = {"errors": form.errors, "names": _PARAMETERS["participant"]}
        return render(request, "people/visit_incomplete.html", context, status=400)
    try:
        visitor = let_in(invitation=invitation, **form.cleaned_data)
    except VisitorSentAway:
        return _sent_away(request)
    assert visitor.user is not None  # noqa: S101 - visitors are made with an account
    if request.user != visitor.user:
        logout(request)  # whoever else was signed in here
        login(request, visitor.user, backend=BACKEND)
    return redirect("rate", visitor.campaign.slug)


def _first(request: HttpRequest, names: tuple[str, ...]) -> str:
    return next((request.GET[name] for name in names if request.GET.get(name)), "")


def _sent_away(request: HttpRequest) -> HttpResponse:
    return render(request, "people/sent_away.html", status=HTTPStatus.FORBIDDEN)
