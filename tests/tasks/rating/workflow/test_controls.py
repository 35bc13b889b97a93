"""Control items: handed out among live ones, counted apart from them."""

import pytest
from django.db.models import QuerySet

from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import (
    Campaign,
    ExpectedAnswer,
    Item,
    ItemPurpose,
    Outcome,
    Role,
    Slot,
    Suggestion,
)
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.releases.queries.releasable import item_records, rating_records
from tasks.votes.item_votes import control_answers
from tasks.votes.items import campaign_progress
from tasks.votes.ratings import current_ratings
from tasks.votes.workflow import skip_item
from tests.tasks.conftest import (
    EQUIVALENT,
    MakeCampaign,
    MakeMember,
    item_row,
    rate_next,
    rating_row,
)
from tomahto.interchange.reading.records import InputError

pytestmark = pytest.mark.slow


DIFFERENT = {"q1": True}


def add_controls(campaign: Campaign, count: int) -> None:
    """Items that are known to be equivalent."""
    import_items(campaign=campaign, rows=[item_row(n) for n in range(901, 901 + count)])
    controls = Item.objects.filter(campaign=campaign, key__startswith="item-90")
    Slot.objects.filter(item__in=controls).delete()
    controls.update(purpose=ItemPurpose.CONTROL)
    known = Outcome.objects.get(pk="ae:q1=no,q2=yes")
    ExpectedAnswer.objects.bulk_create(ExpectedAnswer(item=i, outcome=known) for i in controls)


def is_control(key: str | None) -> bool:
    return key is not None and key.startswith("item-90")


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=16, overlap=2, control_every=2)
    add_controls(campaign, 5)
    return campaign


def test_control_items_come_about_as_often_as_wanted_and_each_once(
    campaign: Campaign, make_member: MakeMember
) -> None:
    gaps: list[int] = []
    for rater in (make_member(campaign), make_member(campaign)):
        keys = list(iter(lambda: rate_next(rater), None))  # noqa: B023 - called at once
        places = [place for place, key in enumerate(keys) if is_control(key)]
        gaps += [b - a - 1 for a, b in zip([-1, *places], places, strict=False)]
        assert len(keys) == len(set(keys)) == 16 + len(places) == 16 + 5
    # every 2: from 1 to 3 live ones between, and not always as many
    assert all(1 <= gap <= 3 for gap in gaps)
    assert len(set(gaps)) > 1


def test_no_control_items_unless_wanted(campaign: Campaign, make_member: MakeMember) -> None:
    campaign.control_every = 0
    campaign.save()
    rater = make_member(campaign)
    assert not any(is_control(rate_next(rater)) for _ in range(16))
    assert rate_next(rater) is None


def test_claimed_control_is_offered_again_until_it_is_rated(
    campaign: Campaign, make_member: MakeMember
) -> None:
    rater, other = make_member(campaign), make_member(campaign)
    claim = claim_item(membership=rater)
    while claim is not None and not is_control(claim.item.key):
        rate_next(rater)
        claim = claim_item(membership=rater)
    assert claim is not None
    again = claim_item(membership=rater)
    assert again is not None
    assert again.assignment_id == claim.assignment_id
    # the place was made for this rater alone: nobody else is offered it
    taken = {key for key in iter(lambda: rate_next(other), None) if is_control(key)}
    assert len(taken) == 5
    assert Slot.objects.filter(item__key=claim.item.key).count() == 2


def test_skipped_control_does_not_bring_the_next_at_once(
    campaign: Campaign, make_member: MakeMember
) -> None:
    rater = make_member(campaign)
    claim = claim_item(membership=rater)
    while claim is not None and not is_control(claim.item.key):
        rate_next(rater)
        claim = claim_item(membership=rater)
    assert claim is not None
    assignment = Item.objects.get(key=claim.item.key).assignments.get()
    skip_item(assignment=assignment, reason="unclear")
    assert not is_control(rate_next(rater))


def test_controls_are_no_votes_and_in_no_release(
    campaign: Campaign, make_member: MakeMember
) -> None:
    rater = make_member(campaign)
    for _ in range(10):
        rate_next(rater, DIFFERENT)
    rated = current_ratings(campaign).count()
    assert 4 < rated < 10
    assert agreement_of(campaign).as_json()["ratings"] == rated
    assert len(list(rating_records(campaign))) == rated
    assert len(list(item_records(campaign))) == 16
    progress = campaign_progress(campaign)
    assert (progress.done, progress.wanted) == (rated, 32)


def test_accuracy_on_controls_is_told_per_rater(
    campaign: Campaign, make_member: MakeMember
) -> None:
    pseudonyms, controls = [], []
    for name, answers in (("careful", EQUIVALENT), ("careless", DIFFERENT)):
        rater = make_member(campaign, name)
        pseudonyms.append(rater.pseudonym)
        controls.append(sum(is_control(rate_next(rater, answers)) for _ in range(8)))
    careful, careless = controls
    assert careful > 0
    assert careless > 0
    assert control_answers(campaign) == dict(
        zip(pseudonyms, ((careful, careful), (0, careless)), strict=True)
    )


def test_ratings_of_controls_cannot_be_imported(campaign: Campaign) -> None:
    row = rating_row(1, "oak", "equivalent", item_id="item-901")
    with pytest.raises(InputError, match="item 'item-901' is for training or checking raters"):
        import_ratings(campaign=campaign, rows=[row])


def test_control_without_a_known_answer_is_not_handed_out(
    campaign: Campaign, make_member: MakeMember
) -> None:
    ExpectedAnswer.objects.all().delete()
    rater = make_member(campaign)
    assert not any(is_control(rate_next(rater)) for _ in range(8))


def test_first_answers_to_controls_count_whatever_is_revised(
    campaign: Campaign, make_member: MakeMember
) -> None:
    rater = make_member(campaign)
    while not is_control(rate_next(rater, DIFFERENT)):
        pass
    assignment = rater.assignments.get(item__key__startswith="item-90")
    submit_rating(
        assignment_id=assignment.pk,
        membership=rater,
        answers=EQUIVALENT,
        idempotency_key="second thoughts",
    )
    assert control_answers(campaign) == {rater.pseudonym: (0, 1)}


def test_answers_to_a_control_are_kept_from_who_holds_it(
    campaign: Campaign, make_member: MakeMember
) -> None:
    rater, holder = make_member(campaign), make_member(campaign, "oak")
    for _ in range(21):
        rate_next(rater)
    everything = {rater.pseudonym: (5, 5)}
    assert control_answers(campaign) == everything
    held = claim_item(membership=holder)
    while held is not None and not is_control(held.item.key):
        rate_next(holder)
        held = claim_item(membership=holder)
    assert held is not None
    holder.role = Role.ADMIN  # and was a rater when they got it
    campaign.reader = holder
    assert control_answers(campaign) == {rater.pseudonym: (4, 4)}
    campaign.reader = None
    assert control_answers(campaign) == everything


def suggest(items: QuerySet[Item]) -> None:
    Suggestion.objects.bulk_create(
        Suggestion(item=item, matcher="feather", version="1", score=1, is_correct=True)
        for item in items
    )


@pytest.mark.parametrize(
    ("policy", "is_handed_out"),
    [("hidden", True), ("before", False), ("after", False), ("randomised", False)],
)
def test_a_control_without_suggestion_waits_where_live_items_have_one(
    campaign: Campaign, make_member: MakeMember, policy: str, is_handed_out: bool
) -> None:
    campaign.suggestions, campaign.suggestion_matcher = policy, "feather"
    campaign.save()
    items = Item.objects.filter(campaign=campaign)
    suggest(items.filter(purpose=ItemPurpose.LIVE))
    rater = make_member(campaign)
    assert any(is_control(rate_next(rater)) for _ in range(5)) == is_handed_out
    suggest(items.filter(purpose=ItemPurpose.CONTROL))
    assert any(is_control(rate_next(rater)) for _ in range(5))
