"""Which items and ratings of a campaign a selection leaves out, told by the database."""

from functools import reduce
from operator import or_

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from tasks.models import Campaign, Item, ItemPurpose, Rating
from tasks.votes.items import live_items
from tasks.votes.ratings import current_ratings
from tomahto.releases.dataset.selection import LeftOut, Selection


def selected_items(campaign: Campaign, selection: Selection) -> QuerySet[Item]:
    """The live items without those that the selection leaves out."""
    items = live_items(campaign)
    if selection.without_controls:
        return items.exclude(pk__in=_known_items(campaign))
    return items


def selected_ratings(campaign: Campaign, selection: Selection) -> QuerySet[Rating]:
    """The current ratings of live items without those that the selection leaves out."""
    ratings = current_ratings(campaign)
    for left_out in _filters(campaign, selection).values():
        ratings = ratings.exclude(left_out)
    return ratings


def left_out(campaign: Campaign, selection: Selection) -> LeftOut:
    """How much the selection leaves out."""
    filters = _filters(campaign, selection)
    if not filters:
        return LeftOut()
    counts = current_ratings(campaign).aggregate(
        ratings=Count("pk", filter=reduce(or_, filters.values())),
        **{f"by_{name}": Count("pk", filter=left_out) for name, left_out in filters.items()},
    )
    return LeftOut(
        items=_known_items(campaign).count() if selection.without_controls else 0,
        ratings=counts["ratings"],
        by_filter={name: counts[f"by_{name}"] for name in filters},
    )


def missing_guidelines(campaign: Campaign, selection: Selection) -> tuple[int, ...]:
    """The versions of the selection that the campaign has no guidelines of."""
    known = set(campaign.guidelines.values_list("version", flat=True))
    return tuple(version for version in selection.guideline_versions if version not in known)


def _filters(campaign: Campaign, selection: Selection) -> dict[str, Q]:
    """The ratings that each filter leaves out, by the name of the filter."""
    filters = {
        "without_controls": lambda: Q(item__in=_known_items(campaign)),
        "without_deactivated": lambda: Q(rater__is_active=False) | Q(rater__user__is_active=False),
        "guideline_versions": lambda: (
            Q(guideline=None) | ~Q(guideline__version__in=selection.guideline_versions)
        ),
        "consented_only": lambda: Q(rater__consented_to=None),
    }
    return {name: filters[name]() for name in selection.filters}


def _known_items(campaign: Campaign) -> QuerySet[Item]:
    """The live items that say the same as a control item: their answer is known."""
    controls = Item.objects.filter(
        purpose=ItemPurpose.CONTROL,
        question__campaign=campaign,
        question__fingerprint=OuterRef("question__fingerprint"),
        references=OuterRef("references"),
        candidate=OuterRef("candidate"),
    )
    live = Item.objects.filter(campaign=campaign, purpose=ItemPurpose.LIVE)
    return live.filter(Exists(controls))
