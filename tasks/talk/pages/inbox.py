"""The inbox of a person, over all their campaigns; and the end of mails about it by a link."""

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tasks.access.guards.pages import user_page
from tasks.access.workflow.accounts import set_message_mails
from tasks.models import MessageMails, Notice, User
from tasks.talk.queries.inbox import entries_by_urgency, entries_of
from tasks.talk.queries.unsubscribing import user_of_token
from tasks.talk.shown.threads import name_of
from tasks.talk.workflow.inbox import mark_all_read, mark_thread_read, mark_unread
from tasks.web.addresses import page_at

PAGE_SIZE = 50


@page_at("inbox/", name="inbox", calls=("api-inbox",))
@require_safe
@user_page
def inbox(request: HttpRequest, user: User) -> HttpResponseBase:
    """Threads with something for the person: unread ones first, 50 on a page."""
    page = Paginator(entries_by_urgency(user), PAGE_SIZE).get_page(request.GET.get("page"))
    entries = [(entry, name_of(entry.message.author, entry.thread)) for entry in page]
    context = {
        "page": page,
        "entries": entries,
        "mails": user.message_mails,
        "sends_mail": settings.SENDS_MAIL,
    }
    return render(request, "talk/inbox.html", context)


@page_at("inbox/mark/", name="inbox-mark", calls=("api-inbox-entry", "api-inbox-read"))
@require_POST
@user_page
def mark(request: HttpRequest, user: User) -> HttpResponseBase:
    """Mark one entry as read or unread, or everything as read."""
    wanted = request.POST.get("mark", "")
    if wanted == "all":
        mark_all_read(user=user)
        messages.success(request, _("All messages are marked as read."))
        return redirect("inbox")
    entry = _own_entry(user, request.POST.get("entry", ""))
    if wanted == "read":
        mark_thread_read(thread=entry.thread, member=entry.member)
    elif wanted == "unread":
        mark_unread(entry=entry)
    else:
        raise BadRequest("no such mark")
    return redirect("inbox")


@page_at(
    "inbox/stop-mails/<text:token>/",
    name="inbox-stop-mails",
    no_call="for who follows the link of a mail; a program changes the account",
)
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponseBase:
    """The end of mails about messages, for whoever has one: no login, and one click of a mail
    program (RFC 8058). The token opens nothing else."""
    try:
        user = user_of_token(token)
    except (signing.BadSignature, User.DoesNotExist):
        raise Http404 from None
    if request.method == "POST":
        set_message_mails(user=user, choice=MessageMails.NONE)
    context = {"is_done": user.message_mails == MessageMails.NONE}
    return render(request, "talk/stop_mails.html", context)


def _own_entry(user: User, number: str) -> Notice:
    if not number.isdecimal() or len(number) > 18:
        raise BadRequest("no such entry")
    entry = entries_of(user).filter(pk=int(number)).first()
    if entry is None:
        raise Http404
    return entry
