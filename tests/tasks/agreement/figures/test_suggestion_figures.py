"""The suggestions that the raters saw, and the figures that follow."""

from datetime import timedelta
from typing import Any

import pytest

from tasks.agreement.figures.suggestion_figures import Chance, steering_finding, suggestion_figures
from tasks.agreement.workflow.alerts import look_if_due
from tasks.models import Campaign, Rating, Suggestion, SuggestionPolicy
from tests.factories import make_campaign, make_item
from tests.simulated_suggestions import CLAIMED, MADE, MATCHER, STORED, simulate
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next

pytestmark = pytest.mark.django_db


def _taken(campaign: Campaign) -> tuple[int, dict[str, int]]:
    figures = suggestion_figures(campaign)
    return figures["ratings"], figures["left_out"]


def _newer(campaign: Campaign, made_at: Any, matcher: str = MATCHER) -> None:
    item = campaign.items.order_by("id").first()
    assert item is not None
    Suggestion.objects.create(
        item=item, matcher=matcher, version="2", score=0.1, is_correct=False, created_at=made_at
    )


def test_a_campaign_without_ratings_has_no_arms(db: None) -> None:
    figures = suggestion_figures(make_campaign())
    assert figures == {
        "policy": "hidden",
        "matcher": "feather",
        "ratings": 0,
        "left_out": {"not_by_lot": 0, "without_suggestion": 0, "suggestion_changed": 0},
        "margin": 0.05,
        "overall": None,
        "by_side": [],
        "labels": [],
        "looks": [],
    }


def test_ratings_from_before_the_lot_take_no_part(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=6, overlap=1, suggestion_matcher=MATCHER)
    for item in campaign.items.all():
        Suggestion.objects.create(
            item=item, matcher=MATCHER, version="1", score=1, is_correct=True, created_at=MADE
        )
    rater = make_member(campaign)
    rate_next(rater)
    rate_next(rater)
    campaign.suggestions = SuggestionPolicy.RANDOMISED
    campaign.save()
    rater.refresh_from_db()
    for _ in range(4):
        rate_next(rater)
    assert _taken(campaign) == (
        4,
        {"not_by_lot": 2, "without_suggestion": 0, "suggestion_changed": 0},
    )


def test_ratings_of_items_without_a_suggestion_take_no_part(db: None) -> None:
    campaign = simulate(items=4)
    Suggestion.objects.filter(item=campaign.items.order_by("id")[0]).delete()
    assert _taken(campaign)[1]["without_suggestion"] == 3
    # one that came later does not count either
    _newer(campaign, STORED + timedelta(minutes=1))
    assert _taken(campaign) == (
        9,
        {"not_by_lot": 0, "without_suggestion": 3, "suggestion_changed": 0},
    )


def test_the_suggestion_is_the_newest_of_the_time_of_the_claim(db: None) -> None:
    campaign = simulate(items=2, agree=1.0)
    _newer(campaign, MADE + timedelta(minutes=1))  # the first item: now suggested not correct
    _newer(campaign, STORED + timedelta(minutes=1), "cfmatch")
    campaign.suggestion_matcher = "cfmatch"  # set afterwards: the lot was about the other's
    campaign.save()
    figures = suggestion_figures(campaign)
    assert figures["ratings"] == 6
    assert [effect["suggested"] for effect in figures["by_side"]] == ["not-correct"]
    agreeing = sum(
        figures["overall"][arm]["agreement"]["value"] * figures["overall"][arm]["agreement"]["n"]
        for arm in ("shown", "hidden")
        if figures["overall"][arm]["agreement"]["n"]
    )
    assert agreeing == 3  # those of the second item; those of the first followed the older one


def test_ratings_during_which_a_newer_suggestion_came_take_no_part(db: None) -> None:
    campaign = simulate(items=2)
    _newer(campaign, CLAIMED + timedelta(seconds=1))
    assert _taken(campaign) == (
        3,
        {"not_by_lot": 0, "without_suggestion": 0, "suggestion_changed": 3},
    )


def test_the_time_of_a_revision_is_not_known(db: None) -> None:
    campaign = simulate(items=2)
    first = Rating.objects.order_by("id")[0]
    Rating.objects.create(
        item=first.item,
        rater=first.rater,
        outcome=first.outcome,
        slot=first.slot,
        assignment=first.assignment,
        supersedes=first,
        suggestion_arm=first.suggestion_arm,
        suggestion_policy=first.suggestion_policy,
        suggestion_matcher=first.suggestion_matcher,
        seconds=3,
        created_at=STORED,
        idempotency_key="revised",
    )
    figures = suggestion_figures(campaign)
    assert figures["ratings"] == 6
    arms = [figures["overall"][arm]["seconds"]["n"] for arm in ("shown", "hidden")]
    assert sum(arms) == 5


def test_labels_of_several_classes_agree_by_their_side(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(
        items=8,
        overlap=2,
        protocol="cap",
        suggestions=SuggestionPolicy.RANDOMISED,
        suggestion_matcher=MATCHER,
    )
    for item in campaign.items.all():
        Suggestion.objects.create(
            item=item, matcher=MATCHER, version="1", score=1, is_correct=True, created_at=MADE
        )
    for rater, label in zip(
        (make_member(campaign), make_member(campaign)),
        ("overinclusive-valid", "partial"),
        strict=True,
    ):
        while rate_next(rater, {"label": label}):
            pass
    figures = suggestion_figures(campaign)
    arms = [figures["overall"][arm]["agreement"] for arm in ("shown", "hidden")]
    # every overinclusive-valid is on the suggested side, no partial is
    assert sum(round(arm["value"] * arm["n"]) for arm in arms) == 8
    given = {shift["label"]: shift for shift in figures["labels"]}
    assert set(given) == set(campaign.annotation_protocol.scheme.labels)
    assert given["partial"]["shown"] + given["overinclusive-valid"]["shown"] == 1
    assert given["exact"]["difference"]["value"] == 0


def test_a_planted_effect_is_found_at_a_look_and_stays_in_its_table(db: None) -> None:
    campaign = simulate(items=100, effect=0.3)
    look = look_if_due(campaign=campaign, ratings=300)
    assert look is not None
    found = look.as_json()["findings"]["steering"]
    assert found["verdict"] == "steers"
    assert found["difference"]["confidence"] == 0.975  # the first look has half of 5 %
    assert found["bound"] == found["difference"]["low"]
    assert found["difference"]["low"] < 0.3 < found["difference"]["high"]
    figures = suggestion_figures(campaign)
    assert figures["looks"] == [
        {
            "number": 1,
            "ratings_counted": 300,
            "level": 0.025,
            "made_at": look.made_at.isoformat(),
            **found,
        }
    ]
    assert figures["overall"]["time_ratio"]["value"] == pytest.approx(0.5)
    assert figures["overall"]["shown"]["seconds"]["value"] == pytest.approx(10)
    assert [effect["suggested"] for effect in figures["by_side"]] == ["correct", "not-correct"]
    sides = [effect["difference"]["confidence"] for effect in figures["by_side"]]
    assert sides == [0.975, 0.975]


def test_a_clean_campaign_raises_no_alarm(db: None) -> None:
    campaign = simulate(items=100)
    found = steering_finding(campaign, Chance(0.025, campaign.seed))
    assert (found["verdict"], found["ratings"]) == ("cannot-tell", 300)
    assert found["bound"] == found["minimum_detectable"]


def test_a_look_without_a_lot_says_so(db: None) -> None:
    campaign = make_campaign()
    make_item(campaign)
    assert steering_finding(campaign, Chance(0.025, 0)) == {
        "verdict": "undefined",
        "reason": "no rating was given while the suggestion was shown at random",
        "ratings": 0,
    }
