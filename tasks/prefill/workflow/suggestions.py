"""Pre-filling: matchers score items, in batches, each item once per version of a matcher."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction

from tasks.campaigns.workflow.slots import reorder
from tasks.jobs.workflow.failures import failed_subjects, record_failures
from tasks.models import Campaign, CampaignState, Item, ItemOrder, Job, Suggestion
from tasks.prefill.queries.pairs import as_pair
from tasks.storing.storable import storable
from tasks.votes.items import items_without_suggestion
from tomahto.matching.interface import ExplainingMatcher, Matcher, Pair
from tomahto.matching.isolation import Unscored, score_apart

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
    pairs = [as_pair(item) for item in items]
    remembering = _Remembering(matcher) if isinstance(matcher, ExplainingMatcher) else None
    results = score_apart(remembering or matcher, pairs)
    reasons: dict[int, str] = {}
    scored = []
    for item, pair, result in zip(items, pairs, results, strict=True):
        if isinstance(result, Unscored):
            reasons[item.pk] = result.reason
        else:
            explanation = remembering.explanations[pair] if remembering else None
            scored.append(_suggestion(item, matcher, result, explanation))
    # a campaign archived meanwhile stays as it is; its job is cancelled and ends with this batch
    working = Campaign.objects.exclude(state=CampaignState.ARCHIVED)
    with transaction.atomic():
        if working.filter(pk=items[0].campaign_id).exists():
            Suggestion.objects.bulk_create(scored, ignore_conflicts=True)
    return reasons


class _Remembering:
    """An explaining matcher whose explanations are kept while it scores."""

    def __init__(self, matcher: ExplainingMatcher) -> None:
        self._matcher = matcher
        self.name, self.version = matcher.name, matcher.version
        self.threshold = matcher.threshold
        self.explanations: dict[Pair, dict[str, Any]] = {}

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        explained = self._matcher.explain(pairs)
        for pair, one in zip(pairs, explained, strict=True):
            self.explanations[pair] = storable(
                {k: v for k, v in asdict(one).items() if k != "score"}
            )
        return [one.score for one in explained]


def _suggestion(
    item: Item, matcher: Matcher, score: float, explanation: dict[str, Any] | None
) -> Suggestion:
    return Suggestion(
        item=item,
        matcher=matcher.name,
        version=matcher.version,
        score=score,
        is_correct=score >= matcher.threshold,
        explanation=explanation,
    )
