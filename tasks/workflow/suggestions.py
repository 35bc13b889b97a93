"""Pre-filling: matchers score items, in batches, each item once per version of a matcher."""

from collections.abc import Iterator, Sequence

from inference.matchers.interface import Matcher, Pair
from tasks.models import Campaign, Item, ItemOrder, Suggestion
from tasks.queries.items import items_without_suggestion
from tasks.workflow.slots import reorder

BATCH = 500


def suggest(*, campaign: Campaign, matcher: Matcher) -> Iterator[int]:
    """Score what is not scored yet, batch by batch; yields how many items are left.

    At the end the most uncertain items come first, where the campaign wants that order.

    Whoever repeats it after a crash, or does it twice at once, changes nothing.
    """
    unscored = items_without_suggestion(campaign, matcher=matcher.name, version=matcher.version)
    yield unscored.count()
    last = 0
    while batch := list(unscored.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        store_suggestions(items=batch, matcher=matcher)
        yield unscored.filter(pk__gt=last).count()
    if campaign.item_order == ItemOrder.UNCERTAIN and matcher.name == campaign.suggestion_matcher:
        reorder(campaign=campaign)


def store_suggestions(*, items: Sequence[Item], matcher: Matcher) -> None:
    """Score these items and keep the scores; one that is there already stays."""
    scores = matcher.score([as_pair(item) for item in items])
    Suggestion.objects.bulk_create(
        (
            Suggestion(
                item=item,
                matcher=matcher.name,
                version=matcher.version,
                score=score,
                is_correct=score >= matcher.threshold,
            )
            for item, score in zip(items, scores, strict=True)
        ),
        ignore_conflicts=True,
    )


def as_pair(item: Item) -> Pair:
    return Pair(
        question=item.question.text,
        context=item.question.context,
        references=tuple(item.references),
        candidate=item.candidate,
    )
