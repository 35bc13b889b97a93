"""Submitting: once, under a key, append-only, counted while there is room."""

import json
from datetime import timedelta
from hashlib import sha256

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.models import (
    Assignment,
    Campaign,
    Draft,
    Membership,
    Rating,
    Slot,
    SuggestionArm,
)
from tasks.protocols.definition import AnswersError
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import (
    GuidelineChanged,
    KeyReused,
    StoredRating,
    save_draft,
    submit_rating,
    suggestion_arm,
)
from tasks.votes.ratings import counted_ratings, current_ratings
from tests.tasks.conftest import EQUIVALENT, LOSES, MakeCampaign, MakeMember
from tomahto.votes.remarks import Remarks


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign()


@pytest.fixture
def rater(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign)


def claim(rater: Membership) -> int:
    claimed = claim_item(membership=rater)
    assert claimed is not None
    return claimed.assignment_id


def submit(
    rater: Membership, assignment_id: int, key: str = "key", **changes: object
) -> StoredRating:
    given = {"answers": EQUIVALENT, **changes}
    return submit_rating(
        assignment_id=assignment_id,
        membership=rater,
        idempotency_key=key,
        **given,  # type: ignore[arg-type]  # named arguments of the call
    )


def test_submit_stores_the_outcome_and_fills_the_slot(
    campaign: Campaign, rater: Membership
) -> None:
    rating = submit(rater, claim(rater), remarks=Remarks(comment="clear"), seconds=4.5).rating
    stored = Rating.objects.get()
    assert stored == rating
    assert stored.outcome_id == "ae:q1=no,q2=yes"
    assert (stored.comment, stored.seconds, stored.guideline) == ("clear", 4.5, campaign.guideline)
    assert stored.slot is not None
    assert stored.slot.is_filled


def test_submit_again_with_the_same_key_returns_the_first_or_is_refused(rater: Membership) -> None:
    assignment = claim(rater)
    first = submit(rater, assignment, seconds=3)
    second = submit(rater, assignment, seconds=4)
    assert (first.is_replay, second.is_replay) == (False, True)
    assert first.rating == second.rating
    assert Rating.objects.count() == 1
    with pytest.raises(KeyReused):
        submit(rater, assignment, answers=LOSES)
    with pytest.raises(KeyReused):
        submit(rater, claim(rater))
    assert Rating.objects.count() == 1


def test_a_rating_of_an_earlier_version_is_known_when_it_comes_again(rater: Membership) -> None:
    rating = submit(rater, claim(rater), remarks=Remarks(comment="clear")).rating
    # as versions that knew no other remark hashed it
    sent = json.dumps([rating.assignment_id, rating.outcome_id, "clear"])
    assert rating.payload_hash == sha256(sent.encode()).hexdigest()


def test_submit_with_a_new_key_supersedes(campaign: Campaign, rater: Membership) -> None:
    assignment = claim(rater)
    first = submit(rater, assignment, "first").rating
    second = submit(rater, assignment, "second", answers=LOSES).rating
    assert (second.supersedes, second.slot) == (first, first.slot)
    assert list(counted_ratings(campaign)) == [second]
    assert Rating.objects.count() == 2


def test_submit_after_the_slot_was_given_away_is_kept_as_surplus(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    late, quick = make_member(campaign), make_member(campaign)
    late_assignment = claim(late)
    Slot.objects.update(expires_at=Now() - timedelta(seconds=1))
    counted = submit(quick, claim(quick)).rating
    surplus = submit(late, late_assignment).rating
    assert (counted.is_counted, surplus.is_counted) == (True, False)
    assert list(counted_ratings(campaign)) == [counted]
    assert set(current_ratings(campaign)) == {counted, surplus}


def test_submit_after_the_lease_counts_while_nobody_else_has_the_slot(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    rater = make_member(make_campaign(items=1, overlap=1))
    assignment = claim(rater)
    Slot.objects.update(expires_at=Now() - timedelta(hours=3))
    assert submit(rater, assignment).rating.is_counted


def test_submit_under_old_guidelines_is_refused(campaign: Campaign, rater: Membership) -> None:
    assignment = claim(rater)
    publish_guideline(campaign=campaign, text="Now otherwise.")
    with pytest.raises(GuidelineChanged, match="version 2"):
        submit(rater, assignment, guideline_version=1)
    assert submit(rater, assignment, guideline_version=2).rating.guideline == campaign.guideline


def test_submit_incomplete_answers_stores_nothing(rater: Membership) -> None:
    assignment = claim(rater)
    with pytest.raises(AnswersError, match="q2: is not answered"):
        submit(rater, assignment, answers={"q1": False})
    assert not Rating.objects.exists()
    assert not Slot.objects.filter(is_filled=True).exists()


def test_draft_is_kept_per_guideline_and_goes_with_the_rating(rater: Membership) -> None:
    assignment = Assignment.objects.get(pk=claim(rater))
    save_draft(assignment=assignment, answers={"q1": False}, remarks=Remarks(comment="hm"))
    save_draft(
        assignment=assignment, answers={"q1": False, "q2": False}, remarks=Remarks(comment="hm")
    )
    assert [(d.answers, d.comment) for d in Draft.objects.all()] == [
        ({"q1": "no", "q2": "no"}, "hm")
    ]
    submit(rater, assignment.pk)
    assert not Draft.objects.exists()


@pytest.mark.parametrize(
    ("policy", "arms"),
    [
        ("hidden", {SuggestionArm.HIDDEN}),
        ("before", {SuggestionArm.BEFORE}),
        ("after", {SuggestionArm.AFTER}),
        ("randomised", {SuggestionArm.HIDDEN, SuggestionArm.BEFORE}),
    ],
)
def test_suggestion_arm_follows_the_policy_and_is_recorded(
    make_campaign: MakeCampaign, make_member: MakeMember, policy: str, arms: set[SuggestionArm]
) -> None:
    rater = make_member(make_campaign(items=8, suggestions=policy, suggestion_matcher="f1"))
    for number in range(8):
        submit(rater, claim(rater), f"key-{number}")
    ratings = Rating.objects.select_related("assignment")
    assert {rating.suggestion_arm for rating in ratings} == arms
    settings = {(rating.suggestion_policy, rating.suggestion_matcher) for rating in ratings}
    assert settings == {(policy, "f1")}
    for rating in ratings:
        assert rating.assignment is not None
        assert rating.suggestion_arm == suggestion_arm(rater.campaign, rating.assignment.pk)


def test_database_refuses_a_second_history_a_forked_one_and_a_foreign_outcome(
    campaign: Campaign, rater: Membership
) -> None:
    assignment = claim(rater)
    first = submit(rater, assignment, "first").rating
    submit(rater, assignment, "second", answers=LOSES)

    def copy(**changes: object) -> None:
        fields = {
            "item": first.item,
            "rater": rater,
            "outcome_id": first.outcome_id,
            "idempotency_key": "third",
            **changes,
        }
        with transaction.atomic():
            Rating.objects.create(**fields)

    with pytest.raises(IntegrityError):
        copy(supersedes=None)
    with pytest.raises(IntegrityError):
        copy(supersedes=first)
    other = campaign.items.exclude(pk=first.item_id)[0]
    with pytest.raises(IntegrityError):
        copy(item=other, outcome_id="cap:label=exact")
    assert Rating.objects.count() == 2
