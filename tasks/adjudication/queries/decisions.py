"""The parts of an item and of each other's decisions that adjudicators may see, and when."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from tasks.models import (
    Adjudication,
    Campaign,
    FirstLook,
    Flag,
    Item,
    Membership,
    Rating,
    Suggestion,
)
from tasks.prefill.queries.suggestions import suggestion_for
from tasks.storing.database import is_last_revision, rows_with
from tasks.votes.blindness import for_reader, votes_are_open_to
from tasks.votes.items import live_items
from tasks.votes.ratings import counted_ratings, current_ratings, with_standing
from tomahto.reliability.report import AdjudicationReport, Decision, adjudication_report


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that others have said about an item; nothing of it is read before a blind first look."""

    votes: list[Rating]
    flags: list[Flag]
    suggestion: Suggestion | None
    decisions: list[Adjudication]


def item_to_adjudicate(campaign: Campaign, item_id: int) -> Item:
    """A live item with its question and document. Raises Item.DoesNotExist."""
    return live_items(campaign).get(pk=item_id)


def current_adjudications(campaign: Campaign) -> QuerySet[Adjudication]:
    """The last revision of every adjudicator's decision on every item; of a campaign that
    somebody reads, on those that its reader may know of."""
    decisions = Adjudication.objects.filter(is_last_revision(Adjudication), item__campaign=campaign)
    return for_reader(decisions, campaign)


def own_decision(item: Item, adjudicator: Membership) -> Adjudication | None:
    return (
        Adjudication.objects.filter(item=item, adjudicator=adjudicator, superseded_by=None)
        .select_related("outcome")
        .first()
    )


def first_look_at(item: Item, adjudicator: Membership) -> FirstLook | None:
    return (
        FirstLook.objects.filter(item=item, adjudicator=adjudicator)
        .select_related("item", "outcome")
        .first()
    )


def has_rated(item: Item, member: Membership) -> bool:
    """Whether the member has rated the item, in whatever revision, counted or not."""
    return Rating.objects.filter(item=item, rater=member).exists()


def evidence_on(item: Item, campaign: Campaign) -> Evidence:
    """The statements of raters, matcher and adjudicators; counted votes first, open flags only."""
    votes = with_standing(current_ratings(campaign).filter(item=item))
    votes = votes.select_related("rater", "outcome")
    decisions = current_adjudications(campaign).filter(item=item)
    return Evidence(
        votes=sorted(votes, key=lambda rating: (not rating.is_counted, rating.pk)),
        flags=list(item.flags.filter(settled_at=None).select_related("rater").order_by("pk")),
        suggestion=suggestion_for(item.pk, campaign),
        decisions=list(decisions.select_related("adjudicator", "outcome").order_by("pk")),
    )


def decisions_open_to(member: Membership) -> QuerySet[Adjudication]:
    """The current decisions of a campaign that the member may see, newest first.

    A decision gives away as much as a vote.
    """
    decisions = (
        current_adjudications(member.campaign)
        .select_related("item__question", "adjudicator", "outcome", "first_outcome", "guideline")
        .order_by("-pk")
    )
    return decisions.filter(votes_are_open_to(member))


def ratings_open_to(member: Membership) -> QuerySet[Rating]:
    """The current ratings of a campaign whose votes the member may see."""
    return (
        with_standing(current_ratings(member.campaign))
        .filter(votes_are_open_to(member))
        .select_related("item", "rater", "outcome", "guideline")
    )


def adjudication_report_of(campaign: Campaign) -> AdjudicationReport:
    """Over all current decisions; the seed is the campaign's."""
    protocol = campaign.annotation_protocol
    rows = current_adjudications(campaign).values_list(
        "item__key",
        "item__question__key",
        "adjudicator__pseudonym",
        "outcome__label",
        "first_outcome__label",
    )
    decisions = [Decision(*row) for row in rows.order_by("item_id", "pk")]
    return adjudication_report(
        protocol.name, protocol.scheme, decisions, _votes_on_decided(campaign), seed=campaign.seed
    )


def _votes_on_decided(campaign: Campaign) -> dict[str, tuple[int, ...]]:
    """The counted votes of every decided item, by label in the scheme's order."""
    scheme = campaign.annotation_protocol.scheme
    votes: dict[str, list[int]] = defaultdict(lambda: [0] * len(scheme.labels))
    # of these items alone: those of the whole campaign would be counted to find them among
    decided = current_adjudications(campaign).order_by().values_list("item", flat=True).distinct()
    counted = counted_ratings(campaign).values_list("item__key", "outcome__label")
    for item, label, number in rows_with(
        counted.annotate(votes=Count("id")).order_by(), "item", list(decided)
    ):
        votes[item][scheme.index_of[label]] = number
    return {item: tuple(counts) for item, counts in votes.items()}
