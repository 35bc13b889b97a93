"""Looking first, deciding with a reason, revising, leaving: once, under a key, append-only."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tasks.adjudication.queries.decisions import (
    adjudication_report_of,
    current_adjudications,
    decisions_open_to,
    evidence_on,
)
from tasks.adjudication.workflow import (
    FirstLookMissing,
    FirstLookRefused,
    OwnItem,
    ReasonMissing,
    leave_item,
    store_first_look,
)
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.models import Adjudication, Campaign, FirstLook, LeftItem, Membership, Outcome, Rating
from tasks.protocols.definition import AnswersError
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import GuidelineChanged, KeyReused
from tasks.releases.queries.releasable import adjudication_records, rating_records
from tasks.votes.workflow import skip_item
from tests.tasks.adjudication.acts import decide, flag_item, item_of, vote
from tests.tasks.conftest import (
    EQUIVALENT,
    LOSES,
    YES_DIFFERENT,
    MakeCampaign,
    MakeMember,
    rate_next,
)
from tomahto.releases.records.records import AdjudicationRecord

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=2, overlap=2)
    vote(campaign, 1, "en")
    return campaign


@pytest.fixture
def sighted(campaign: Campaign) -> Campaign:
    """The campaign without blind first looks."""
    campaign.adjudicates_blind = False
    campaign.save()
    return campaign


@pytest.fixture
def oak(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "researcher")


@pytest.fixture
def fern(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "fern", "admin")


def test_decision_keeps_label_reason_guideline_and_first_look(
    campaign: Campaign, oak: Membership
) -> None:
    decided = decide(oak, 1, LOSES, look=EQUIVALENT, reason="  It leaves out the year. ")
    stored = Adjudication.objects.get()
    assert (decided.adjudication, decided.label, decided.is_replay) == (
        stored,
        "not-equivalent",
        False,
    )
    assert stored.outcome_id == "ae:q1=no,q2=no,q3=yes,q4=no"
    assert stored.first_outcome_id == "ae:q1=no,q2=yes"
    assert stored.reason == "It leaves out the year."
    assert (stored.guideline, stored.supersedes) == (campaign.guideline, None)


def test_decision_changes_no_vote(campaign: Campaign, oak: Membership) -> None:
    before = list(rating_records(campaign))
    decide(oak, 1, look=EQUIVALENT)
    assert list(rating_records(campaign)) == before
    assert Rating.objects.count() == 2


def test_decision_without_the_first_look_is_refused_where_it_is_blind(oak: Membership) -> None:
    with pytest.raises(FirstLookMissing):
        decide(oak, 1)
    assert not Adjudication.objects.exists()


def test_sighted_decision_has_no_first_look(sighted: Campaign, oak: Membership) -> None:
    oak.campaign = sighted
    assert decide(oak, 1).adjudication.first_outcome_id is None


def test_first_look_stands(oak: Membership) -> None:
    item = item_of(oak.campaign, 1)
    first = store_first_look(item=item, adjudicator=oak, answers=EQUIVALENT)
    assert store_first_look(item=item, adjudicator=oak, answers=EQUIVALENT) == first
    with pytest.raises(FirstLookRefused):
        store_first_look(item=item, adjudicator=oak, answers=YES_DIFFERENT)
    assert FirstLook.objects.get().outcome_id == "ae:q1=no,q2=yes"


def test_first_look_after_the_votes_were_seen_is_refused(
    sighted: Campaign, oak: Membership
) -> None:
    oak.campaign = sighted
    with pytest.raises(FirstLookRefused):
        store_first_look(item=item_of(sighted, 1), adjudicator=oak, answers=EQUIVALENT)
    decide(oak, 1)
    sighted.adjudicates_blind = True
    with pytest.raises(FirstLookRefused):
        store_first_look(item=item_of(sighted, 1), adjudicator=oak, answers=EQUIVALENT)
    # who has seen the votes is not asked for a look before a revision
    assert decide(oak, 1, YES_DIFFERENT, key="again").label == "not-equivalent"


@pytest.mark.parametrize("answers", [{}, {"q1": False}, {"q1": True, "q2": True}, {"q9": True}])
def test_answers_the_protocol_does_not_permit_are_refused(
    oak: Membership, answers: dict[str, object]
) -> None:
    with pytest.raises(AnswersError):
        store_first_look(item=item_of(oak.campaign, 1), adjudicator=oak, answers=answers)
    with pytest.raises(AnswersError):
        decide(oak, 1, answers)
    assert not FirstLook.objects.exists()


@pytest.mark.parametrize("reason", ["", "  \n "])
def test_decision_needs_a_reason(oak: Membership, reason: str) -> None:
    with pytest.raises(ReasonMissing):
        decide(oak, 1, look=EQUIVALENT, reason=reason)
    assert not Adjudication.objects.exists()


def test_decision_under_old_guidelines_is_refused(oak: Membership) -> None:
    publish_guideline(campaign=oak.campaign, text="New rules.")
    with pytest.raises(GuidelineChanged, match="version 2"):
        decide(oak, 1, look=EQUIVALENT, guideline_version=1)
    assert decide(oak, 1, guideline_version=2).adjudication.guideline == oak.campaign.guideline


def test_same_key_and_body_again_returns_the_first(oak: Membership) -> None:
    first = decide(oak, 1, look=EQUIVALENT)
    again = decide(oak, 1)
    assert (again.adjudication, again.is_replay) == (first.adjudication, True)
    assert Adjudication.objects.count() == 1


@pytest.mark.parametrize(
    "changes",
    [{"answers": YES_DIFFERENT}, {"reason": "Another one."}, {"settles_flags": True}],
)
def test_same_key_with_another_body_is_refused(oak: Membership, changes: dict[str, Any]) -> None:
    decide(oak, 1, look=EQUIVALENT, key="one")
    with pytest.raises(KeyReused):
        decide(oak, 1, key="one", **changes)
    with pytest.raises(KeyReused):
        decide(oak, 2, key="one")
    assert Adjudication.objects.count() == 1


def test_key_is_the_adjudicators_own(oak: Membership, fern: Membership) -> None:
    decide(oak, 1, look=EQUIVALENT, key="one")
    decide(fern, 1, look=EQUIVALENT, key="one")
    assert current_adjudications(oak.campaign).count() == 2


def test_revision_supersedes_the_decision_before(oak: Membership) -> None:
    first = decide(oak, 1, EQUIVALENT, look=EQUIVALENT).adjudication
    second = decide(oak, 1, YES_DIFFERENT, key="second").adjudication
    third = decide(oak, 1, LOSES, key="third").adjudication
    assert (second.supersedes, third.supersedes) == (first, second)
    assert list(current_adjudications(oak.campaign)) == [third]
    assert third.first_outcome_id == "ae:q1=no,q2=yes"


def test_nobody_decides_what_they_have_rated(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    oak = make_member(campaign, "oak", "admin")
    rate_next(oak)
    with pytest.raises(OwnItem, match="you have rated"):
        store_first_look(item=item_of(campaign, 1), adjudicator=oak, answers=EQUIVALENT)
    with pytest.raises(OwnItem, match="you have rated"):
        decide(oak, 1)


def test_nobody_decides_what_they_are_rating_before_they_give_it_back(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    oak = make_member(campaign, "oak", "admin")
    claim_item(membership=oak)
    with pytest.raises(OwnItem, match="you are rating"):
        store_first_look(item=item_of(campaign, 1), adjudicator=oak, answers=EQUIVALENT)
    skip_item(assignment=oak.assignments.get(), reason="mine to decide")
    assert decide(oak, 1, look=EQUIVALENT).label == "equivalent"


@pytest.mark.parametrize("decides", [False, True])
def test_nobody_is_given_an_item_to_rate_after_judging_it(
    make_campaign: MakeCampaign, make_member: MakeMember, decides: bool
) -> None:
    campaign = make_campaign(items=1, adjudicates_blind=not decides)
    oak = make_member(campaign, "oak", "admin")
    if decides:
        decide(oak, 1)
    else:
        store_first_look(item=item_of(campaign, 1), adjudicator=oak, answers=EQUIVALENT)
    assert claim_item(membership=oak) is None
    assert claim_item(membership=make_member(campaign)) is not None


def test_flags_are_settled_with_the_decision_if_it_says_so(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    flag = flag_item(campaign, 1, make_member(campaign))
    elsewhere = flag_item(campaign, 2, make_member(campaign))
    decide(oak, 1, look=EQUIVALENT)
    flag.refresh_from_db()
    assert flag.settled_at is None
    decide(oak, 1, key="again", reason="It is broken. " * 100, settles_flags=True)
    flag.refresh_from_db()
    elsewhere.refresh_from_db()
    assert flag.settled_by == oak
    assert flag.settlement.startswith("It is broken. It is")
    assert len(flag.settlement) == 500
    assert elsewhere.settled_at is None


def test_leaving_an_item_twice_leaves_it_once(oak: Membership) -> None:
    for _time in range(2):
        leave_item(item=item_of(oak.campaign, 1), adjudicator=oak)
    assert LeftItem.objects.count() == 1


def test_evidence_has_counted_votes_first_and_open_flags_only(
    campaign: Campaign, oak: Membership, fern: Membership, make_member: MakeMember
) -> None:
    vote(campaign, 2, "n", surplus="e")
    flag = flag_item(campaign, 2, make_member(campaign))
    decided = decide(fern, 2, look=EQUIVALENT).adjudication
    evidence = evidence_on(item_of(campaign, 2), campaign)
    assert [(r.outcome.label, r.is_counted) for r in evidence.votes] == [
        ("not-equivalent", True),
        ("equivalent", False),
    ]
    assert (evidence.flags, evidence.decisions, evidence.suggestion) == ([flag], [decided], None)


def test_decisions_of_others_are_seen_after_ones_own_look(
    campaign: Campaign, oak: Membership, fern: Membership
) -> None:
    for number in (1, 2):
        decide(fern, number, look=EQUIVALENT)
    assert decisions_open_to(fern).count() == 2
    assert decisions_open_to(oak).count() == 0
    store_first_look(item=item_of(campaign, 2), adjudicator=oak, answers=YES_DIFFERENT)
    assert [each.item.key for each in decisions_open_to(oak)] == ["item-2"]
    oak.campaign.adjudicates_blind = False
    assert decisions_open_to(oak).count() == 2


def test_report_of_a_campaign_is_read_from_its_current_decisions(
    campaign: Campaign, oak: Membership, fern: Membership
) -> None:
    vote(campaign, 2, "nn")
    decide(oak, 1, EQUIVALENT, look=EQUIVALENT)
    decide(fern, 1, EQUIVALENT, look=YES_DIFFERENT)
    decide(fern, 2, YES_DIFFERENT, look=EQUIVALENT)
    decide(fern, 2, EQUIVALENT, key="again")
    report = adjudication_report_of(campaign)
    assert (report.decisions, report.adjudicated, report.differing) == (3, 2, 0)
    # item 1 was a tie, on item 2 both votes said otherwise
    assert (report.ties_settled, report.against_majority.value) == (1, 1.0)
    assert (report.changed_mind.value, report.changed_mind.n) == (1 / 3, 3)
    assert (report.agreement.items, report.agreement.estimates["full_agreement"].value) == (2, 1.0)
    assert [kappa.raters for kappa in report.agreement.kappa] == [
        tuple(sorted([oak.pseudonym, fern.pseudonym]))
    ]


def test_records_for_releases_are_the_current_decisions(
    campaign: Campaign, oak: Membership, fern: Membership
) -> None:
    decide(oak, 1, EQUIVALENT, look=EQUIVALENT)
    decide(oak, 1, YES_DIFFERENT, key="again")
    fern.campaign.adjudicates_blind = False
    decide(fern, 2, EQUIVALENT)
    found = sorted(adjudication_records(campaign), key=lambda record: record.item_id)
    assert found == [
        AdjudicationRecord("item-1", oak.pseudonym, "not-equivalent", "equivalent", 1),
        AdjudicationRecord("item-2", fern.pseudonym, "equivalent", None, 1),
    ]


def row(oak: Membership, **changes: Any) -> dict[str, Any]:
    """The columns of a decision that no code has looked at."""
    return {
        "item": item_of(oak.campaign, 1),
        "adjudicator": oak,
        "outcome_id": "ae:q1=yes",
        "reason": "So it is.",
        "idempotency_key": "raw",
        **changes,
    }


def test_database_refuses_a_fork_and_a_second_history(oak: Membership) -> None:
    first = decide(oak, 1, look=EQUIVALENT).adjudication
    decide(oak, 1, YES_DIFFERENT, key="second")
    for forked in ({"supersedes": first}, {}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Adjudication.objects.create(**row(oak, **forked))
    assert Adjudication.objects.count() == 2


def test_database_refuses_a_second_first_look(oak: Membership) -> None:
    item = item_of(oak.campaign, 1)
    store_first_look(item=item, adjudicator=oak, answers=EQUIVALENT)
    with pytest.raises(IntegrityError), transaction.atomic():
        FirstLook.objects.create(item=item, adjudicator=oak, outcome_id="ae:q1=yes")


def test_database_refuses_a_decision_without_a_reason(oak: Membership) -> None:
    with pytest.raises(IntegrityError, match="adjudication_has_a_reason"):
        Adjudication.objects.create(**row(oak, reason=""))


@pytest.mark.parametrize("model", [Adjudication, FirstLook])
def test_database_refuses_an_outcome_of_another_protocol(
    oak: Membership, model: type[Adjudication | FirstLook]
) -> None:
    assert Outcome.objects.filter(pk="cap:label=exact").exists()
    fields = row(oak, outcome_id="cap:label=exact")
    if model is FirstLook:
        fields = {name: fields[name] for name in ("item", "adjudicator", "outcome_id")}
    with pytest.raises(IntegrityError, match="not of the campaign's protocol"):
        model.objects.create(**fields)
