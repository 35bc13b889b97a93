"""Threads: what a rater and the admins write to each other about an item."""

import uuid
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.access.guards.pages import BOTH, member_page
from tasks.access.guards.roles import ADMIN, MEMBERS
from tasks.models import Item, Membership, Message, Thread
from tasks.storing.refusals import Refusal
from tasks.talk.forms import FirstMessageForm, MessageForm
from tasks.talk.queries.threads import threads_seen_by, with_messages
from tasks.talk.shown.threads import shown_thread
from tasks.talk.workflow.inbox import mark_thread_read
from tasks.talk.workflow.messages import TooManyMessages, start_thread, write_message
from tasks.votes.blindness import withheld_from
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms


@page_at(
    "c/<slug:slug>/threads/<int:thread_id>/",
    name="thread",
    calls=("api-thread", "api-messages"),
    tab="flags",
)
@member_page(MEMBERS, BOTH)
def thread(request: HttpRequest, membership: Membership, thread_id: int) -> HttpResponseBase:
    """One thread, which counts as read from now on; a POST adds a message."""
    found = with_messages(threads_seen_by(membership)).filter(pk=thread_id).first()
    if found is None:
        raise Http404
    shown = shown_thread(found, membership)
    if request.method != "POST":
        if request.method == "GET" and not shown.is_held:
            mark_thread_read(thread=found, member=membership)
        form = MessageForm(initial={"idempotency_key": shown.key})
        context = {"membership": membership, "thread": shown, "form": form}
        return render(request, "talk/page.html", context)
    form = MessageForm(request.POST)
    context = {"membership": membership, "thread": shown, "form": form}
    if shown.is_held:
        return render(request, "talk/page.html", context, status=HTTPStatus.CONFLICT)
    if form.is_valid() and (message := _write(found, membership, form)):
        return redirect(_address(message))
    return page_with_forms(request, "talk/page.html", context)


@page_at(
    "c/<slug:slug>/items/<int:item_id>/threads/",
    name="thread-new",
    calls=("api-threads",),
    tab="flags",
)
@member_page(ADMIN, BOTH)
def start(request: HttpRequest, membership: Membership, item_id: int) -> HttpResponseBase:
    """Write to somebody who has rated the item."""
    items = Item.objects.select_related("question", "campaign")
    item = items.filter(pk=item_id, campaign=membership.campaign).first()
    if item is None:
        raise Http404
    if withheld_from(membership, item):  # who has rated it is not to be known yet
        return redirect("item-votes", membership.campaign.slug, item.pk)
    initial = {"idempotency_key": uuid.uuid4(), "rater": request.GET.get("rater", "")}
    form = FirstMessageForm(item, membership, request.POST or None, initial=initial)
    if form.is_valid():
        given = form.cleaned_data
        try:
            written = start_thread(
                item=item,
                rater=given["rater"],
                author=membership,
                text=given["text"],
                idempotency_key=given["idempotency_key"],
            )
        except Refusal as refusal:
            form.add_error("text", _in_words(refusal))
        else:
            return redirect(_address(written.message))
    context = {"membership": membership, "item": item, "form": form}
    return page_with_forms(request, "talk/new.html", context)


def _write(thread: Thread, author: Membership, form: MessageForm) -> Message | None:
    """What is stored; None where the form says why it is not."""
    try:
        written = write_message(
            thread=thread,
            author=author,
            text=form.cleaned_data["text"],
            idempotency_key=form.cleaned_data["idempotency_key"],
        )
    except Refusal as refusal:
        form.add_error("text", _in_words(refusal))
        return None
    return written.message


def _in_words(refusal: Refusal) -> str:
    if isinstance(refusal, TooManyMessages):
        return _("You have sent many messages in the last hour. Wait a while, then send this one.")
    return _("This form was already sent with a different text. Reload the page, then write again.")


def _address(message: Message) -> str:
    thread = message.thread
    return f"{reverse('thread', args=[thread.item.campaign.slug, thread.pk])}#message-{message.pk}"
