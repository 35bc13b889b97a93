"""Figures worked out at once or by a worker: by one, again when lost, and noted when they fail."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from tasks.agreement.figures.figures import FIGURES
from tasks.agreement.workflow import assessment as stage
from tasks.agreement.workflow.assessment import Shown, ask, assess, due_campaigns, figures_of
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Assessment, Campaign, CampaignState, Figures, Look
from tests.tasks.conftest import MakeCampaign, rating_row


class Fails(Exception):
    pass


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """Three items, the first two rated."""
    campaign = make_campaign(items=3)
    rate(campaign, "ann", 1, 2)
    return campaign


@pytest.fixture
def large(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """The same, where two ratings are too many to be counted while somebody waits, and few
    figures are worked out."""
    monkeypatch.setattr(stage, "LIVE_RATINGS", 1)
    few = {name: FIGURES[name] for name in ("labels", "progress")}
    monkeypatch.setattr(stage, "FIGURES", few)
    return campaign


def rate(campaign: Campaign, rater: str, *items: int) -> None:
    import_ratings(campaign=campaign, rows=[rating_row(n, rater, "equivalent") for n in items])


def state(campaign: Campaign) -> Assessment:
    return Assessment.objects.get(campaign=campaign)


def ago(campaign: Campaign, **times: timedelta) -> None:
    """Set times of the campaign's assessment so long ago."""
    moments = {name: Now() - time for name, time in times.items()}
    Assessment.objects.filter(campaign=campaign).update(**moments)


def failing(monkeypatch: pytest.MonkeyPatch, error: str) -> None:
    def fail(_campaign: Campaign) -> dict[str, Any]:
        raise Fails(error)

    monkeypatch.setattr(stage, "FIGURES", {"labels": fail})


def test_figures_of_a_small_campaign_are_of_this_moment(campaign: Campaign) -> None:
    assert figures_of(campaign, "labels") == Shown(FIGURES["labels"](campaign))
    rate(campaign, "ben", 1)
    shown = figures_of(campaign, "labels")
    assert shown.content is not None
    assert (shown.content["ratings"], shown.made_at, shown.is_current) == (3, None, True)


def test_nothing_is_kept_of_what_is_worked_out_at_once(campaign: Campaign) -> None:
    assert assess(campaign=campaign)
    assert state(campaign).made_at is not None
    assert not Figures.objects.exists()


def test_figures_of_a_large_campaign_are_those_that_a_worker_made(
    large: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "FIGURES", FIGURES)
    assert figures_of(large, "labels") == Shown(None, is_current=False)
    expected = {name: figures(large) for name, figures in FIGURES.items()}
    assert assess(campaign=large)
    shown = {name: figures_of(large, name) for name in FIGURES}
    made_at = state(large).made_at
    assert made_at is not None
    assert shown == {name: Shown(expected[name], made_at) for name in FIGURES}
    rate(large, "ben", 1)
    assert figures_of(large, "labels") == Shown(expected["labels"], made_at, is_current=False)
    assert assess(campaign=large)
    now = figures_of(large, "labels")
    assert now.content is not None
    assert (now.content["ratings"], now.is_current) == (3, True)
    assert Figures.objects.count() == len(FIGURES)


def test_figures_that_are_new_on_the_site_are_asked_for(large: Campaign) -> None:
    assess(campaign=large)
    Figures.objects.filter(name="labels").delete()
    shown = figures_of(large, "labels")
    assert (shown.content, shown.is_current) == (None, False)


def test_figures_grow_old_without_new_ratings(large: Campaign) -> None:
    assess(campaign=large)
    ago(large, made_at=stage.AGAIN_AFTER + timedelta(seconds=5))
    assert not figures_of(large, "labels").is_current


def test_who_asks_first_has_a_worker_told_and_nobody_else(campaign: Campaign) -> None:
    assert [ask(campaign=campaign) for _ in range(3)] == [True, False, False]


def test_a_message_that_was_lost_is_sent_again(campaign: Campaign) -> None:
    assert ask(campaign=campaign)
    assert due_campaigns() == []
    ago(campaign, asked_at=stage.SENT_AGAIN_AFTER + timedelta(seconds=5))
    assert due_campaigns() == [campaign.pk]
    assert due_campaigns() == []


def test_two_workers_do_not_work_at_once(campaign: Campaign) -> None:
    ask(campaign=campaign)
    Assessment.objects.update(begun_at=Now())
    assert not assess(campaign=campaign)
    assert not Figures.objects.exists()
    assert not ask(campaign=campaign)


def test_what_a_dead_worker_left_is_taken_up(large: Campaign) -> None:
    ask(campaign=large)
    ago(
        large,
        asked_at=stage.TAKEN_FOR + timedelta(seconds=6),
        begun_at=stage.TAKEN_FOR + timedelta(seconds=5),
    )
    assert due_campaigns() == [large.pk]
    assert assess(campaign=large)
    assert Figures.objects.count() == 2
    assert (state(large).asked_at, state(large).begun_at) == (None, None)


def test_a_worker_that_was_overtaken_stores_nothing(
    large: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    overtaken: list[bool] = []

    def slow(each: Campaign) -> dict[str, Any]:
        if not overtaken:
            overtaken.append(True)
            ago(each, begun_at=stage.TAKEN_FOR + timedelta(seconds=5))
            assert assess(campaign=each)
            return {"from": "the slow one"}
        return {"from": "the one who took over"}

    monkeypatch.setattr(stage, "FIGURES", {"labels": slow})
    assert not assess(campaign=large)
    assert Figures.objects.get().content == '{"from": "the one who took over"}'
    assert state(large).attempt == 2


def test_a_failure_is_noted_shown_and_cleared(
    large: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, "no memory\0 left")
    with pytest.raises(Fails):
        assess(campaign=large)
    error = "no memory␀ left"
    assert figures_of(large, "labels") == Shown(None, is_current=False, error=error)
    # a page asks every two seconds: the next attempt waits nevertheless
    assert not ask(campaign=large)
    ago(large, asked_at=stage.SENT_AGAIN_AFTER + timedelta(seconds=5))
    assert due_campaigns() == [large.pk]
    monkeypatch.setattr(stage, "FIGURES", FIGURES)
    assert assess(campaign=large)
    assert figures_of(large, "labels").error == ""


def test_old_figures_stay_when_newer_ones_fail(
    large: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    assess(campaign=large)
    before = figures_of(large, "labels")
    failing(monkeypatch, "no memory left")
    with pytest.raises(Fails):
        assess(campaign=large)
    after = figures_of(large, "labels")
    assert (after.content, after.made_at) == (before.content, before.made_at)
    assert after.error == "no memory left"


def test_figures_that_are_not_json_are_a_failure(
    large: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "FIGURES", {"labels": lambda _campaign: {"alpha": float("nan")}})
    with pytest.raises(ValueError, match="JSON"):
        assess(campaign=large)


def test_campaigns_are_due_once_and_again_with_new_ratings(campaign: Campaign) -> None:
    assert due_campaigns() == [campaign.pk]  # never assessed
    assess(campaign=campaign)
    assert due_campaigns() == []
    rate(campaign, "ben", 1)
    assert due_campaigns() == []  # not so soon
    ago(campaign, made_at=stage.AGAIN_AFTER + timedelta(seconds=5))
    assert due_campaigns() == [campaign.pk]


def test_ratings_of_others_make_no_campaign_due(
    campaign: Campaign, make_campaign: MakeCampaign
) -> None:
    other = make_campaign(items=1)
    for each in (campaign, other):
        assess(campaign=each)
        ago(each, made_at=stage.AGAIN_AFTER + timedelta(seconds=5))
    rate(other, "ann", 1)
    assert due_campaigns() == [other.pk]
    # so far has been searched: the next search begins behind
    assert state(campaign).newest_rating > state(other).newest_rating


def test_paused_campaigns_are_assessed_when_somebody_asks_only(campaign: Campaign) -> None:
    assess(campaign=campaign)
    rate(campaign, "ben", 1)
    Campaign.objects.update(state=CampaignState.PAUSED)
    ago(campaign, made_at=stage.AGAIN_AFTER + timedelta(seconds=5))
    assert due_campaigns() == []
    ask(campaign=campaign)
    ago(campaign, asked_at=stage.SENT_AGAIN_AFTER + timedelta(seconds=5))
    assert due_campaigns() == [campaign.pk]


def test_an_assessment_looks_when_a_look_is_due(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.agreement.workflow.looks.FIRST_AT", 2)
    assess(campaign=campaign)
    assess(campaign=campaign)
    assert [(look.number, look.ratings) for look in Look.objects.all()] == [(1, 2)]
