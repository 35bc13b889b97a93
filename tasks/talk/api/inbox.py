"""The caller's inbox over the API."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import caller_of, token_of
from tasks.access.guards.operations import call_at, get, post
from tasks.models import Campaign, MessageKind, Scope
from tasks.talk.queries.inbox import entries_of, having_unread
from tasks.talk.shown.threads import name_of
from tasks.talk.workflow.inbox import mark_all_read
from tasks.web.bodies import NoBody, read_body
from tasks.web.lists import ListParameters, asked_of, page_of


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
    asked = asked_of(request, UnreadParameters)
    rows = entries_of(caller_of(request), _campaign(request))
    if asked["unread"] is not None:
        rows = having_unread(rows, asked["unread"])

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
    read_body(request, NoBody)
    marked = mark_all_read(user=caller_of(request), campaign=_campaign(request))
    return Response({"marked": marked})


def _campaign(request: Request) -> Campaign | None:
    """The one that the caller's token is limited to."""
    token = token_of(request)
    return token.campaign if token else None
