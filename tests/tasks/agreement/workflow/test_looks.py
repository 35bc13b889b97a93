"""When a campaign is looked at, and with what chance of a false alarm."""

import json
from typing import Any

import pytest

from tasks.agreement.figures.suggestion_figures import Chance
from tasks.agreement.workflow import alerts
from tasks.agreement.workflow.alerts import FIRST_AT, LEVEL, look_if_due, next_look_at
from tasks.models import Campaign, Look
from tests.tasks.conftest import MakeCampaign
from tomahto.raters.drift import level_of_look


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1, seed=7)


@pytest.fixture
def chances(monkeypatch: pytest.MonkeyPatch) -> list[Chance]:
    """The chances that the one test there is was called with; it finds the campaign's name."""
    seen: list[Chance] = []

    def test(campaign: Campaign, chance: Chance) -> dict[str, Any]:
        seen.append(chance)
        return {"found": campaign.slug}

    monkeypatch.setattr(alerts, "FINDINGS", {"drift": test})
    return seen


def made(campaign: Campaign, ratings: int) -> bool:
    return look_if_due(campaign=campaign, ratings=ratings) is not None


def test_the_first_look_is_at_a_hundred_ratings(campaign: Campaign, chances: list[Chance]) -> None:
    assert not made(campaign, FIRST_AT - 1)
    assert chances == []
    look = look_if_due(campaign=campaign, ratings=FIRST_AT)
    assert look is not None
    # level 0.05 / (1 * 2); 4 / 0.025 = 160 draws are fewer than the least
    assert chances == [Chance(0.025, 7)]
    assert (chances[0].draws.replicates, chances[0].draws.seed) == (2000, 7)
    look.refresh_from_db()
    assert look.as_json() == {
        "number": 1,
        "ratings": 100,
        "level": 0.025,
        "made_at": look.made_at,
        "findings": {"drift": {"found": campaign.slug}},
    }


def test_further_looks_come_when_the_ratings_have_grown_by_half(
    campaign: Campaign, chances: list[Chance]
) -> None:
    looked = [ratings for ratings in range(90, 800) if made(campaign, ratings)]
    # each 1.5 times the one before, rounded: 337.5 to the even 338
    assert looked == [100, 150, 225, 338, 507, 760]
    assert [chance.level for chance in chances] == [
        pytest.approx(0.05 / (k * (k + 1))) for k in range(1, 7)
    ]
    last = Look.objects.filter(campaign=campaign).first()
    assert next_look_at(last) == 1140


def test_a_late_look_waits_for_half_as_many_ratings_again(
    campaign: Campaign, chances: list[Chance]
) -> None:
    assert made(campaign, 1000)
    assert [made(campaign, ratings) for ratings in (1001, 1499, 1500)] == [False, False, True]


def test_all_looks_together_spend_at_most_the_level() -> None:
    last, levels = None, []
    for number in range(1, 40):
        ratings = next_look_at(last)
        last = Look(number=number, ratings=ratings)
        levels.append(level_of_look(number, level=LEVEL))
    assert sum(levels) <= LEVEL
    # 1 - 1 / 40 of it
    assert sum(levels) == pytest.approx(LEVEL * (1 - 1 / 40))


def test_late_looks_draw_enough_for_their_level() -> None:
    chance = Chance(level_of_look(40, level=LEVEL), 3)
    assert 1 / (chance.draws.replicates + 1) < chance.level / 2


def test_of_two_looks_at_once_one_is_made(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While this one tests, another has looked."""
    results: list[Look | None] = []

    def test(each: Campaign, _chance: Chance) -> dict[str, Any]:
        monkeypatch.setattr(alerts, "FINDINGS", {"drift": lambda *_given: {"by": "the first"}})
        results.append(look_if_due(campaign=each, ratings=120))
        return {"by": "the second"}

    monkeypatch.setattr(alerts, "FINDINGS", {"drift": test})
    results.append(look_if_due(campaign=campaign, ratings=120))
    stored = Look.objects.get()
    assert results == [stored, None]
    assert json.loads(stored.findings) == {"drift": {"by": "the first"}}


def test_looks_of_campaigns_are_counted_apart(
    campaign: Campaign, make_campaign: MakeCampaign, chances: list[Chance]
) -> None:
    other = make_campaign(items=1)
    assert made(campaign, 100)
    assert made(other, 100)
    assert list(Look.objects.values_list("number", flat=True)) == [1, 1]
