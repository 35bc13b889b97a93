"""The matchers that are metrics of a campaign, and their scores so far."""

import pytest

from tasks.evaluations.queries.judged import judged_data_of_campaign
from tasks.evaluations.queries.metric_scores import (
    available_metrics,
    is_quick,
    stored_scores,
    usual_metrics,
)
from tasks.models import Campaign, Item, Suggestion
from tests.bulk import make_large_campaign
from tests.tasks.adjudication.acts import vote
from tests.tasks.conftest import MakeCampaign
from tests.tasks.statements import statements
from tomahto.matching.f1 import TokenF1


def suggest(campaign: Campaign, number: int, matcher: str, version: str, score: float) -> None:
    Suggestion.objects.create(
        item=Item.objects.get(campaign=campaign, key=f"item-{number}"),
        matcher=matcher,
        version=version,
        score=score,
        is_correct=score >= 0.5,
    )


def test_scores_are_those_of_the_current_version(make_campaign: MakeCampaign) -> None:
    campaign, other = make_campaign(items=3), make_campaign(items=1)
    for number in (1, 2):
        vote(campaign, number, "e")
    suggest(campaign, 1, "f1", "older", 0.1)
    suggest(campaign, 1, "f1", TokenF1.version, 0.25)
    suggest(campaign, 2, "f1", "older", 0.1)
    suggest(campaign, 2, "em", TokenF1.version, 0.1)
    suggest(campaign, 3, "f1", TokenF1.version, 0.75)  # not judged
    suggest(other, 1, "f1", TokenF1.version, 1.0)
    items = judged_data_of_campaign(campaign).items
    stored = stored_scores(campaign, TokenF1(), items)
    assert stored.scores["item-1"] == 0.25
    assert stored.missing == [items[1]]


@pytest.mark.parametrize("items", [10, 300])
def test_stored_scores_cost_one_statement(db: None, items: int) -> None:
    campaign = make_large_campaign("large", items=items, rated=0, overlap=2, raters=3)
    Suggestion.objects.bulk_create(
        (
            Suggestion(item=item, matcher="f1", version=TokenF1.version, score=0.5, is_correct=True)
            for item in campaign.items.all()
        ),
        batch_size=1000,
    )
    number, stored = statements(lambda: stored_scores(campaign, TokenF1(), ()))
    assert (number, len(stored.scores)) == (1, items)


def test_metrics_are_quick_matchers_and_those_with_suggestions(
    make_campaign: MakeCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    usable = ["em", "f1", "em+aliases", "bem", "cap", "bleu", "rouge-l", "feather@lakes"]
    monkeypatch.setattr(
        "tasks.evaluations.queries.metric_scores.usable_matchers", lambda _campaign: usable
    )
    monkeypatch.setattr(
        "tasks.evaluations.queries.metric_scores.suggesting_matchers",
        lambda: ("em", "f1", "em+aliases", "bem", "cap"),
    )
    campaign, other = make_campaign(items=1), make_campaign(items=1)
    for matcher in ("bem", "bleu"):
        suggest(campaign, 1, matcher, "1", 0.5)
    suggest(campaign, 1, "lerc", "imported|sha256:0", 0.5)
    suggest(other, 1, "cap", "1", 0.5)
    suggest(other, 1, "bleurt", "imported|sha256:0", 0.5)
    found = available_metrics(campaign)
    assert found == ["em", "f1", "em+aliases", "bem", "bleu", "feather@lakes", "lerc"]
    assert usual_metrics(campaign, found) == [
        "em",
        "f1",
        "em+aliases",
        "bem",
        "feather@lakes",
        "lerc",
    ]
    assert [name for name in found if not is_quick(name)] == ["bem", "bleu", "lerc"]


def test_imports_are_usual_if_they_judge_all_that_is_rated(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=3)
    for number in (1, 2):
        vote(campaign, number, "e")
    scores = {"whole": (0.9, 0.1), "mixed": (0.4, 0.6)}
    for matcher, of_items in scores.items():
        for number, score in enumerate(of_items, start=1):
            suggest(campaign, number, matcher, "imported|sha256:0", score)
    suggest(campaign, 2, "partial", "imported|sha256:0", 0.5)
    Suggestion.objects.filter(matcher="mixed", score__lt=0.5).update(is_correct=True)
    Suggestion.objects.filter(matcher="mixed", score__gt=0.5).update(is_correct=False)
    for number in (1, 2):
        suggest(campaign, number, "was-whole", "imported|sha256:0", 0.5)
    suggest(campaign, 1, "was-whole", "imported|sha256:1", 0.5)
    imported = {"whole", "mixed", "partial", "was-whole"}
    available = available_metrics(campaign)
    assert imported < set(available)
    assert imported & set(usual_metrics(campaign, available)) == {"whole"}
