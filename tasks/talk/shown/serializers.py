"""Threads, messages and inboxes as the API shows them."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from tasks.models import Membership, Message, MessageKind, Notice, Thread
from tasks.talk.shown.threads import name_of


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
    own = serializers.BooleanField(help_text="Whether the caller wrote it.")
    kind = serializers.ChoiceField(choices=MessageKind.choices)
    text = serializers.CharField(
        help_text="Plain text; empty where a flag was settled by a decision on the item."
    )
    created_at = serializers.DateTimeField()


class InboxEntrySerializer(serializers.Serializer[Any]):
    """A thread with something for the caller. `text` is null while they are rating the item."""

    id = serializers.IntegerField()
    campaign = serializers.SlugField()
    thread = serializers.IntegerField()
    unread = serializers.IntegerField(help_text="Messages of the thread.")
    author = serializers.CharField(help_text="Of the latest message.")
    kind = serializers.ChoiceField(choices=MessageKind.choices)
    text = serializers.CharField(allow_null=True, help_text="The latest message.")
    created_at = serializers.DateTimeField()
    mentions_you = serializers.BooleanField()


def thread_body(thread: Thread, item: str) -> dict[str, Any]:
    """As ThreadSerializer describes it, of a thread annotated with `unread` and `flagged`."""
    return {
        "id": thread.pk,
        "item": item,
        "rater": thread.rater.pseudonym,
        "created_at": thread.created_at,
        "has_open_flag": getattr(thread, "flagged", False),
        "unread": getattr(thread, "unread", 0),
    }


def message_body(message: Message, thread: Thread, caller: Membership) -> Mapping[str, Any]:
    """As MessageSerializer describes it."""
    return {
        "id": message.pk,
        "author": name_of(message.author, thread),
        "own": message.author_id == caller.pk,
        "kind": message.kind,
        "text": message.text,
        "created_at": message.created_at,
    }


def entry_body(entry: Notice) -> Mapping[str, Any]:
    """As InboxEntrySerializer describes it, of an annotated entry."""
    message, is_held = entry.message, getattr(entry, "is_held", False)
    return {
        "id": entry.pk,
        "campaign": entry.member.campaign.slug,
        "thread": entry.thread_id,
        "unread": getattr(entry, "unread", 0),
        "author": name_of(message.author, entry.thread),
        "kind": message.kind,
        "text": None if is_held else message.text,
        "created_at": message.created_at,
        "mentions_you": entry.is_mention,
    }
