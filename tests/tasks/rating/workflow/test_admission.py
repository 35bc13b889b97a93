"""The steps between a member and live work, whatever their role."""

from collections.abc import Callable

import pytest
from pytest_django import DjangoAssertNumQueries

from tasks.access.queries import holder_in_campaign, membership_in
from tasks.campaigns.workflow.campaign import WORKING
from tasks.intake.workflow.items import import_items
from tasks.models import ApiToken, Assignment, Membership, Role
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.rating.workflow.admission import NotAdmitted, what_is_missing
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.training.workflow import pass_member
from tests.tasks.conftest import EQUIVALENT, MakeCampaign, MakeMember, item_row
from tomahto.interchange.reading.records import GivenAnswer


def by_session(membership: Membership) -> Membership:
    assert membership.user is not None
    return membership_in(membership.user, membership.campaign.slug)


def by_token(membership: Membership) -> Membership:
    assert membership.user is not None
    holder = holder_in_campaign(ApiToken.issue(membership.user), membership.campaign.slug)
    assert holder is not None
    assert holder.membership is not None
    return holder.membership


@pytest.mark.parametrize("role", Role.values)
@pytest.mark.parametrize("load", [by_session, by_token])
def test_consent_comes_first_then_calibration_without_a_query(
    make_campaign: MakeCampaign,
    make_member: MakeMember,
    django_assert_num_queries: DjangoAssertNumQueries,
    role: str,
    load: Callable[[Membership], Membership],
) -> None:
    campaign = make_campaign(requires_calibration=True)
    publish_consent_text(campaign=campaign, text="Take part?")
    member = make_member(campaign, role=role)

    def missing() -> str | None:
        loaded = load(member)
        with django_assert_num_queries(0):
            return what_is_missing(loaded)

    assert missing() == "consent"
    give_consent(membership=member, version=1)
    assert missing() == "calibration"
    pass_member(membership=member, reason="Knows it all.", by=member)
    assert missing() is None


@pytest.mark.parametrize("role", Role.values)
@pytest.mark.parametrize("state", WORKING)
def test_claim_is_refused_before_anything_is_done(
    make_campaign: MakeCampaign,
    make_member: MakeMember,
    django_assert_num_queries: DjangoAssertNumQueries,
    role: str,
    state: str,
) -> None:
    campaign = make_campaign(state=state, requires_calibration=True)
    member = by_session(make_member(campaign, role=role))
    with django_assert_num_queries(0), pytest.raises(NotAdmitted) as caught:
        claim_item(membership=member)
    assert (caught.value.missing, caught.value.slug) == ("calibration", campaign.slug)
    assert not Assignment.objects.exists()


def test_item_that_is_held_may_be_submitted_though_consent_is_asked_anew(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=2)
    member = make_member(campaign)
    claim = claim_item(membership=by_session(member))
    assert claim is not None
    publish_consent_text(campaign=campaign, text="Take part?")
    stored = submit_rating(
        assignment_id=claim.assignment_id,
        membership=by_session(member),
        answers=EQUIVALENT,
        idempotency_key="key",
    )
    assert stored.rating.is_counted
    with pytest.raises(NotAdmitted):
        claim_item(membership=by_session(member))


@pytest.mark.parametrize("purpose", ["calibration", "control"])
def test_items_with_a_known_answer_are_not_claimed_as_live_ones(
    make_campaign: MakeCampaign, make_member: MakeMember, purpose: str
) -> None:
    campaign = make_campaign(items=0)
    expected = GivenAnswer(None, EQUIVALENT)
    import_items(campaign=campaign, rows=[item_row(1, purpose=purpose, expected=expected)])
    assert claim_item(membership=make_member(campaign)) is None
