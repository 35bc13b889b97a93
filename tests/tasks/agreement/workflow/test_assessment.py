"""Figures worked out at once or by a worker: by one, again when lost, and noted when they fail."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db.models.functions import Now

from tasks.agreement.figures.figures import FIGURES
from tasks.agreement.workflow import assessment as stage
from tasks.agreement.workflow.assessment import (
    ShownFigures,
    all_figures_of,
    ask,
    assess,
    due_campaigns,
    figures_of,
)
from tasks.campaigns.workflow import lives
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import (
    Assessment,
    Campaign,
    CampaignState,
    Figures,
    Look,
    NarrowedFigures,
    Narrowing,
)
from tasks.votes.ratings import narrow
from tests.tasks.conftest import MakeCampaign, rating_row
from tests.tasks.statements import statements


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
    assert figures_of(campaign, "labels") == ShownFigures(FIGURES["labels"](campaign))
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
    assert figures_of(large, "labels") == ShownFigures(None, is_current=False)
    expected = {name: figures(large) for name, figures in FIGURES.items()}
    assert assess(campaign=large)
    shown = {name: figures_of(large, name) for name in FIGURES}
    made_at = state(large).made_at
    assert made_at is not None
    assert shown == {name: ShownFigures(expected[name], made_at) for name in FIGURES}
    rate(large, "ben", 1)
    assert figures_of(large, "labels") == ShownFigures(
        expected["labels"], made_at, is_current=False
    )
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
    assert figures_of(large, "labels") == ShownFigures(None, is_current=False, error=error)
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
    monkeypatch.setattr("tasks.agreement.workflow.alerts.FIRST_AT", 2)
    assess(campaign=campaign)
    assess(campaign=campaign)
    assert [(look.number, look.ratings) for look in Look.objects.all()] == [(1, 2)]


@pytest.mark.parametrize("is_deleted", [False, True])
def test_nobody_looks_at_an_archived_or_deleted_campaign(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, is_deleted: bool
) -> None:
    monkeypatch.setattr("tasks.agreement.workflow.alerts.FIRST_AT", 2)
    lives.archive(campaign=campaign)
    if is_deleted:
        lives.delete_campaign(campaign=campaign, typed=campaign.slug)
    campaign.refresh_from_db()
    assert assess(campaign=campaign) is not is_deleted
    assert not Look.objects.exists()


FIRST_VERSION, NO_VERSION = Narrowing(guideline=1), Narrowing(guideline=0)
SOON = timedelta(seconds=5)


def part_of(campaign: Campaign, narrowing: Narrowing = NO_VERSION) -> Campaign:
    return narrow(campaign, narrowing)


def looked(time: timedelta, narrowing: Narrowing = NO_VERSION) -> None:
    """Have somebody have looked at a part so long ago, and nobody since."""
    NarrowedFigures.objects.filter(narrowing=narrowing.key).update(looked_at=Now() - time)


def parts() -> set[str]:
    return set(NarrowedFigures.objects.values_list("narrowing", flat=True))


@pytest.fixture
def wide(large: Campaign, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """A large campaign with figures that can be narrowed, worked out once."""
    monkeypatch.setattr(stage, "FIGURES", {name: FIGURES[name] for name in ("classes", "time")})
    assess(campaign=large)
    return large


def test_figures_of_a_part_of_a_small_campaign_are_of_this_moment(campaign: Campaign) -> None:
    rate(campaign, "ben", 1)
    none, three = part_of(campaign, FIRST_VERSION), part_of(campaign)
    shown = [figures_of(each, "agreement") for each in (none, three)]
    assert shown == [ShownFigures(FIGURES["agreement"](each)) for each in (none, three)]
    assert [each.content and each.content["items"] for each in shown] == [0, 2]
    assert not NarrowedFigures.objects.exists()


def test_whether_a_campaign_is_small_is_a_matter_of_all_its_ratings(wide: Campaign) -> None:
    Assessment.objects.update(ratings=0)  # as of a campaign that has grown since
    assert figures_of(part_of(wide, FIRST_VERSION), "time").content is None


def test_several_figures_are_those_of_each_at_the_cost_of_one(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["classes", "time"]
    monkeypatch.setattr(stage, "FIGURES", {name: FIGURES[name] for name in names})
    singly = {name: statements(partial(figures_of, campaign, name)) for name in names}
    own = {name: statements(partial(FIGURES[name], campaign))[0] for name in names}
    cost, shown = statements(partial(all_figures_of, campaign, names))
    assert shown == ShownFigures({name: singly[name][1].content for name in names})
    assert cost == singly["classes"][0] + own["time"]

    monkeypatch.setattr(stage, "LIVE_RATINGS", 1)
    part = part_of(campaign)
    assert all_figures_of(part, names) == ShownFigures(None, is_current=False)
    assess(campaign=campaign)
    for asked in (campaign, part):
        cost, shown = statements(partial(all_figures_of, asked, names))
        assert (cost, shown.content) == (4, {name: FIGURES[name](asked) for name in names})


def test_several_figures_are_missing_while_one_is(wide: Campaign) -> None:
    Figures.objects.filter(name="time").delete()
    shown = all_figures_of(wide, ["classes", "time"])
    assert (shown.content, shown.is_current) == (None, False)
    assert figures_of(wide, "classes").is_current


def test_a_part_of_a_large_campaign_is_worked_out_by_a_worker(wide: Campaign) -> None:
    part, made_at = part_of(wide), state(wide).made_at
    assert figures_of(part, "time") == ShownFigures(None, made_at, is_current=False)
    assert due_campaigns() == [wide.pk]  # without anybody having asked again
    assert assess(campaign=wide)
    assert figures_of(part, "time") == ShownFigures(FIGURES["time"](part), state(wide).made_at)
    rate(wide, "ben", 1)
    assert not figures_of(part, "time").is_current
    assert assess(campaign=wide)
    assert figures_of(part, "time") == ShownFigures(FIGURES["time"](part), state(wide).made_at)
    assert NarrowedFigures.objects.get().name == "time"  # only what was asked for
    assert due_campaigns() == []


def test_a_part_is_asked_for_before_the_campaign_has_any_figures(
    large: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "FIGURES", FIGURES)
    assert figures_of(part_of(large), "time") == ShownFigures(None, is_current=False)
    assess(campaign=large)
    assert figures_of(part_of(large), "time").is_current


def test_a_part_asked_for_while_a_worker_is_at_work_is_not_lost(
    wide: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = part_of(wide, FIRST_VERSION)
    figures_of(part_of(wide), "time")

    def slow(campaign: Campaign) -> dict[str, Any]:
        if campaign.narrowed_to == NO_VERSION:
            assert not figures_of(late, "time").is_current
            assert not ask(campaign=wide)  # a worker is at it
        return FIGURES["time"](campaign)

    monkeypatch.setattr(stage, "FIGURES", {"time": slow})
    assess(campaign=wide)
    assert figures_of(part_of(wide), "time").is_current
    shown = figures_of(late, "time")
    assert (shown.content, shown.is_current) == (None, False)
    assert due_campaigns() == [wide.pk]
    assess(campaign=wide)
    assert figures_of(late, "time").is_current


def test_parts_that_nobody_looks_at_are_dropped(wide: Campaign) -> None:
    for narrowing in (NO_VERSION, FIRST_VERSION):
        figures_of(part_of(wide, narrowing), "time")
    assess(campaign=wide)
    looked(stage.KEPT_FOR + SOON)
    looked(stage.KEPT_FOR - SOON, FIRST_VERSION)
    assess(campaign=wide)
    assert parts() == {FIRST_VERSION.key}
    shown = figures_of(part_of(wide), "time")  # not what it was when it was dropped
    assert (shown.content, shown.is_current) == (None, False)


@pytest.mark.parametrize(
    ("limit", "number", "ago"),
    [("KEPT_PARTS", 0, timedelta(hours=2)), ("MOST_PARTS", 2, timedelta(minutes=2))],
)
def test_the_parts_looked_at_last_are_kept(
    wide: Campaign,
    make_campaign: MakeCampaign,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    number: int,
    ago: timedelta,
) -> None:
    monkeypatch.setattr(stage, limit, number)
    asked = [Narrowing(source="imported"), FIRST_VERSION, NO_VERSION]
    for narrowing in asked:
        all_figures_of(part_of(wide, narrowing), ["classes", "time"])
    other = make_campaign(items=2)
    rate(other, "ann", 1, 2)
    figures_of(part_of(other), "time")
    looked(ago, FIRST_VERSION)
    assess(campaign=wide)
    assert set(state(wide).narrowed_figures.values_list("narrowing", "name")) == {
        (narrowing.key, name)
        for narrowing in (asked[0], NO_VERSION)
        for name in ("classes", "time")
    }
    assert state(other).narrowed_figures.get().content == ""  # its own worker makes it


def test_that_somebody_looks_is_noted_once_an_hour(wide: Campaign) -> None:
    part = part_of(wide)
    figures_of(part, "time")
    assess(campaign=wide)

    def written() -> bool:
        before = NarrowedFigures.objects.get().looked_at
        figures_of(part, "time")
        return NarrowedFigures.objects.get().looked_at != before

    assert not written()
    looked(stage.NOTED_AGAIN_AFTER - SOON)
    assert not written()
    looked(stage.NOTED_AGAIN_AFTER + SOON)
    assert written()
    assert figures_of(part, "time").is_current


def test_a_part_that_fails_is_an_error_like_others(
    wide: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_of_part(campaign: Campaign) -> dict[str, Any]:
        if campaign.narrowed_to:
            raise Fails("no memory left")
        return {}

    figures_of(part_of(wide), "time")
    monkeypatch.setattr(stage, "FIGURES", {"time": fail_of_part})
    with pytest.raises(Fails):
        assess(campaign=wide)
    shown = figures_of(part_of(wide), "time")
    assert (shown.content, shown.error) == (None, "no memory left")


def test_parts_of_figures_that_the_site_no_longer_has_are_dropped(
    wide: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures_of(part_of(wide), "time")
    monkeypatch.setattr(stage, "FIGURES", {"classes": FIGURES["classes"]})
    assert assess(campaign=wide)
    assert parts() == set()


def test_many_slow_figures_do_not_let_another_worker_take_over(
    wide: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    for narrowing in (NO_VERSION, FIRST_VERSION):
        figures_of(part_of(wide, narrowing), "time")
    begun: list[Narrowing | None] = []

    def slow(campaign: Campaign) -> dict[str, Any]:
        begun.append(campaign.narrowed_to)
        assert not assess(campaign=narrow(campaign, None))
        ago(campaign, begun_at=stage.TAKEN_FOR + SOON)
        return {}

    monkeypatch.setattr(stage, "FIGURES", {"agreement": slow, "time": slow})
    assert assess(campaign=wide)
    assert begun == [None, None, NO_VERSION, FIRST_VERSION]


def test_a_system_of_any_name_makes_a_part(wide: Campaign) -> None:
    # an index of PostgreSQL holds no longer a text than this makes
    name = "".join(chr(0x1F300 + 977 * n % 0x2000) for n in range(255))
    wide.systems.create(name=name)
    figures_of(part_of(wide, Narrowing(system=name)), "time")
    assert assess(campaign=wide)
    assert figures_of(part_of(wide, Narrowing(system=name)), "time").is_current
