"""Threads and their messages over the API: a rater's own, all of a campaign for its admins."""

from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN, MEMBERS
from tasks.models import MAX_MESSAGE, Flag, Item, Membership, Notice, Scope, Thread
from tasks.talk.forms import one_line_break
from tasks.talk.queries.inbox import having_unread
from tasks.talk.queries.threads import messages_of, raters_to_write_to, threads_seen_by
from tasks.talk.shown.serializers import (
    MessageSerializer,
    ThreadSerializer,
    message_body,
    thread_body,
)
from tasks.talk.workflow.inbox import mark_thread_read
from tasks.talk.workflow.messages import Written, start_thread, write_message
from tasks.votes.blindness import withheld_from
from tasks.votes.items import id_for_raters
from tasks.web.api_errors import Conflict
from tasks.web.bodies import Body, read_body
from tasks.web.idempotency import KEY, key_of
from tasks.web.lists import ListParameters, asked_of, one_of, page_of

_STORED = {
    200: (MessageSerializer, "Had been stored before."),
    201: (MessageSerializer, "Stored."),
}


class ThreadParameters(ListParameters):
    flagged = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Those with an open flag alone, or without one.",
    )
    unread = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Those with unread messages alone."
    )


class MessageText(serializers.CharField):
    """Plain text, without white space around it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_MESSAGE, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        return one_line_break(super().to_internal_value(data))


class MessageBody(Body):
    text = MessageText()


class FirstMessageBody(MessageBody):
    item = serializers.CharField(max_length=200, help_text="The item's id.")
    rater = serializers.CharField(max_length=40, help_text="Pseudonym of who has rated it.")


@call_at("v1/campaigns/<slug:slug>/threads", name="api-threads")
@get("threads", MEMBERS, rows=ThreadSerializer, asks=ThreadParameters)
@post(
    "start_thread",
    ADMIN,
    headers=(KEY,),
    takes=FirstMessageBody,
    gives=_STORED,
    refuses=(409, 429),
)
def threads(request: Request, member: Membership) -> Response:
    """Conversations about items, newest first: raters see their own. An admin may start one with
    somebody who has rated the item; 409 while the admin is to judge the item by themselves."""
    if request.method == "POST":
        return _start(request, member)
    asked = asked_of(request, ThreadParameters)
    found: QuerySet[Any, Any] = _annotated(member)
    if asked["flagged"] is not None:
        found = found.filter(flagged=asked["flagged"])
    if asked["unread"] is not None:
        found = having_unread(found, asked["unread"])
    return page_of(request, found, lambda each: thread_body(each, _item(each, member)))


@call_at("v1/campaigns/<slug:slug>/threads/<int:thread_id>", name="api-thread")
@get("thread", MEMBERS, gives=ThreadSerializer)
def thread(_request: Request, member: Membership, thread_id: int) -> Response:
    """One conversation, without its messages."""
    found = one_of(_annotated(member).filter(pk=thread_id), "there is no such thread for you")
    return Response(thread_body(found, _item(found, member)))


@call_at("v1/campaigns/<slug:slug>/threads/<int:thread_id>/messages", name="api-messages")
@get("messages", MEMBERS, rows=MessageSerializer, refuses=(409,))
@post(
    "write_message",
    MEMBERS,
    headers=(KEY,),
    takes=MessageBody,
    gives=_STORED,
    refuses=(409, 429),
    scope=Scope.RATE,
)
def messages(request: Request, member: Membership, thread_id: int) -> Response:
    """The messages of a thread, newest first, which count as read when the first page is asked for;
    or a new one. 409 while the caller is rating the item of somebody else's thread."""
    seen = threads_seen_by(member).filter(pk=thread_id)
    found = one_of(seen, "there is no such thread for you")
    if found.is_held:  # type: ignore[attr-defined]  # annotated
        raise Conflict("you are rating this item: the thread is shown once you have")
    if request.method == "GET":
        if "cursor" not in request.query_params:
            mark_thread_read(thread=found, member=member)
        return page_of(request, messages_of(found), lambda each: message_body(each, found, member))
    given, key = read_body(request, MessageBody), key_of(request)
    written = write_message(thread=found, author=member, text=given["text"], idempotency_key=key)
    return _stored(written, member)


def _start(request: Request, member: Membership) -> Response:
    given, key = read_body(request, FirstMessageBody), key_of(request)
    items = Item.objects.filter(campaign=member.campaign, key=given["item"])
    item = items.select_related("campaign").first()
    if item is None:
        raise serializers.ValidationError({"item": "there is no such item"})
    if withheld_from(member, item):
        raise Conflict("you can still judge this item: who has rated it is not told yet")
    rater = raters_to_write_to(item, member).filter(pseudonym=given["rater"]).first()
    if rater is None:
        raise serializers.ValidationError({"rater": "no such member has rated the item"})
    written = start_thread(
        item=item, rater=rater, author=member, text=given["text"], idempotency_key=key
    )
    return _stored(written, member)


def _stored(written: Written, member: Membership) -> Response:
    message = written.message
    message.refresh_from_db(fields=["created_at"])
    body = message_body(message, message.thread, member)
    return Response(body, status=200 if written.is_replay else 201)


def _annotated(member: Membership) -> QuerySet[Thread]:
    """With how much of each the member has not read, and whether a flag is open."""
    notices = Notice.objects.filter(thread=OuterRef("pk"), member=member, read_at=None)
    unread = notices.order_by().values("thread").annotate(n=Count("pk")).values("n")
    flags = Flag.objects.filter(item=OuterRef("item"), rater=OuterRef("rater"), settled_at=None)
    return threads_seen_by(member).annotate(
        unread=Coalesce(Subquery(unread, output_field=IntegerField()), 0), flagged=Exists(flags)
    )


def _item(thread: Thread, member: Membership) -> str:
    """What the member knows the item by."""
    return thread.item.key if member.is_admin else id_for_raters(thread.item_id)
