"""All that is stored of what happened to one item, read in a fixed number of statements."""

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.models import (
    Adjudication,
    Assignment,
    BulkAct,
    FirstLook,
    Flag,
    Item,
    Membership,
    Message,
    MessageKind,
    Rating,
    Release,
    SeenVotes,
    Suggestion,
)
from tasks.talk.queries.threads import threads_seen_by


@dataclass(frozen=True, slots=True)
class SaidOfItem:
    """What people and matchers said of an item: what is withheld from who could still judge it.

    `ratings` and `adjudications` are those of before too, `messages` those in threads that the
    member may see.
    """

    assignments: Sequence[Assignment]
    ratings: Sequence[Rating]
    suggestions: Sequence[Suggestion]
    flags: Sequence[Flag]
    messages: Sequence[Message]
    first_looks: Sequence[FirstLook]
    adjudications: Sequence[Adjudication]
    seen: Sequence[SeenVotes]


def said_of(item: Item, member: Membership) -> SaidOfItem:
    """All of it, for a member who may see the item's votes."""
    return SaidOfItem(
        assignments=list(Assignment.objects.filter(item=item).select_related("rater")),
        ratings=list(Rating.objects.filter(item=item).select_related("rater", "outcome")),
        suggestions=list(Suggestion.objects.filter(item=item)),
        flags=list(Flag.objects.filter(item=item).select_related("rater", "settled_by")),
        messages=_messages(item, member),
        first_looks=list(
            FirstLook.objects.filter(item=item).select_related("adjudicator", "outcome")
        ),
        adjudications=list(
            Adjudication.objects.filter(item=item).select_related("adjudicator", "outcome")
        ),
        seen=list(SeenVotes.objects.filter(item=item).select_related("member")),
    )


def releases_with(item: Item) -> list[tuple[Release, str]]:
    """The releases that have the item's document, each with the split it is in."""
    key = item.question.document.key
    found = Release.objects.filter(
        campaign=item.campaign_id, documents__has_key=key, created_at__gte=item.created_at
    )
    return [(release, str(release.documents[key])) for release in found.order_by("id")]


def acts_on(item: Item) -> list[BulkAct]:
    """What was done to the item together with others."""
    acts = BulkAct.objects.filter(acted_items__item=item).select_related("member", "undone_by")
    return list(acts.order_by("pk"))


def _messages(item: Item, member: Membership) -> list[Message]:
    """Words alone: a flag and how it was settled are told by the flag."""
    seen = threads_seen_by(member).filter(item=item)
    threads = [thread.pk for thread in seen if not getattr(thread, "is_held", False)]
    found = Message.objects.filter(thread__in=threads, kind=MessageKind.WORDS)
    return list(found.select_related("author", "thread__rater").order_by("pk"))
