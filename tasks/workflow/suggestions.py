"""Pre-filling: matchers score items, in batches, each item once per version of a matcher."""

from collections.abc import Iterator, Sequence

from inference.matchers.interface import Matcher
from inference.matchers.isolation import Unscored, score_apart
from tasks.models import Item, ItemOrder, Job, Suggestion
from tasks.queries.items import as_pair, items_without_suggestion
from tasks.workflow.job_failures import failed_subjects, record_failures
from tasks.workflow.slots import reorder

BATCH = 500


def suggest(*, job: Job, matcher: Matcher) -> Iterator[int]:
    """Score what is not scored yet, batch by batch; yields how many items are left.

    At the end the most uncertain items come first, where the campaign wants that order. Items
    that the matcher fails at are recorded with the job and left out of its further attempts.

    Whoever repeats it after a crash, or does it twice at once, changes nothing. Raises LeaseLost.
    """
    campaign = job.campaign
    unscored = items_without_suggestion(
        campaign, matcher=matcher.name, version=matcher.version
    ).exclude(pk__in=failed_subjects(job, "item"))
    yield unscored.count()
    last = 0
    while batch := list(unscored.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        record_failures(job=job, subject="item", reasons=store_suggestions(batch, matcher))
        yield unscored.filter(pk__gt=last).count()
    if campaign.item_order == ItemOrder.UNCERTAIN and matcher.name == campaign.suggestion_matcher:
        reorder(campaign=campaign)


def store_suggestions(items: Sequence[Item], matcher: Matcher) -> dict[int, str]:
    """Score these items and keep the scores; one that is there already stays.

    Returns why some could not be scored, by the items' ids.
    """
    results = score_apart(matcher, [as_pair(item) for item in items])
    reasons: dict[int, str] = {}
    scored = []
    for item, result in zip(items, results, strict=True):
        if isinstance(result, Unscored):
            reasons[item.pk] = result.reason
        else:
            scored.append(_suggestion(item, matcher, result))
    Suggestion.objects.bulk_create(scored, ignore_conflicts=True)
    return reasons


def _suggestion(item: Item, matcher: Matcher, score: float) -> Suggestion:
    return Suggestion(
        item=item,
        matcher=matcher.name,
        version=matcher.version,
        score=score,
        is_correct=score >= matcher.threshold,
    )
