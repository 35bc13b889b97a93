"""Over the API: the caller's inbox, threads and messages, and answers for all raters of an item."""

from typing import Any

from django.db.models import Exists, OuterRef
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, MEMBERS
from tasks.access.guards.operations import (
    call_at,
    caller_of,
    get,
    member_for_assignment,
    post,
    token_of,
)
from tasks.models import (
    MAX_MESSAGE,
    Campaign,
    Flag,
    Item,
    Membership,
    Message,
    MessageKind,
    Notice,
    Scope,
    Thread,
)
from tasks.talk.forms import with_plain_breaks
from tasks.talk.queries import (
    answers_about,
    entries_of,
    having_unread,
    messages_with_authors,
    number_of,
    raters_to_write_to,
    threads_seen_by,
)
from tasks.talk.shown import name_of
from tasks.talk.workflow import (
    Written,
    mark_all_read,
    mark_thread_read,
    note_opened,
    share_answer,
    start_thread,
    write_message,
)
from tasks.votes.blindness import withheld_from
from tasks.votes.items import id_for_raters, own_assignment
from tasks.web.api_errors import Conflict
from tasks.web.calls import (
    KEY,
    Body,
    ListParameters,
    NoBody,
    asked_of,
    key_of,
    one_of,
    page_of,
    read_body,
)


class InboxEntrySerializer(serializers.Serializer[Any]):
    """A thread with something for the caller, and its latest message."""

    id = serializers.IntegerField()
    campaign = serializers.SlugField()
    thread = serializers.IntegerField()
    unread = serializers.IntegerField(help_text="Number of messages in the thread.")
    author = serializers.CharField()
    kind = serializers.ChoiceField(choices=MessageKind.choices)
    text = serializers.CharField()
    created_at = serializers.DateTimeField()
    mentions_you = serializers.BooleanField()


class MarkedSerializer(serializers.Serializer[Any]):
    marked = serializers.IntegerField(help_text="Number of messages that were unread.")


class UnreadParameters(ListParameters):
    unread = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only threads with unread messages (true), or only those without (false).",
    )


@call_at("v1/inbox", name="api-inbox")
@get("inbox", rows=InboxEntrySerializer, asks=UnreadParameters, within_campaign=True)
def inbox(request: Request) -> Response:
    """The caller's threads over all their campaigns, those with the latest messages first; with a
    token of one campaign, of that one."""
    parameters = asked_of(request, UnreadParameters)
    rows = entries_of(caller_of(request), _campaign(request))
    if parameters["unread"] is not None:
        rows = having_unread(rows, parameters["unread"])

    def body(entry: Any) -> dict[str, Any]:
        return {
            "id": entry.pk,
            "campaign": entry.member.campaign.slug,
            "thread": entry.thread_id,
            "unread": entry.unread,
            "author": name_of(entry.message, entry.thread),
            "kind": entry.message.kind,
            "text": entry.message.text,
            "created_at": entry.message.created_at,
            "mentions_you": entry.is_mention,
        }

    return page_of(request, rows, body)


@call_at("v1/inbox/read", name="api-inbox-read")
@post("read_inbox", takes=NoBody, gives=MarkedSerializer, scope=Scope.RATE, within_campaign=True)
def read(request: Request) -> Response:
    """Mark everything in the inbox as read."""
    marked = mark_all_read(user=caller_of(request), campaign=_campaign(request))
    return Response({"marked": marked})


def _campaign(request: Request) -> Campaign | None:
    """The one that the caller's token is limited to."""
    token = token_of(request)
    return token.campaign if token else None


NO_THREAD = "no such thread, or you may not see it"


class ThreadSerializer(serializers.Serializer[Any]):
    """A conversation about an item. `unread` counts what the caller has not read of it."""

    id = serializers.IntegerField()
    item = serializers.CharField(help_text="The item's id.")
    rater = serializers.CharField(help_text="Pseudonym.")
    created_at = serializers.DateTimeField()
    has_open_flag = serializers.BooleanField()
    unread = serializers.IntegerField()


class MessageSerializer(serializers.Serializer[Any]):
    """A message. `author` is the rater's pseudonym or the name of an admin."""

    id = serializers.IntegerField()
    author = serializers.CharField()
    own = serializers.BooleanField(help_text="True if the caller wrote it.")
    kind = serializers.ChoiceField(choices=MessageKind.choices)
    text = serializers.CharField(
        help_text="Plain text; empty where a flag was settled by a decision on the item."
    )
    created_at = serializers.DateTimeField()
    shared = serializers.BooleanField(help_text="True if all raters of the item may open it.")


class SharedAnswerSerializer(serializers.Serializer[Any]):
    """An answer of the admins about an item, without who asked or answered."""

    id = serializers.IntegerField()
    text = serializers.CharField(source="message.text")
    shared_at = serializers.DateTimeField(source="created_at")


class ThreadParameters(UnreadParameters):
    flagged = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only threads with an open flag (true), or only those without (false).",
    )


class MessageText(serializers.CharField):
    """Plain text, without white space around it."""

    def to_internal_value(self, data: Any) -> str:
        return with_plain_breaks(super().to_internal_value(data))


class MessageBody(Body):
    text = MessageText(max_length=MAX_MESSAGE)


class FirstMessageBody(MessageBody):
    item = serializers.CharField(max_length=200, help_text="The item's id.")
    rater = serializers.CharField(max_length=40, help_text="Pseudonym of a rater of the item.")


_STORED = {
    200: (MessageSerializer, "Already stored by an earlier call."),
    201: (MessageSerializer, "Stored."),
}


@call_at("v1/campaigns/<slug:slug>/threads", name="api-threads")
@get("threads", MEMBERS, rows=ThreadSerializer, asks=ThreadParameters)
@post(
    "start_thread",
    ADMIN,
    headers=(KEY,),
    takes=FirstMessageBody,
    gives=_STORED,
    refuses=(409,),
)
def threads(request: Request, member: Membership) -> Response:
    """Conversations about items, newest first: raters see their own. An admin may start one with
    somebody who has rated the item; 409 while the admin is to judge the item by themselves."""
    if request.method == "POST":
        return _start(request, member)
    parameters = asked_of(request, ThreadParameters)
    unread = Notice.objects.filter(thread=OuterRef("pk"), member=member, read_at=None)
    flags = Flag.objects.filter(item=OuterRef("item"), rater=OuterRef("rater"), settled_at=None)
    rows = threads_seen_by(member).annotate(
        unread=number_of(unread, by="thread"), has_open_flag=Exists(flags)
    )
    if parameters["flagged"] is not None:
        rows = rows.filter(has_open_flag=parameters["flagged"])
    if parameters["unread"] is not None:
        rows = having_unread(rows, parameters["unread"])

    def body(thread: Any) -> dict[str, Any]:
        return {
            "id": thread.pk,
            "item": thread.item.key if member.is_admin else id_for_raters(thread.item_id),
            "rater": thread.rater.pseudonym,
            "created_at": thread.created_at,
            "has_open_flag": thread.has_open_flag,
            "unread": thread.unread,
        }

    return page_of(request, rows, body)


@call_at("v1/campaigns/<slug:slug>/threads/<int:thread_id>/messages", name="api-messages")
@get("messages", MEMBERS, rows=MessageSerializer)
@post(
    "write_message",
    MEMBERS,
    headers=(KEY,),
    takes=MessageBody,
    gives=_STORED,
    refuses=(409,),
    scope=Scope.RATE,
)
def messages(request: Request, member: Membership, thread_id: int) -> Response:
    """The messages of a thread, newest first, which count as read when the first page is asked for;
    or a new one."""
    thread = one_of(threads_seen_by(member).filter(pk=thread_id), NO_THREAD)
    if request.method == "GET":
        if "cursor" not in request.query_params:
            mark_thread_read(thread=thread, member=member)
        rows = messages_with_authors().filter(thread=thread)
        return page_of(request, rows, lambda message: _message(message, thread, member))
    body, key = read_body(request, MessageBody), key_of(request)
    written = write_message(thread=thread, author=member, text=body["text"], idempotency_key=key)
    return _stored(written, member)


@call_at(
    "v1/campaigns/<slug:slug>/threads/<int:thread_id>/messages/<int:message_id>/share",
    name="api-answer-share",
)
@post("share_answer", ADMIN, takes=NoBody, gives=MessageSerializer, refuses=(409,))
def share(_request: Request, member: Membership, thread_id: int, message_id: int) -> Response:
    """Let everybody who rates the item open a message of one's own, for good. An answer that hints
    at a label influences votes."""
    thread = one_of(threads_seen_by(member).filter(pk=thread_id), NO_THREAD)
    message_rows = messages_with_authors().filter(thread=thread, pk=message_id)
    share_answer(message=one_of(message_rows, "no such message in the thread"), by=member)
    return Response(_message(message_rows.get(), thread, member))


@call_at("v1/assignments/<int:assignment_id>/answers", name="api-answers")
@get("answers", rows=SharedAnswerSerializer, scope=Scope.RATE)
def answers(request: Request, assignment_id: int) -> Response:
    """Answers that admins show to everybody who rates the item of this assignment. That the caller
    has opened them is noted."""
    member = member_for_assignment(request, assignment_id)
    shared = answers_about(own_assignment(member, assignment_id).item_id)
    note_opened(answers=list(shared), rater=member)
    return page_of(request, shared, SharedAnswerSerializer)


def _start(request: Request, member: Membership) -> Response:
    body, key = read_body(request, FirstMessageBody), key_of(request)
    items = Item.objects.filter(campaign=member.campaign, key=body["item"])
    item = items.select_related("campaign").first()
    if item is None:
        raise serializers.ValidationError({"item": "there is no such item"})
    if withheld_from(member, item):
        raise Conflict("you can still judge this item, so its raters are not shown to you yet")
    rater = raters_to_write_to(item, member).filter(pseudonym=body["rater"]).first()
    if rater is None:
        raise serializers.ValidationError({"rater": "no such member has rated the item"})
    written = start_thread(
        item=item, rater=rater, author=member, text=body["text"], idempotency_key=key
    )
    return _stored(written, member)


def _stored(written: Written, member: Membership) -> Response:
    message = messages_with_authors().get(pk=written.message.pk)
    body = _message(message, written.message.thread, member)
    return Response(body, status=200 if written.is_replay else 201)


def _message(message: Message, thread: Thread, caller: Membership) -> dict[str, Any]:
    return {
        "id": message.pk,
        "author": name_of(message, thread),
        "own": message.author_id == caller.pk,
        "kind": message.kind,
        "text": message.text,
        "created_at": message.created_at,
        "shared": hasattr(message, "shared"),
    }
