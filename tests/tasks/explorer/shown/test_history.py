"""The history of an item: everything in order, and nothing of what is withheld."""

import pytest

from tasks.explorer.shown.history import history_of
from tasks.models import Campaign, Membership, Suggestion
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.rating.workflow.records import raise_flag, settle_flag
from tasks.votes.workflow import skip_item
from tests.tasks.adjudication.acts import decide, item_of
from tests.tasks.conftest import EQUIVALENT, YES_DIFFERENT, MakeCampaign, MakeMember
from tomahto.votes.remarks import Remarks


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1, overlap=2, adjudicates_blind=False)


@pytest.fixture
def oak(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


@pytest.fixture
def _happened(campaign: Campaign, oak: Membership, make_member: MakeMember) -> None:
    """All kinds of things, one after another."""
    item, ash, fir = (
        item_of(campaign, 1),
        make_member(campaign, "ash"),
        make_member(campaign, "fir"),
    )
    Suggestion.objects.create(item=item, matcher="em", version="1", score=0.25, is_correct=False)
    for rater, answers in ((ash, YES_DIFFERENT), (ash, EQUIVALENT)):
        claim = claim_item(membership=rater)
        held = claim.assignment_id if claim else ash.assignments.get().pk
        submit_rating(
            assignment_id=held,
            membership=rater,
            answers=answers,
            idempotency_key=str(answers),
            remarks=Remarks(comment="So I think."),
        )
    claim_item(membership=fir)
    flag = raise_flag(assignment=fir.assignments.get(), reason="It is cut short.")
    skip_item(assignment=fir.assignments.get(), reason="unclear")
    settle_flag(flag=flag, by=oak, settlement="It is whole now.")
    decide(make_member(campaign, "elm", "researcher"), 1, reason="The passage says so.")


@pytest.mark.usefixtures("_happened")
def test_history_has_everything_that_happened(campaign: Campaign, oak: Membership) -> None:
    told = history_of(item_of(campaign, 1), oak, is_withheld=False)
    found = {(one.kind, one.who, one.what, one.label, one.words or one.aside) for one in told}
    assert found == {
        ("import", "", "Imported", "", "juniper"),
        ("matcher", "em", "scored it", "", "0.25, not acceptable"),
        ("claim", "ash", "took it to rate", "", ""),
        ("rating", "ash", "rated it as", "Not equivalent", "So I think."),
        ("rating", "ash", "revised the rating to", "Equivalent", "So I think."),
        ("flag", "fir", "flagged it", "", "It is cut short."),
        ("skip", "fir", "skipped it", "", "unclear"),
        ("settled", "oak", "settled the flag of fir", "", "It is whole now."),
        ("decision", "elm", "decided that it is", "Equivalent", "The passage says so."),
    }
    assert [one.label for one in told if one.is_past] == ["Not equivalent"]
    assert told == sorted(told, key=lambda one: one.at)


@pytest.mark.usefixtures("_happened")
def test_history_without_what_is_withheld(campaign: Campaign, oak: Membership) -> None:
    told = history_of(item_of(campaign, 1), oak, is_withheld=True)
    assert [one.kind for one in told] == ["import"]


@pytest.mark.usefixtures("_happened")
def test_researchers_know_raters_by_pseudonym(campaign: Campaign, make_member: MakeMember) -> None:
    fern = make_member(campaign, "fern", "researcher")
    told = history_of(item_of(campaign, 1), fern, is_withheld=False)
    names = {one.who for one in told if one.kind in {"claim", "rating", "flag", "skip"}}
    raters = Membership.objects.filter(name__in=["ash", "fir"])
    assert names == set(raters.values_list("pseudonym", flat=True))
