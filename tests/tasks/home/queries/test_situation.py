"""From the rows of a campaign to its next step."""

from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from django.utils import timezone

from exporters.planned_release import ReleasePlan
from tasks.agreement.workflow import assessment
from tasks.agreement.workflow.assessment import assess
from tasks.campaigns.workflow.campaign import change_settings
from tasks.home.queries import situation
from tasks.home.queries.situation import Situation, situation_for
from tasks.home.shown import next_step
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import (
    Alert,
    AlertKind,
    Campaign,
    CampaignState,
    Flag,
    Job,
    JobKind,
    JobState,
    Membership,
    Release,
    SetAside,
)
from tasks.people.workflow.invitations import invite
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.releases.workflow.release import publish_release
from tasks.training.workflow import answer_item, configure_calibration, start_attempt
from tasks.votes import items
from tasks.votes.workflow import set_aside, undo_set_aside
from tests.factories import make_campaign, make_items, make_member
from tests.tasks.conftest import YES_DIFFERENT, item_row, rate_next, rating_row
from tomahto.interchange.reading.records import GivenAnswer


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Two ratings wanted of each item, of which there are none yet."""
    return make_campaign("rivers")


@pytest.fixture
def admin(campaign: Campaign) -> Membership:
    return make_member(campaign, "admin")


def facts_for(member: Membership) -> Situation:
    return situation_for(Membership.objects.select_related("campaign").get(pk=member.pk))


def release(campaign: Campaign, version: str, made: datetime) -> None:
    Release.objects.create(
        campaign=campaign,
        version=version,
        created_at=made,
        seed=0,
        items=1,
        ratings=2,
        splits={},
        documents={},
    )


def step_for(member: Membership) -> str:
    return next_step(facts_for(member)).key


def test_from_an_empty_campaign_to_a_release(campaign: Campaign, admin: Membership) -> None:
    steps = [step_for(admin)]
    make_items(campaign, 2)
    steps.append(step_for(admin))
    invite(campaign=campaign)
    steps.append(step_for(admin))
    first = make_member(campaign)
    steps.append(step_for(admin))
    rate_next(first)
    steps.append(step_for(admin))
    rate_next(first)
    steps.append(step_for(admin))
    second = make_member(campaign)
    rate_next(second)
    rate_next(second, YES_DIFFERENT)
    steps.append(step_for(admin))
    assert steps == [
        *("empty", "no-raters", "invited", "not-begun", "rating", "no-rater-left"),
        "ties",
    ]


def test_data_newer_than_the_last_release_want_another_one(
    campaign: Campaign, admin: Membership
) -> None:
    make_items(campaign, 1)
    for _ in range(2):
        rate_next(make_member(campaign))
    assert step_for(admin) == "not-released"
    job = Job.objects.create(campaign=campaign, kind=JobKind.RELEASE, state=JobState.QUEUED)
    assert step_for(admin) == "releasing"
    job.delete()
    release(campaign, "1.0.0", made=timezone.now() - timedelta(hours=1))
    assert step_for(admin) == "new-data"
    release(campaign, "1.1.0", made=timezone.now() + timedelta(hours=1))
    assert step_for(admin) == "released"


@pytest.mark.parametrize("moment", ["created_at", "undone_at"])
def test_votes_that_left_or_came_back_since_the_last_release_want_another_one(
    campaign: Campaign, admin: Membership, moment: str
) -> None:
    make_items(campaign, 1)
    raters = [make_member(campaign) for _ in range(2)]
    for rater in raters:
        rate_next(rater)
    undo_set_aside(act=set_aside(rater=raters[0], by=admin, reason="Too fast."), by=admin)
    release(campaign, "1.0.0", made=timezone.now() + timedelta(hours=1))
    assert step_for(admin) == "released"
    SetAside.objects.update(**{moment: timezone.now() + timedelta(hours=2)})
    assert step_for(admin) == "new-data"


def test_what_stops_the_work_comes_before_what_waits(campaign: Campaign, admin: Membership) -> None:
    (item, _other) = make_items(campaign, 2)
    rater = make_member(campaign)
    rate_next(rater)
    Flag.objects.create(item=item, rater=rater, reason="It is odd.")
    steps = [step_for(admin)]
    Alert.objects.create(campaign=campaign, kind=AlertKind.STALLED, evidence={"hours": 72})
    steps.append(step_for(admin))
    Membership.objects.filter(pk=rater.pk).update(is_paused=True)
    steps.append(step_for(admin))
    Campaign.objects.update(state=CampaignState.PAUSED)
    steps.append(step_for(admin))
    Job.objects.create(campaign=campaign, kind=JobKind.SUGGEST, state=JobState.FAILED)
    steps.append(step_for(admin))
    assert steps == ["flags", "alerts", "raters-paused", "paused", "failed"]


def test_raters_who_have_stopped_are_noticed(
    campaign: Campaign, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_items(campaign, 3)
    rater = make_member(campaign)
    rate_next(rater)
    assert (step_for(admin), facts_for(admin).raters.idle) == ("rating", ())
    monkeypatch.setattr(situation, "STALLED_AFTER", timedelta(0))
    assert (step_for(admin), facts_for(admin).raters.idle) == ("stalled", (rater.pseudonym,))


def test_raters_at_their_quota_leave_nobody_to_rate(campaign: Campaign, admin: Membership) -> None:
    make_items(campaign, 2)
    change_settings(campaign=campaign, changes={"rater_quota": 1})
    rater = make_member(campaign)
    rate_next(rater)
    assert step_for(admin) == "at-quota"
    change_settings(campaign=campaign, changes={"rater_quota": None})
    assert step_for(admin) == "rating"


def test_who_has_to_consent_or_to_be_passed_is_told_apart(
    campaign: Campaign, admin: Membership
) -> None:
    known = GivenAnswer("equivalent")
    rows = [item_row(1), item_row(2, purpose="calibration", expected=known)]
    import_items(campaign=campaign, rows=rows)
    rater = make_member(campaign)
    publish_consent_text(campaign=campaign, text="May we?")
    configure_calibration(campaign=campaign, is_required=True, pass_percent=100, attempts=1)
    assert facts_for(admin).raters.states == {"consent": 1}
    rater.refresh_from_db()
    give_consent(membership=rater, version=1)
    assert facts_for(admin).raters.states == {"calibration": 1}
    assert step_for(admin) == "not-admitted"
    attempt = start_attempt(membership=rater)
    item = campaign.items.get(purpose="calibration")
    answer_item(attempt=attempt, item=item, answers=YES_DIFFERENT)
    assert (step_for(admin), facts_for(admin).raters.states) == ("stuck", {"stuck": 1})


@pytest.mark.parametrize("times", [{}, {"rated_at": timezone.now() - timedelta(hours=1)}])
def test_an_imported_campaign_wants_raters_until_somebody_rates(
    campaign: Campaign, admin: Membership, times: dict[str, datetime]
) -> None:
    import_items(campaign=campaign, rows=[item_row(1), item_row(2)])
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent", **times)])
    assert (step_for(admin), facts_for(admin).progress.done) == ("no-raters", 1)
    rate_next(admin)
    assert step_for(admin) == "rating"


def test_a_rating_given_while_a_release_is_built_wants_another_one(
    campaign: Campaign, admin: Membership, tmp_path: Path
) -> None:
    make_items(campaign, 1)
    rate_next(make_member(campaign))
    late = make_member(campaign)
    plan = ReleasePlan(version="1.0.0", split="document:test=100", seed=0)
    publish_release(campaign=campaign, plan=plan, out=tmp_path / "1", report=partial(_rates, late))
    assert facts_for(admin).is_rated
    assert step_for(admin) == "new-data"


def _rates(rater: Membership, done: int, _total: int) -> None:
    """Once the ratings of the release have been read."""
    if done and not rater.ratings.exists():
        rate_next(rater)


def test_of_very_many_ratings_a_worker_counts(
    campaign: Campaign, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_items(campaign, 2)
    rater = make_member(campaign)
    rate_next(rater)
    for module, name in ((assessment, "LIVE_RATINGS"), (assessment, "MANY_RATINGS")):
        monkeypatch.setattr(module, name, 0)
    assess(campaign=campaign)
    before = facts_for(admin)
    rate_next(rater)
    assert facts_for(admin).progress.done == 2
    monkeypatch.setattr(items, "MANY_RATINGS", 0)
    after = facts_for(admin)
    assert (after.contents, after.progress) == (before.contents, before.progress)
    assert after.last_rating == before.last_rating
    assess(campaign=campaign)
    assert (facts_for(admin).contents.ratings, facts_for(admin).progress.done) == (2, 2)
