"""Visitors of a crowd service enter by the address it sends them to.

Prolific and others send people to the page itself. MTurk shows it in a frame, where no browser
keeps a session of another site: there the page opens the study in a tab of its own, and takes the
completion code back to MTurk.
"""

from collections.abc import Mapping
from http import HTTPStatus

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET

from tasks.access.guards.logins import BACKEND
from tasks.models import Invitation, InvitationKind
from tasks.people.pages.join import invitation_page
from tasks.people.queries.invitations import find_invitation
from tasks.people.visit_form import VisitForm
from tasks.people.workflow.crowd import VisitorSentAway
from tasks.people.workflow.crowd import enter as let_in
from tasks.people.workflow.invitations import require_open
from tasks.web.addresses import page_at

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
        return _preview(request, invitation)
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
        return _sent_away(request)
    assert visitor.user is not None  # noqa: S101 - visitors are made with an account
    if request.user != visitor.user:
        logout(request)  # whoever else was signed in here
        login(request, visitor.user, backend=BACKEND)
    return redirect("rate", visitor.campaign.slug)


def _preview(request: HttpRequest, invitation: Invitation) -> HttpResponseBase:
    """The consent text alone, for somebody who has not taken the task yet."""
    return _in_frame(request, "people/visit_preview.html", {"campaign": invitation.campaign})


def _in_frame(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object],
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponseBase:
    """A page that MTurk may show in its frame, with a form that leads back there."""

    @xframe_options_exempt
    @csp_replace({"frame-ancestors": _MTURK, "form-action": [SELF, *_MTURK]})
    def page(request: HttpRequest) -> HttpResponse:
        return render(request, template, dict(context), status=status)

    return page(request)


def _sent_away(request: HttpRequest) -> HttpResponse:
    return render(request, "people/sent_away.html", status=HTTPStatus.FORBIDDEN)
