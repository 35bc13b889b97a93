"""The caller's inbox over the API: what there is to read, and marks of what was read."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import caller_of, token_of
from tasks.access.guards.operations import call_at, get, patch, post
from tasks.models import Campaign, Notice, Scope
from tasks.talk.queries.inbox import entries_of, having_unread
from tasks.talk.shown.serializers import InboxEntrySerializer, entry_body
from tasks.talk.workflow.inbox import mark_all_read, mark_thread_read, mark_unread
from tasks.web.bodies import Body, NoBody, read_body
from tasks.web.lists import ListParameters, asked_of, one_of, page_of


class InboxParameters(ListParameters):
    unread = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Threads with something unread alone, or those without.",
    )


class Mark(Body):
    read = serializers.BooleanField(help_text="False: its latest message waits to be read again.")


class MarkedSerializer(serializers.Serializer[Any]):
    marked = serializers.IntegerField(help_text="Messages that were unread.")


@call_at("v1/inbox", name="api-inbox")
@get("inbox", rows=InboxEntrySerializer, asks=InboxParameters, within_campaign=True)
def inbox(request: Request) -> Response:
    """The caller's threads over all their campaigns, those with the latest messages first; with a
    token of one campaign, of that one."""
    asked, found = asked_of(request, InboxParameters), _seen_by(request)
    if asked["unread"] is not None:
        found = having_unread(found, asked["unread"])
    return page_of(request, found, entry_body)


@call_at("v1/inbox/<int:entry_id>", name="api-inbox-entry")
@patch(
    "mark_entry",
    takes=Mark,
    gives=InboxEntrySerializer,
    scope=Scope.RATE,
    within_campaign=True,
)
def entry(request: Request, entry_id: int) -> Response:
    """Mark the thread of an entry as read or unread."""
    given = read_body(request, Mark)
    missing = "there is no such entry in your inbox"
    found = one_of(_seen_by(request).filter(pk=entry_id), missing)
    if given["read"]:
        mark_thread_read(thread=found.thread, member=found.member)
    else:
        mark_unread(entry=found)
    return Response(entry_body(one_of(_seen_by(request).filter(pk=entry_id), missing)))


@call_at("v1/inbox/read", name="api-inbox-read")
@post("read_inbox", takes=NoBody, gives=MarkedSerializer, scope=Scope.RATE, within_campaign=True)
def read(request: Request) -> Response:
    """Mark everything in the inbox as read."""
    read_body(request, NoBody)
    marked = mark_all_read(user=caller_of(request), campaign=_campaign(request))
    return Response({"marked": marked})


def _seen_by(request: Request) -> QuerySet[Notice]:
    return entries_of(caller_of(request), _campaign(request))


def _campaign(request: Request) -> Campaign | None:
    """The one that the caller's token is limited to."""
    token = token_of(request)
    return token.campaign if token else None
