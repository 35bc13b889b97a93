"""The end of one's own sessions: of one, of all others, of all."""

from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tasks.access.guards.pages import account_page
from tasks.access.guards.sessions import this_session
from tasks.access.queries.sessions import sessions_of
from tasks.access.workflow.sessions import end_session, end_sessions
from tasks.models import User
from tasks.web.addresses import page_at


@page_at("account/sessions/<int:session_id>/end/", name="session-end", calls=("api-session",))
@require_POST
@account_page
def end(request: HttpRequest, user: User, session_id: int) -> HttpResponseBase:
    """End one of one's own sessions."""
    end_session(session=get_object_or_404(sessions_of(user), pk=session_id))
    messages.success(request, _("The session has been ended."))
    return redirect("account")


@page_at("account/sessions/end/", name="sessions-end", calls=("api-sessions",))
@require_POST
@account_page
def end_all(request: HttpRequest, user: User) -> HttpResponseBase:
    """End all of them, or all but this one."""
    which = request.POST.get("which")
    if which == "others":
        end_sessions(user=user, kept=this_session(request))
        messages.success(request, _("You are now logged in here only."))
        return redirect("account")
    if which == "all":
        end_sessions(user=user)
        logout(request)
        messages.success(request, _("You have been logged out everywhere."))
        return redirect("login")
    raise BadRequest("no such choice")
