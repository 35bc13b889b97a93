"""Matchers as the metrics of a campaign: which there are, and what they have scored already."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tasks.intake.queries.imported_scores import can_judge, is_imported
from tasks.models import Campaign, Suggestion
from tasks.prefill.queries.trained_matchers import is_trained_name, usable_matchers
from tomahto.lab.judged import JudgedItem
from tomahto.matching.aliases import SUFFIX
from tomahto.matching.cap.score import CapScore
from tomahto.matching.interface import Matcher
from tomahto.matching.own_weights import kind_of
from tomahto.matching.registry import matcher_names, suggesting_matchers

_QUICK = ("em", "f1", "cfmatch", "feather")


class StoredScores(NamedTuple):
    """Scores by the items' keys, and the items that have none."""

    scores: Mapping[str, float]
    missing: Sequence[JudgedItem]


def is_quick(metric: str) -> bool:
    """Whether an evaluation may wait for the matcher to score what it has not scored."""
    return kind_of(metric.removesuffix(SUFFIX)) in _QUICK or is_trained_name(metric)


def available_metrics(campaign: Campaign) -> list[str]:
    """Quick matchers and those with suggestions for the campaign, its own ones after the others,
    and last those whose scores were imported."""
    stored = Suggestion.objects.filter(item__campaign=campaign).order_by()
    versions = set(stored.values_list("matcher", "version").distinct())
    with_suggestions = {name for name, _ in versions}
    usable = (
        name for name in usable_matchers(campaign) if is_quick(name) or name in with_suggestions
    )
    return [*usable, *sorted({name for name, version in versions if is_imported(version)})]


def usual_metrics(campaign: Campaign, available: Sequence[str]) -> list[str]:
    """Those of the available that are asked where none is named: all but the baselines, and
    imported ones if the last import can judge all that is rated."""
    ours = matcher_names()
    return [
        name
        for name in available
        if suggests(name) or (name not in ours and can_judge(campaign, name))
    ]


def suggests(name: str) -> bool:
    """Whether it is a matcher of ours whose threshold means something."""
    return name in suggesting_matchers() or is_trained_name(name)


def cap_scores(
    campaign: Campaign, matcher: Matcher, items: Sequence[JudgedItem]
) -> list[CapScore] | None:
    """What the stored scores of this version of `cap` come from, in the order of the items; None
    unless that is known of all of them."""
    rows = Suggestion.objects.filter(
        item__campaign=campaign,
        matcher=matcher.name,
        version=matcher.version,
        explanation__isnull=False,
    )
    explained: dict[str, Any] = dict(rows.values_list("item__key", "explanation"))
    if not all(item.id in explained for item in items):
        return None
    return [CapScore.from_json(explained[item.id]) for item in items]


def stored_scores(
    campaign: Campaign, matcher: Matcher, items: Sequence[JudgedItem]
) -> StoredScores:
    """What this version of the matcher has scored of these items of the campaign."""
    rows = Suggestion.objects.filter(
        item__campaign=campaign, matcher=matcher.name, version=matcher.version
    )
    scores = dict(rows.values_list("item__key", "score"))
    return StoredScores(scores, [item for item in items if item.id not in scores])
