"""Calibration attempts: order, verdicts, pass mark, limit, and what admins may decide."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.db.models.functions import Now

from tasks.intake.workflow.items import import_items
from tasks.models import (
    CalibrationAnswer,
    CalibrationAttempt,
    Campaign,
    Item,
    Membership,
    Outcome,
    Rating,
)
from tasks.protocols.definition import AnswersError
from tasks.training.queries import Run, attempts_left, member_standings, run_of
from tasks.training.workflow import (
    CalibrationRefused,
    NoAttemptsLeft,
    NoCalibrationItems,
    answer_item,
    configure_calibration,
    grant_attempt,
    pass_member,
    start_attempt,
)
from tests.tasks.conftest import EQUIVALENT, YES_DIFFERENT, MakeCampaign, MakeMember, item_row
from tomahto.interchange.reading.records import GivenAnswer

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """Two live items, five calibration items whose answer is `equivalent`, a control item."""
    campaign = make_campaign(items=2, requires_calibration=True, calibration_attempts=2)
    expected = GivenAnswer(None, EQUIVALENT)
    known = [
        item_row(n, purpose="calibration", expected=expected, explanation=f"Because of {n}.")
        for n in range(11, 16)
    ]
    control = item_row(21, purpose="control", expected=expected)
    import_items(campaign=campaign, rows=[*known, control])
    return campaign


@pytest.fixture
def rater(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign)


@pytest.fixture
def admin(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


def answer_next(attempt: CalibrationAttempt, *, well: bool = True) -> Run:
    item = run_of(attempt).next_item
    assert item is not None
    answers = EQUIVALENT if well else YES_DIFFERENT
    return answer_item(attempt=attempt, item=item, answers=answers)


def go_through(membership: Membership, *, right: int) -> CalibrationAttempt:
    """One attempt with so many of the five answers as expected."""
    attempt = start_attempt(membership=membership)
    for place in range(5):
        answer_next(attempt, well=place < right)
    return CalibrationAttempt.objects.get(pk=attempt.pk)


def has_passed(membership: Membership) -> bool:
    return Membership.objects.get(pk=membership.pk).passed_calibration_id is not None


def test_attempt_asks_every_calibration_item_once_in_an_order_of_its_own(
    campaign: Campaign, rater: Membership, make_member: MakeMember
) -> None:
    orders = []
    for membership in [rater, *(make_member(campaign) for _ in range(5))]:
        attempt = start_attempt(membership=membership)
        keys = [item.key for item in run_of(attempt).items]
        assert keys == [item.key for item in run_of(attempt).items]
        assert sorted(keys) == [f"item-{n}" for n in range(11, 16)]
        orders.append(keys)
    # 120 orders are possible: six alike would be no shuffle
    assert len({tuple(keys) for keys in orders}) > 1


def test_attempt_that_is_under_way_is_gone_on_with(rater: Membership) -> None:
    attempt = start_attempt(membership=rater)
    answer_next(attempt)
    assert start_attempt(membership=rater) == attempt
    assert (attempt.number, attempt.guideline) == (1, rater.campaign.guideline)


def test_answer_is_judged_at_once_by_its_label(rater: Membership) -> None:
    attempt = start_attempt(membership=rater)
    item = run_of(attempt).next_item
    assert item is not None
    run = answer_item(attempt=attempt, item=item, answers=YES_DIFFERENT)
    verdict = run.verdicts[item.pk]
    assert (verdict.given.label, verdict.expected.label) == ("not-equivalent", "equivalent")
    assert (verdict.is_as_expected, run.differences) == (False, [verdict])
    assert verdict.explanation == f"Because of {item.key.removeprefix('item-')}."


def test_answer_with_the_label_by_another_way_is_as_expected(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=0)
    expected = GivenAnswer(None, {"q1": False, "q2": False, "q3": True, "q4": False})
    import_items(campaign=campaign, rows=[item_row(1, purpose="calibration", expected=expected)])
    run = answer_next(start_attempt(membership=make_member(campaign)), well=False)
    assert [verdict.is_as_expected for verdict in run.verdicts.values()] == [True]


def test_answer_is_final_and_a_double_submit_does_nothing(rater: Membership) -> None:
    attempt = start_attempt(membership=rater)
    item = run_of(attempt).next_item
    assert item is not None
    first = answer_item(attempt=attempt, item=item, answers=EQUIVALENT)
    second = answer_item(attempt=attempt, item=item, answers=YES_DIFFERENT)
    assert first.verdicts == second.verdicts
    assert CalibrationAnswer.objects.count() == 1


def test_answer_out_of_turn_is_refused(campaign: Campaign, rater: Membership) -> None:
    attempt = start_attempt(membership=rater)
    later = [*run_of(attempt).items[1:], *Item.objects.exclude(purpose="calibration")]
    for item in later:
        with pytest.raises(CalibrationRefused, match="another item is the current one"):
            answer_item(attempt=attempt, item=item, answers=EQUIVALENT)
    assert not CalibrationAnswer.objects.exists()


def test_answer_that_the_protocol_does_not_permit_is_refused(rater: Membership) -> None:
    attempt = start_attempt(membership=rater)
    item = run_of(attempt).next_item
    assert item is not None
    with pytest.raises(AnswersError):
        answer_item(attempt=attempt, item=item, answers={"q1": True, "q2": True})
    assert not CalibrationAnswer.objects.exists()


@pytest.mark.parametrize(("right", "is_passed"), [(3, False), (4, True), (5, True)])
def test_attempt_is_passed_from_the_pass_mark_on(
    rater: Membership, right: int, is_passed: bool
) -> None:
    """The mark is 80 per cent of five items: four."""
    attempt = go_through(rater, right=right)
    run = run_of(attempt)
    assert (attempt.is_passed, run.as_expected, run.needed) == (is_passed, right, 4)
    assert has_passed(rater) is is_passed
    assert attempt.finished_at is not None
    assert not Rating.objects.exists()


def test_attempts_end_at_the_limit(rater: Membership) -> None:
    for left in (1, 0):
        go_through(rater, right=0)
        assert attempts_left(rater) == left
    with pytest.raises(NoAttemptsLeft, match="the campaign's admins can help"):
        start_attempt(membership=rater)


def test_no_attempt_after_passing(rater: Membership) -> None:
    last = go_through(rater, right=5)
    answered = run_of(last).items[-1]
    # a double submit of the last answer comes after passing
    assert answer_item(attempt=last, item=answered, answers=YES_DIFFERENT).as_expected == 5
    with pytest.raises(CalibrationRefused, match="has passed already"):
        start_attempt(membership=rater)


def test_items_that_come_in_during_an_attempt_belong_to_the_next(
    campaign: Campaign, rater: Membership
) -> None:
    attempt = start_attempt(membership=rater)
    late = item_row(16, purpose="calibration", expected=GivenAnswer(None, EQUIVALENT))
    import_items(campaign=campaign, rows=[late])
    Item.objects.filter(key="item-16").update(created_at=Now() + timedelta(seconds=1))
    assert len(run_of(attempt).items) == 5


def test_no_attempt_without_items(make_campaign: MakeCampaign, make_member: MakeMember) -> None:
    with pytest.raises(NoCalibrationItems):
        start_attempt(membership=make_member(make_campaign()))


def test_admin_grants_one_more_attempt_with_a_reason(rater: Membership, admin: Membership) -> None:
    for _attempt in range(2):
        go_through(rater, right=0)
    granted = grant_attempt(membership=rater, reason="A bad day.", by=admin)
    assert start_attempt(membership=rater) == granted
    assert go_through(rater, right=5).number == 3
    assert has_passed(rater)
    entry = LogEntry.objects.get()
    assert (entry.user, entry.change_message) == (
        admin.user,
        "Calibration: one more attempt. A bad day.",
    )


def test_admin_grants_no_attempt_to_who_has_one(rater: Membership, admin: Membership) -> None:
    with pytest.raises(CalibrationRefused, match="still has an attempt"):
        grant_attempt(membership=rater, reason="Why not.", by=admin)
    for _attempt in range(2):
        go_through(rater, right=0)
    grant_attempt(membership=rater, reason="A bad day.", by=admin)
    with pytest.raises(CalibrationRefused, match="still has an attempt"):
        grant_attempt(membership=rater, reason="A bad week.", by=admin)
    assert CalibrationAttempt.objects.count() == 3


def test_admin_passes_a_member_with_a_reason(rater: Membership, admin: Membership) -> None:
    answer_next(start_attempt(membership=rater), well=False)
    attempt = pass_member(membership=rater, reason="Wrote the guidelines.", by=admin)
    assert (has_passed(rater), attempt.number, attempt.is_passed) == (True, 1, True)
    [standing] = [s for s in member_standings(rater.campaign) if s.membership == rater]
    assert (standing.standing, standing.attempts) == ("passed", 1)
    assert standing.decision is not None
    assert standing.decision.change_message == (
        "Calibration: passed by decision. Wrote the guidelines."
    )
    with pytest.raises(CalibrationRefused, match="has passed already"):
        pass_member(membership=rater, reason="Again.", by=admin)


def test_standings_say_what_each_member_needs(
    campaign: Campaign, rater: Membership, admin: Membership, make_member: MakeMember
) -> None:
    stuck, fresh = make_member(campaign), make_member(campaign)
    go_through(rater, right=5)
    for _attempt in range(2):
        go_through(stuck, right=1)
    start_attempt(membership=admin)
    found = {s.membership.pk: (s.attempts, s.standing) for s in member_standings(campaign)}
    assert found == {
        rater.pk: (1, "passed"),
        stuck.pk: (2, "stuck"),
        fresh.pk: (0, "attempts-left"),
        admin.pk: (1, "open"),
    }


def test_calibration_is_required_only_where_there_are_items(
    make_campaign: MakeCampaign, campaign: Campaign
) -> None:
    bare = make_campaign()
    with pytest.raises(NoCalibrationItems, match="import some first"):
        configure_calibration(campaign=bare, is_required=True, pass_percent=70, attempts=1)
    bare.refresh_from_db()
    assert not bare.requires_calibration
    configure_calibration(campaign=campaign, is_required=True, pass_percent=70, attempts=1)
    campaign.refresh_from_db()
    assert (campaign.calibration_pass_percent, campaign.calibration_attempts) == (70, 1)


def test_expected_answer_may_be_a_bare_label(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=0)
    row = item_row(1, purpose="calibration", expected=GivenAnswer("not-equivalent"))
    import_items(campaign=campaign, rows=[row])
    run = answer_next(start_attempt(membership=make_member(campaign)), well=False)
    [verdict] = run.verdicts.values()
    assert verdict.expected == Outcome.objects.get(id="ae:not-equivalent")
    assert verdict.is_as_expected
