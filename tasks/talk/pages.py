"""Threads, the inbox, answers shown to all raters of an item, and the end of mails by a link."""

import uuid

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from tasks.access.guards import ADMIN, MEMBERS
from tasks.access.guards.pages import BOTH, is_htmx, member_page, user_page
from tasks.access.workflow import set_message_mails
from tasks.models import Assignment, Item, Membership, Message, MessageMails, Thread, User
from tasks.storing.refusals import Refusal
from tasks.talk.forms import MessageForm
from tasks.talk.queries import (
    admins_of,
    answers_about,
    entries_of,
    raters_to_write_to,
    threads_seen_by,
    user_of_stop_token,
    with_messages,
)
from tasks.talk.shown import ShownThread, as_html, name_of
from tasks.talk.workflow import (
    TooManyMessages,
    mark_all_read,
    mark_thread_read,
    may_share,
    note_opened,
    share_answer,
    start_thread,
    write_message,
)
from tasks.votes.blindness import withheld_from
from tasks.votes.items import own_assignment
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms

PAGE_SIZE = 50


@page_at("inbox/", name="inbox", calls=("api-inbox", "api-inbox-read"), help="conversations.md")
@require_http_methods(["GET", "HEAD", "POST"])
@user_page
def inbox(request: HttpRequest, user: User) -> HttpResponseBase:
    """Threads with something for the person, unread ones first, 50 on a page; a POST marks them all
    as read."""
    if request.method == "POST":
        mark_all_read(user=user)
        messages.success(request, _("All messages are marked as read."))
        return redirect("inbox")
    rows = entries_of(user).annotate(is_unread=Q(unread__gt=0)).order_by("-is_unread", "-pk")
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    entries = [(entry, name_of(entry.message, entry.thread)) for entry in page]
    context = {"page": page, "entries": entries, "sends_mail": settings.SENDS_MAIL}
    return render(request, "talk/inbox.html", context)


@page_at(
    "c/<slug:slug>/threads/<int:thread_id>/",
    name="thread",
    calls=("api-threads", "api-messages"),
    tab="flags",
    help="conversations.md",
)
@member_page(MEMBERS, BOTH)
def thread(request: HttpRequest, membership: Membership, thread_id: int) -> HttpResponseBase:
    """One thread, which counts as read from now on; a POST adds a message."""
    own_thread = get_object_or_404(threads_seen_by(membership), pk=thread_id)
    if request.method == "GET":  # first, so that a message that comes now stays unread
        mark_thread_read(thread=own_thread, member=membership)
    seen = with_messages(threads_seen_by(membership))
    return _thread_page(request, membership, seen.get(pk=thread_id))


@page_at(
    "c/<slug:slug>/items/<int:item_id>/write/<text:pseudonym>/",
    name="thread-new",
    calls=("api-threads",),
    tab="items",
    help="conversations.md",
)
@member_page(ADMIN, BOTH)
def start(
    request: HttpRequest, membership: Membership, item_id: int, pseudonym: str
) -> HttpResponseBase:
    """Write to somebody who has rated the item; a thread that there is goes on."""
    items = Item.objects.select_related("question", "campaign")
    item = get_object_or_404(items, pk=item_id, campaign=membership.campaign)
    if withheld_from(membership, item):  # who has rated it is not to be known yet
        return redirect("item-votes", membership.campaign.slug, item.pk)
    to = get_object_or_404(raters_to_write_to(item, membership), pseudonym=pseudonym)
    there_is = Thread.objects.filter(item=item, rater=to).first()
    if there_is and request.method != "POST":  # what is sent goes into it, if it came meanwhile
        return redirect("thread", membership.campaign.slug, there_is.pk)
    return _thread_page(request, membership, there_is or Thread(item=item, rater=to))


def _thread_page(request: HttpRequest, member: Membership, thread: Thread) -> HttpResponseBase:
    """The thread with a form that adds to it, or begins it."""
    view = ShownThread(thread, member, list(admins_of(thread.item.campaign_id)))
    sent = request.POST if request.method == "POST" else None
    form = MessageForm(sent, initial={"idempotency_key": uuid.uuid4()})
    if form.is_valid():
        try:
            if thread.pk is None:
                written = start_thread(
                    item=thread.item, rater=thread.rater, author=member, **form.cleaned_data
                )
            else:
                written = write_message(thread=thread, author=member, **form.cleaned_data)
        except Refusal as refusal:
            form.add_error("text", _in_words(refusal))
        else:
            return redirect(_address(written.message))
    context = {"membership": member, "thread": view, "form": form}
    return page_with_forms(request, "talk/thread.html", context)


def _in_words(refusal: Refusal) -> str:
    if isinstance(refusal, TooManyMessages):
        return _("You have sent many messages in the last hour. Wait a while, then send this one.")
    return _("This form was already sent with a different text. Reload the page, then write again.")


def _address(message: Message) -> str:
    thread = message.thread
    return f"{reverse('thread', args=[thread.item.campaign.slug, thread.pk])}#message-{message.pk}"


@page_at(
    "c/<slug:slug>/threads/<int:thread_id>/messages/<int:message_id>/share/",
    name="answer-share",
    calls=("api-answer-share",),
    tab="flags",
    help="conversations.md#an-answer-for-everybody",
)
@member_page(ADMIN, BOTH)
def share(
    request: HttpRequest, membership: Membership, thread_id: int, message_id: int
) -> HttpResponseBase:
    thread = get_object_or_404(threads_seen_by(membership), pk=thread_id)
    message = get_object_or_404(thread.messages, pk=message_id)
    if not may_share(message, membership):
        raise Http404
    if request.method == "POST":
        share_answer(message=message, by=membership)
        messages.success(request, _("Everybody who rates the item can open this answer now."))
        return redirect(_address(message))
    context = {"membership": membership, "thread": thread, "html": as_html(message.text)}
    return render(request, "talk/share.html", context)


@page_at("c/<slug:slug>/rate/<int:assignment_id>/answers/", name="answers", calls=("api-answers",))
@member_page(MEMBERS)
def answers(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponseBase:
    """Answers of admins about the item of one's assignment, which are noted as opened."""
    try:
        assignment = own_assignment(membership, assignment_id)
    except Assignment.DoesNotExist:
        raise Http404 from None
    shared = list(answers_about(assignment.item_id))
    if request.method == "GET":
        note_opened(answers=shared, rater=membership)
    context = {
        "membership": membership,
        "assignment": assignment,
        "answers": [as_html(answer.message.text) for answer in shared],
    }
    template = "talk/answers.html" if is_htmx(request) else "talk/answers_page.html"
    return render(request, template, context)


@page_at(
    "inbox/stop-mails/<text:token>/",
    name="inbox-stop-mails",
    no_call="for who follows the link of a mail; a program changes the account",
    help="conversations.md#e-mail",
)
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponseBase:
    """The end of mails about messages, for whoever has one: no login, and one click of a mail
    program (RFC 8058). The token opens nothing else."""
    try:
        user = user_of_stop_token(token)
    except (signing.BadSignature, User.DoesNotExist):
        raise Http404 from None
    if request.method == "POST":
        set_message_mails(user=user, choice=MessageMails.NONE)
    context = {"is_done": user.message_mails == MessageMails.NONE}
    return render(request, "talk/stop_mails.html", context)
