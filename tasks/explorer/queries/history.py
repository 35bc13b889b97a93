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
    Rating,
    Release,
    SeenVotes,
    Suggestion,
)
from tasks.votes.item_votes import tells_votes
from tasks.votes.ratings import with_standing


@dataclass(frozen=True, slots=True)
class SaidOfItem:
    """What people and matchers said of an item: what is withheld from who could still judge it.

    `ratings` and `adjudications` are those of before too.
    """

    assignments: Sequence[Assignment]
    ratings: Sequence[Rating]
    suggestions: Sequence[Suggestion]
    flags: Sequence[Flag]
    first_looks: Sequence[FirstLook]
    adjudications: Sequence[Adjudication]
    seen: Sequence[SeenVotes]


def said_of(item: Item, reader: Membership) -> SaidOfItem:
    """All of it, for who may see the item's votes."""
    suggestions = Suggestion.objects.filter(item=item)
    return SaidOfItem(
        assignments=list(Assignment.objects.filter(item=item).select_related("rater")),
        ratings=list(
            with_standing(Rating.objects.filter(item=item)).select_related("rater", "outcome")
        ),
        suggestions=[one for one in suggestions if not tells_votes(one, reader)],
        flags=list(Flag.objects.filter(item=item).select_related("rater", "settled_by")),
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


def raters_of(act: BulkAct, item: Item, *, is_withheld: bool) -> list[Membership]:
    """To whom the act has assigned the item, as far as that stands; all raters of the act where it
    would tell who has rated the item."""
    if is_withheld:
        found = Membership.objects.filter(
            campaign=act.campaign_id, pseudonym__in=act.options["raters"]
        )
    else:
        until = act.result["until"]
        found = Membership.objects.filter(
            given_slots__item=item, given_slots__given_until=until
        ).distinct()
    return list(found.order_by("name"))


def acts_on(item: Item) -> list[BulkAct]:
    """The acts that were done to the item together with others."""
    acts = BulkAct.objects.filter(acted_items__item=item).select_related("member", "undone_by")
    return list(acts.order_by("pk"))
